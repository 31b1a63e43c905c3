import { beforeEach, describe, expect, test, vi } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import { type DraftOwner, draftStore } from './draft-store.ts'
import { OpenDraft } from './open-draft.ts'

withWindow()
beforeEach(() => window.localStorage.clear())

const SLUG = 'blog1763472000000l'
const NEW: DraftOwner = { userId: 'alice' }
const OF_POST: DraftOwner = { userId: 'alice', postId: SLUG }

const textsOf = async (owner: DraftOwner) =>
  (await draftStore.list(owner)).map(({ content }) => content)

/** A form whose text the test sets, and its draft. */
function openForm(owner = NEW, text: { basedOn?: string; image?: File } = {}) {
  const form = { title: '', slug: SLUG, status: 'active', content: '', image: undefined, ...text }
  const writes: boolean[] = []
  const draft = new OpenDraft({
    owner,
    read: () => form,
    onWritten: (isStored) => writes.push(isStored),
  })
  return {
    draft,
    form,
    writes,
    /** Types a text, which is written at once. */
    type(content: string) {
      form.content = content
      draft.scheduleWrite()
      draft.write()
    },
  }
}

function openFormWith(content: string, owner = NEW) {
  const opened = openForm(owner)
  opened.type(content)
  return opened
}

describe('what is typed is stored on the device', () => {
  test('for its writer and its post alone', async () => {
    openFormWith('<p>a</p>', OF_POST)
    expect(await textsOf(OF_POST)).toEqual(['<p>a</p>'])
    expect([await textsOf(NEW), await textsOf({ ...OF_POST, userId: 'bob' })]).toEqual([[], []])
  })

  test('with the version on which it is based', async () => {
    const { type } = openForm(OF_POST, { basedOn: 't0' })
    type('<p>a</p>')
    expect(await draftStore.list(OF_POST)).toMatchObject([{ basedOn: 't0' }])
  })

  test.each(['', '<p><br></p>', '<p>&nbsp;</p>'])('unless it is empty: %j', async (html) => {
    const { type } = openFormWith('<p>a</p>')
    expect(await textsOf(NEW)).toEqual(['<p>a</p>'])
    type(html)
    await expect.poll(() => textsOf(NEW)).toEqual([])
  })

  test.each([
    { tookMs: 10, waitsMs: 0 },
    { tookMs: 40, waitsMs: 200 },
    { tookMs: 10_000, waitsMs: 1000 },
  ])('$waitsMs ms after a key when the last write took $tookMs ms', ({ tookMs, waitsMs }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let clockMs = 0
    using _clock = vi.spyOn(performance, 'now').mockImplementation(() => clockMs)
    using write = vi.spyOn(draftStore, 'write').mockImplementation(async () => {
      clockMs += tookMs
      return true
    })
    const { draft, form } = openForm()
    form.content = '<p>a</p>'
    draft.scheduleWrite()
    vi.advanceTimersByTime(0)
    draft.scheduleWrite()
    vi.advanceTimersByTime(Math.max(0, waitsMs - 1))
    expect(write).toHaveBeenCalledTimes(waitsMs === 0 ? 2 : 1)
    vi.advanceTimersByTime(1)
    expect(write).toHaveBeenCalledTimes(2)
  })

  test('once for many keys', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    using write = vi.spyOn(draftStore, 'write')
    const { draft, form } = openForm()
    form.content = '<p>a</p>'
    for (let key = 0; key < 3; key += 1) draft.scheduleWrite()
    vi.advanceTimersByTime(0)
    expect(write).toHaveBeenCalledTimes(1)
  })

  test('again when another window deletes it', async () => {
    const { draft } = openFormWith('<p>a</p>')
    await draftStore.deleteAll('alice')
    draft.writeDeleted('draft/bob/')
    expect(await textsOf(NEW)).toEqual([])
    draft.writeDeleted('draft/alice/')
    expect(await textsOf(NEW)).toEqual(['<p>a</p>'])
  })

  test('but not once it is saved as a post', async () => {
    const { draft, type } = openFormWith('<p>a</p>')
    await draft.finish()
    type('<p>b</p>')
    draft.writeDeleted('draft/alice/')
    draft.writeForm()
    expect(await textsOf(NEW)).toEqual([])
  })

  test('but not after the form is closed, unless the whole form is written', async () => {
    const { draft, type } = openFormWith('<p>a</p>')
    draft.close()
    type('<p>b</p>')
    expect(await textsOf(NEW)).toEqual(['<p>a</p>'])
    draft.writeForm()
    expect(await textsOf(NEW)).toEqual(['<p>b</p>'])
  })

  test('until the server has it; what is typed after that is stored again', async () => {
    const { draft, type } = openFormWith('<p>a</p>')
    await draft.deleteSavedCopy()
    expect(await textsOf(NEW)).toEqual([])
    type('<p>b</p>')
    expect(await textsOf(NEW)).toEqual(['<p>b</p>'])
  })

  test('or the form learns that the device is full', async () => {
    using _write = vi.spyOn(draftStore, 'write').mockResolvedValue(false)
    const { writes } = openFormWith('<p>a</p>')
    await expect.poll(() => writes).toEqual([false])
  })
})

