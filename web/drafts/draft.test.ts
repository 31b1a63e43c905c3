import { describe, expect, test } from 'vitest'
import type { DeviceTable } from './device-table.ts'
import { type Draft, makeDraftStore } from './draft.ts'

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

/**
 * Storages with so much room, in characters; what they hold outlives the draft store, as it
 * outlives a page.
 */
function makeStorages({ smallRoom = 1000, largeRoom = 1000 } = {}) {
  const held = { small: new Map<string, string>(), large: new Map<string, string>() }
  function put(map: Map<string, string>, room: number, key: string, text: string) {
    if (text.length > room) throw new Error('no room')
    map.set(key, text)
  }
  const small = {
    get length() {
      return held.small.size
    },
    key: (index: number) => [...held.small.keys()][index] ?? null,
    getItem: (key: string) => held.small.get(key) ?? null,
    setItem: (key: string, text: string) => put(held.small, smallRoom, key, text),
    removeItem: (key: string) => void held.small.delete(key),
  }
  const large: DeviceTable<string> = {
    findAll: async (prefix) => [...held.large].filter(([key]) => key.startsWith(prefix)),
    set: async (key, text) => put(held.large, largeRoom, key, text),
    remove: async (keys) => keys.forEach((key) => void held.large.delete(key)),
  }
  return { held, large, open: () => makeDraftStore({ small: () => small, large }) }
}

