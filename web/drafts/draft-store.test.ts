import { afterEach, describe, expect, test, vi } from 'vitest'
import type { DeviceTable } from './device-table.ts'
import { type Draft, DraftStore } from './draft-store.ts'

afterEach(() => void vi.unstubAllGlobals())

const ALICE = { userId: 'alice' }
const ALICES_POST = { userId: 'alice', postId: 'blog1l' }

function makeDraft(overrides: Partial<Draft> = {}): Draft {
  return {
    id: 'a',
    title: 'Notes',
    slug: 'blog2l',
    status: 'active',
    content: '<p>Hi</p>',
    changedAt: '2026-11-20T10:00:00.000Z',
    ...overrides,
  }
}

/** A storage with room for so many characters. As in a browser's, its items are properties. */
class FakeStorage {
  readonly #room: number
  constructor(room: number) {
    this.#room = room
  }
  getItem(key: string): string | null {
    const text: unknown = Reflect.get(this, key)
    return typeof text === 'string' ? text : null
  }
  setItem(key: string, text: string): void {
    if (text.length > this.#room) throw new Error('no room')
    Reflect.set(this, key, text)
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  }
}

function makeTable<Value>(hasRoom: (value: Value) => boolean = () => true) {
  const entries = new Map<string, Value>()
  const table: DeviceTable<Value> = {
    findAll: async (prefix) => [...entries].filter(([key]) => key.startsWith(prefix)),
    async set(key, value) {
      if (!hasRoom(value)) throw new Error('no room')
      entries.set(key, value)
    },
    remove: async (keys) => keys.forEach((key) => void entries.delete(key)),
  }
  return { table, entries }
}

/** The storages survive a draft store, as a browser's survive a page. */
function makeStorages({ smallRoom = 1000, largeRoom = 1000 } = {}) {
  const localStorage = new FakeStorage(smallRoom)
  vi.stubGlobal('window', { localStorage })
  const texts = makeTable<string>((text) => text.length <= largeRoom)
  const images = makeTable<File>()
  return {
    small: localStorage,
    smallKeys: () => Object.keys(localStorage),
    large: texts.entries,
    images: images.entries,
    table: texts.table,
    open: () => new DraftStore(texts.table, images.table),
  }
}

describe('drafts of this device', () => {
  test('a draft is still there after the page was closed', async () => {
    const { open } = makeStorages()
    expect(await open().write(ALICE, makeDraft())).toBe(true)
    expect(await open().list(ALICE)).toEqual([makeDraft()])
  })

  test('a draft is stored before the call returns, so the page cannot end in between', () => {
    const { open, small } = makeStorages()
    void open().write(ALICE, makeDraft())
    expect(Object.values(small)).toEqual([JSON.stringify(makeDraft())])
  })

  test('a draft belongs to one person and one post', async () => {
    const { open } = makeStorages()
    await open().write(ALICES_POST, makeDraft())
    expect(await open().list(ALICE)).toEqual([])
    expect(await open().list({ userId: 'bob', postId: 'blog1l' })).toEqual([])
    expect(await open().list({ userId: 'alice', postId: 'blog11l' })).toEqual([])
    expect(await open().list(ALICES_POST)).toEqual([makeDraft()])
  })

  test('two windows store two drafts, which are listed newest first', async () => {
    const { open } = makeStorages()
    const newer = makeDraft({ id: 'b', changedAt: '2026-11-20T10:00:01.000Z' })
    await open().write(ALICE, makeDraft())
    await open().write(ALICE, newer)
    expect(await open().list(ALICE)).toEqual([newer, makeDraft()])
  })

  test('a draft that is too large for localStorage is stored in the database, and its older version is removed', async () => {
    const { open, smallKeys, large } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    const long = makeDraft({ content: 'x'.repeat(400), changedAt: '2026-11-20T10:00:01.000Z' })
    await open().write(ALICE, makeDraft())
    expect(await open().write(ALICE, long)).toBe(true)
    expect([smallKeys().length, large.size]).toEqual([0, 1])
    expect(await open().list(ALICE)).toEqual([long])
  })

  test('a draft that became small again replaces its older large version', async () => {
    const { open } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    const short = makeDraft({ changedAt: '2026-11-20T10:00:02.000Z' })
    await open().write(ALICE, makeDraft({ content: 'x'.repeat(400) }))
    await open().write(ALICE, short)
    expect(await open().list(ALICE)).toEqual([short])
  })

  test('a write that finds no room anywhere reports it, and the older version remains', async () => {
    const { open } = makeStorages({ smallRoom: 200, largeRoom: 200 })
    await open().write(ALICE, makeDraft())
    expect(await open().write(ALICE, makeDraft({ content: 'x'.repeat(400) }))).toBe(false)
    expect(await open().list(ALICE)).toEqual([makeDraft()])
  })

  test('a draft is deleted from both storages, even while it is being written', async () => {
    const { open, smallKeys, large } = makeStorages({ smallRoom: 10 })
    const store = open()
    const isStored = store.write(ALICE, makeDraft())
    await store.delete(ALICE, 'a')
    expect(await isStored).toBe(true)
    expect(await store.list(ALICE)).toEqual([])
    expect([smallKeys().length, large.size]).toEqual([0, 0])
  })

  test('a slow write does not bring back a deleted draft', async () => {
    const { open, table, large } = makeStorages({ smallRoom: 10 })
    const { set } = table
    let release = () => {}
    table.set = async (key, text) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await set(key, text)
    }
    const store = open()
    const isStored = store.write(ALICE, makeDraft())
    const isDeleted = store.delete(ALICE, 'a')
    await Promise.resolve()
    release()
    await Promise.all([isStored, isDeleted])
    expect(large.size).toBe(0)
  })

  test('a failed write does not block the next one', async () => {
    const store = makeStorages({ smallRoom: 10, largeRoom: 300 }).open()
    expect(await store.write(ALICE, makeDraft({ content: 'x'.repeat(400) }))).toBe(false)
    expect(await store.write(ALICE, makeDraft())).toBe(true)
  })

  test('a draft that was continued elsewhere is deleted, unless it has changed since', async () => {
    const { open } = makeStorages()
    const listed = makeDraft()
    const changed = makeDraft({
      content: '<p>Hi, and more</p>',
      changedAt: '2026-11-20T10:00:01.000Z',
    })
    await open().write(ALICE, changed)
    expect(await open().discardUnchanged(ALICE, listed)).toBe(false)
    expect(await open().list(ALICE)).toEqual([changed])
    expect(await open().discardUnchanged(ALICE, changed)).toBe(true)
    expect(await open().list(ALICE)).toEqual([])
  })

  test('the drafts for one post, and no others, are discarded from both storages', async () => {
    const { open } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    await open().write(ALICES_POST, makeDraft())
    await open().write(ALICES_POST, makeDraft({ id: 'b', content: 'x'.repeat(400) }))
    await open().write({ userId: 'alice', postId: 'blog11l' }, makeDraft({ id: 'c' }))
    await open().write(ALICE, makeDraft({ id: 'd' }))
    await open().discardAllOfPost(ALICES_POST)
    expect(await open().list(ALICES_POST)).toEqual([])
    expect(await open().list({ userId: 'alice', postId: 'blog11l' })).toEqual([
      makeDraft({ id: 'c' }),
    ])
    expect(await open().list(ALICE)).toEqual([makeDraft({ id: 'd' })])
  })

  test('a person’s drafts, and nobody else’s, are deleted from both storages', async () => {
    const { open, smallKeys, large } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    await open().write(ALICE, makeDraft())
    await open().write(ALICES_POST, makeDraft({ content: 'x'.repeat(400) }))
    await open().write({ userId: 'alice2' }, makeDraft())
    await open().deleteAll('alice')
    expect([smallKeys(), [...large.keys()]]).toEqual([['draft/alice2//a'], []])
  })

  test('without any storage nothing is stored, and nothing fails', async () => {
    const broken: DeviceTable<never> = {
      findAll: () => Promise.reject(new Error()),
      set: () => Promise.reject(new Error()),
      remove: () => Promise.reject(new Error()),
    }
    const store = new DraftStore(broken, broken)
    expect(await store.write(ALICE, makeDraft())).toBe(false)
    expect(await store.list(ALICE)).toEqual([])
    await store.delete(ALICE, 'a')
    await store.deleteAll('alice')
  })

  test('a stored text that is not a draft is not listed', async () => {
    const { open, small } = makeStorages()
    small.setItem('draft/alice//x', '{"id":"x"')
    small.setItem('draft/alice//y', '{"id":"y","title":1}')
    small.setItem('draft/alice//z', JSON.stringify({ ...makeDraft({ id: 'z' }), status: 7 }))
    expect(await open().list(ALICE)).toEqual([])
  })

  test('the drafts of a deleted post become drafts of a new post, without slug and version', async () => {
    const { open } = makeStorages()
    await open().write(ALICES_POST, makeDraft({ basedOn: 't0' }))
    await open().detachAll(ALICES_POST)
    expect(await open().list(ALICES_POST)).toEqual([])
    expect(await open().list(ALICE)).toEqual([makeDraft({ slug: '' })])
  })

  test('a draft that cannot be stored for its new owner stays with the first one', async () => {
    const { open } = makeStorages({ smallRoom: 200, largeRoom: 200 })
    await open().write(ALICES_POST, makeDraft())
    await open().move(makeDraft({ content: 'x'.repeat(400) }), ALICES_POST, ALICE)
    expect(await open().list(ALICES_POST)).toEqual([makeDraft()])
  })
})

describe('featured images of drafts', () => {
  const image = new File(['x'], 'a.png', { type: 'image/png' })

  test('are found by the id of their draft until they are removed', async () => {
    const store = makeStorages().open()
    const draft = { userId: 'alice', id: 'a' }
    await store.writeImage(draft, image)
    expect(await store.findImage(draft)).toBe(image)
    expect(await store.findImage({ userId: 'alice', id: 'aa' })).toBe(undefined)
    await store.writeImage(draft, undefined)
    expect(await store.findImage(draft)).toBe(undefined)
  })

  test('are deleted when their draft no longer exists; all others remain', async () => {
    const { open, images } = makeStorages()
    const store = open()
    await store.write(ALICE, makeDraft())
    for (const id of ['a', 'b']) await store.writeImage({ userId: 'alice', id }, image)
    await store.writeImage({ userId: 'bob', id: 'c' }, image)
    await store.deleteUnusedImages('alice')
    expect([...images.keys()]).toEqual(['alice/a', 'bob/c'])
  })

  test('are deleted with the account', async () => {
    const { open, images } = makeStorages()
    await open().writeImage({ userId: 'alice', id: 'a' }, image)
    await open().deleteAll('alice')
    expect(images.size).toBe(0)
  })
})