describe('other drafts', () => {
  test('are offered, without the draft of the form itself', async () => {
    openFormWith('<p>other</p>')
    const { draft } = openFormWith('<p>own</p>')
    expect((await draft.listOthers()).map(({ content }) => content)).toEqual(['<p>other</p>'])
  })

  test('one that is restored gets a new id, and the old one is deleted', async () => {
    openFormWith('<p>first</p>')
    const [other] = await draftStore.list(NEW)
    const { draft } = openForm()
    if (other) draft.continueWith(other)
    await expect
      .poll(async () => (await draftStore.list(NEW)).filter(({ id }) => id === other?.id))
      .toEqual([])
    expect(await draftStore.list(NEW)).toMatchObject([{ content: '<p>first</p>' }])
  })

  test('a stashed text becomes one of them, beside what is typed from then on', async () => {
    const { draft, type } = openFormWith('<p>first</p>')
    expect(draft.stash()).toMatchObject({ content: '<p>first</p>' })
    type('<p>second</p>')
    expect((await textsOf(NEW)).toSorted()).toEqual(['<p>first</p>', '<p>second</p>'])
  })

  test('an empty text is not stashed', () => {
    expect(openForm().draft.stash()).toBe(undefined)
  })

  test('one that is discarded is deleted', async () => {
    openFormWith('<p>first</p>')
    const [other] = await draftStore.list(NEW)
    if (other) await draftStore.discard(NEW, other.id)
    expect(await textsOf(NEW)).toEqual([])
  })
})

test('while a draft is being saved, no form offers it; afterwards it is offered unless it was saved as a post', async () => {
  const { draft } = openFormWith('<p>a</p>')
  // Other test files share the store.
  const hiddenBefore = draftStore.hiddenIds.get().size
  const hiddenCount = () => draftStore.hiddenIds.get().size - hiddenBefore
  const show = draft.hide()
  expect(hiddenCount()).toBe(1)
  show()
  expect(hiddenCount()).toBe(0)
  const showNever = draft.hide()
  await draft.finish()
  showNever()
  expect(hiddenCount()).toBe(1)
})

test('once a new text is created as a post, its draft belongs to that post', async () => {
  const { draft } = openFormWith('<p>a</p>')
  draft.attachToPost(SLUG)
  await expect
    .poll(async () => [await textsOf(NEW), await textsOf(OF_POST)])
    .toEqual([[], ['<p>a</p>']])
})

test('when its post has been deleted, a draft becomes that of a new post, without slug and version', async () => {
  const { draft, type } = openForm(OF_POST, { basedOn: 't0' })
  type('<p>a</p>')
  await draft.detachFromPost()
  expect(await textsOf(OF_POST)).toEqual([])
  const [stored] = await draftStore.list(NEW)
  expect(stored).toMatchObject({ content: '<p>a</p>', slug: '' })
  expect(stored?.basedOn).toBe(undefined)
})