describe('drafts of this device', () => {
  test('a draft is there again after the page was closed', async () => {
    const { open } = makeStorages()
    expect(await open().keep(ALICE, makeDraft())).toBe(true)
    expect(await open().find(ALICE)).toEqual([makeDraft()])
  })

  test('a draft is kept before the call returns: nothing can end the page in between', () => {
    const { open, held } = makeStorages()
    void open().keep(ALICE, makeDraft())
    expect([...held.small.values()]).toEqual([JSON.stringify(makeDraft())])
  })

  test('belongs to its person and its post', async () => {
    const { open } = makeStorages()
    await open().keep(ALICES_POST, makeDraft())
    expect(await open().find(ALICE)).toEqual([])
    expect(await open().find({ userId: 'bob', postId: 'blog1l' })).toEqual([])
    expect(await open().find({ userId: 'alice', postId: 'blog11l' })).toEqual([])
    expect(await open().find(ALICES_POST)).toEqual([makeDraft()])
  })

  test('two windows keep two drafts, the newest first', async () => {
    const { open } = makeStorages()
    const newer = makeDraft({ id: 'b', changedAt: '2026-11-20T10:00:01.000Z' })
    await open().keep(ALICE, makeDraft())
    await open().keep(ALICE, newer)
    expect(await open().find(ALICE)).toEqual([newer, makeDraft()])
  })

  test('what is too large for the small storage goes to the large one, and no older version stays behind', async () => {
    const { open, held } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    const long = makeDraft({ content: 'x'.repeat(400), changedAt: '2026-11-20T10:00:01.000Z' })
    await open().keep(ALICE, makeDraft())
    expect(await open().keep(ALICE, long)).toBe(true)
    expect([held.small.size, held.large.size]).toEqual([0, 1])
    expect(await open().find(ALICE)).toEqual([long])
  })

  test('a draft that became small again wins over its older large version', async () => {
    const { open } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    const short = makeDraft({ changedAt: '2026-11-20T10:00:02.000Z' })
    await open().keep(ALICE, makeDraft({ content: 'x'.repeat(400) }))
    await open().keep(ALICE, short)
    expect(await open().find(ALICE)).toEqual([short])
  })

  test('without room anywhere it says so, and the older version stays', async () => {
    const { open } = makeStorages({ smallRoom: 200, largeRoom: 200 })
    await open().keep(ALICE, makeDraft())
    expect(await open().keep(ALICE, makeDraft({ content: 'x'.repeat(400) }))).toBe(false)
    expect(await open().find(ALICE)).toEqual([makeDraft()])
  })

  test('a deleted draft is gone from both storages, also while it is being written', async () => {
    const { open, held } = makeStorages({ smallRoom: 10 })
    const store = open()
    const isKept = store.keep(ALICE, makeDraft())
    await store.delete(ALICE, 'a')
    expect(await isKept).toBe(true)
    expect(await store.find(ALICE)).toEqual([])
    expect([held.small.size, held.large.size]).toEqual([0, 0])
  })

  test('a slow write brings no deleted draft back, and a failed one holds up no other', async () => {
    const { large, held, open } = makeStorages({ smallRoom: 10, largeRoom: 300 })
    const { set } = large
    let release = () => {}
    large.set = async (key, text) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await set(key, text)
    }
    const store = open()
    const isKept = store.keep(ALICE, makeDraft())
    const isDeleted = store.delete(ALICE, 'a')
    await Promise.resolve()
    release()
    await Promise.all([isKept, isDeleted])
    expect(held.large.size).toBe(0)
    large.set = set
    expect(await store.keep(ALICE, makeDraft({ content: 'x'.repeat(400) }))).toBe(false)
    expect(await store.keep(ALICE, makeDraft())).toBe(true)
  })

  test('a draft that was continued elsewhere is deleted, but not when it was changed since', async () => {
    const { open } = makeStorages()
    const found = makeDraft()
    const changed = makeDraft({
      content: '<p>Hi, and more</p>',
      changedAt: '2026-11-20T10:00:01.000Z',
    })
    await open().keep(ALICE, changed)
    expect(await open().deleteUnchanged(ALICE, found)).toBe(false)
    expect(await open().find(ALICE)).toEqual([changed])
    expect(await open().deleteUnchanged(ALICE, changed)).toBe(true)
    expect(await open().find(ALICE)).toEqual([])
  })

  test('the drafts for one post go from both storages, and no other', async () => {
    const { open } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    await open().keep(ALICES_POST, makeDraft())
    await open().keep(ALICES_POST, makeDraft({ id: 'b', content: 'x'.repeat(400) }))
    await open().keep({ userId: 'alice', postId: 'blog11l' }, makeDraft({ id: 'c' }))
    await open().keep(ALICE, makeDraft({ id: 'd' }))
    await open().deleteAll(ALICES_POST)
    expect(await open().find(ALICES_POST)).toEqual([])
    expect(await open().find({ userId: 'alice', postId: 'blog11l' })).toEqual([
      makeDraft({ id: 'c' }),
    ])
    expect(await open().find(ALICE)).toEqual([makeDraft({ id: 'd' })])
  })

  test('a person’s drafts go from both storages, and nobody else’s', async () => {
    const { open, held } = makeStorages({ smallRoom: 200, largeRoom: 10_000 })
    await open().keep(ALICE, makeDraft())
    await open().keep(ALICES_POST, makeDraft({ content: 'x'.repeat(400) }))
    await open().keep({ userId: 'alice2' }, makeDraft())
    await open().deleteAll(ALICE)
    expect([[...held.small.keys()], [...held.large.keys()]]).toEqual([['draft/alice2//a'], []])
  })

  test('works where the browser allows no storage, and reads nothing that is not a draft', async () => {
    const broken: DeviceTable<string> = {
      findAll: () => Promise.reject(new Error()),
      set: () => Promise.reject(new Error()),
      remove: () => Promise.reject(new Error()),
    }
    const store = makeDraftStore({ small: () => undefined, large: broken })
    expect(await store.keep(ALICE, makeDraft())).toBe(false)
    expect(await store.find(ALICE)).toEqual([])
    const { open, held } = makeStorages()
    held.small.set('draft/alice//x', '{"id":"x"')
    held.small.set('draft/alice//y', '{"id":"y","title":1}')
    held.small.set('draft/alice//z', JSON.stringify({ ...makeDraft({ id: 'z' }), status: 7 }))
    expect(await open().find(ALICE)).toEqual([])
  })
})
