import { beforeEach, describe, expect, test, vi } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import type { DraftOwner } from '../drafts/draft.ts'
import { drafts } from '../drafts/drafts.ts'
import { makePost, VALUES } from './test/fake-calls.ts'
import { playForm } from './test/fake-form.ts'

withWindow()
beforeEach(() => window.localStorage.clear())

const SLUG = VALUES.slug
const NEW: DraftOwner = { userId: 'alice' }
const OF_POST: DraftOwner = { userId: 'alice', postId: SLUG }
const opened = makePost(SLUG, { title: 'Night', content: '<p>old</p>', $updatedAt: 't0' })

const textsOf = async (owner: DraftOwner) =>
  (await drafts.find(owner)).map(({ content }) => content)

/** A form in which this was typed. */
function formWith(html: string, given: Parameters<typeof playForm>[0] = {}) {
  const played = playForm(given)
  played.write(html)
  played.form.draft.write()
  return { ...played, own: played.form.draft }
}

describe('what is typed is kept on the device', () => {
  test('with the version it goes back to, for its writer and its post alone', async () => {
    formWith('<p>a</p>', { opened })
    await expect.poll(() => textsOf(OF_POST)).toEqual(['<p>a</p>'])
    expect(await drafts.find(OF_POST)).toMatchObject([{ title: 'Night', basedOn: 't0' }])
    expect([await textsOf(NEW), await textsOf({ ...OF_POST, userId: 'bob' })]).toEqual([[], []])
  })

  test.each(['', '<p><br></p>', '<p>&nbsp;</p>'])(
    'but not when it is nothing: %j',
    async (html) => {
      const { own } = formWith('<p>a</p>')
      await expect.poll(() => textsOf(NEW)).toEqual(['<p>a</p>'])
      own.isChanged = true
      own.needs.read = () => ({ ...VALUES, title: ' ', content: html, image: undefined })
      own.write()
      await expect.poll(() => textsOf(NEW)).toEqual([])
    },
  )

  test('at once, but after a second at most where writing is slow', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { own } = formWith('<p>a</p>')
    const isWrittenAfter = (ms: number, costMs: number) => {
      own.costMs = costMs
      own.scheduleWrite()
      vi.advanceTimersByTime(ms)
      return !own.isChanged
    }
    expect(isWrittenAfter(0, 0)).toBe(true)
    expect(isWrittenAfter(999, 10_000)).toBe(false)
    expect(isWrittenAfter(1, 10_000)).toBe(true)
  })

  test('again when another window deletes it, and not once it is saved', async () => {
    const { own } = formWith('<p>a</p>')
    await expect.poll(() => textsOf(NEW)).toEqual(['<p>a</p>'])
    await drafts.deleteAll({ userId: 'alice', postId: '' })
    own.keepAgain('nothing/of/it')
    expect(await textsOf(NEW)).toEqual([])
    own.keepAgain('')
    await expect.poll(() => textsOf(NEW)).toEqual(['<p>a</p>'])
    await own.deleteSaved()
    own.keepAgain('')
    expect(await textsOf(NEW)).toEqual([])
  })
})

describe('other drafts', () => {
  test('are offered; one that says what the post says is deleted without a question', async () => {
    formWith('<p>other</p>', { opened })
    formWith('<p  class="x">old</p>', { opened })
    await expect.poll(async () => (await textsOf(OF_POST)).length).toBe(2)
    const { form } = playForm({ opened })
    const found = await form.draft.findOthers()
    expect(found.map(({ content }) => content)).toEqual(['<p>other</p>'])
    await expect.poll(() => textsOf(OF_POST)).toEqual(['<p>other</p>'])
  })

  test('restored, one goes on under an id of its own, and what was in the form is another', async () => {
    formWith('<p>first</p>')
    await expect.poll(() => textsOf(NEW)).toEqual(['<p>first</p>'])
    const [other] = await drafts.find(NEW)
    const { own, shown } = formWith('<p>second</p>')
    if (other) own.restore(other)
    expect(own.id).not.toBe(other?.id)
    expect(shown.others.map(({ content }) => content)).toEqual(['<p>second</p>'])
    await expect
      .poll(() => textsOf(NEW).then((all) => all.toSorted()))
      .toEqual(['<p>first</p>', '<p>second</p>'])
  })

  test('set aside, a text is kept beside what is typed from then on', async () => {
    const { form, own, write } = formWith('<p>first</p>')
    own.stash()
    write('<p>second</p>')
    form.draft.write()
    await expect
      .poll(() => textsOf(NEW).then((all) => all.toSorted()))
      .toEqual(['<p>first</p>', '<p>second</p>'])
  })

  test('discarded, one is gone', async () => {
    const { own } = formWith('<p>first</p>')
    await expect.poll(() => textsOf(NEW)).toEqual(['<p>first</p>'])
    const [other] = await drafts.find(NEW)
    if (other) own.discardOther(other)
    await expect.poll(() => textsOf(NEW)).toEqual([])
  })
})

test('once a new text is stored, its draft is one of that post', async () => {
  const { own } = formWith('<p>a</p>')
  await expect.poll(() => textsOf(NEW)).toEqual(['<p>a</p>'])
  own.attachToPost(SLUG)
  await expect
    .poll(async () => [await textsOf(NEW), await textsOf(OF_POST)])
    .toEqual([[], ['<p>a</p>']])
})

test('when its post was deleted, a draft is one of a new post, without the slug and the version', async () => {
  const { own } = formWith('<p>a</p>', { opened })
  await own.detachFromPost()
  expect(await textsOf(OF_POST)).toEqual([])
  const [kept] = await drafts.find(NEW)
  expect(kept).toMatchObject({ content: '<p>a</p>', slug: '' })
  expect(kept?.basedOn).toBe(undefined)
})
