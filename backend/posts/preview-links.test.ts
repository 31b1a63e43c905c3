// How often a preview link was opened, and the sweep of links that have ended.
import { expect, test } from 'vitest'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase, type TestDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { GUEST } from '../http/viewer.ts'
import { createLink, readLink, readPreview, sweepPreviewLinks } from './preview-links.ts'

const alice = viewerOf('alice')
const DAY_MS = 24 * 60 * 60 * 1000

describeEachDatabase('preview links', (open) => {
  async function prepare(opened: TestDatabase) {
    let passedMs = 0
    const now = () => new Date(Date.now() + passedMs)
    const context = makeTestContext(opened.db, { now })
    await addPeople(opened.db, ['alice', 'bob'])
    await makeTestPosts(opened.db).write(alice, 'draft', { status: 'inactive' })
    const { secret } = await createLink(context, alice, 'draft')
    const passTime = (ms: number) => {
      passedMs += ms
    }
    return { context, secret, passTime }
  }

  test('tell how often others opened them', async () => {
    await using opened = await open()
    const { context, secret } = await prepare(opened)
    expect(await readLink(context, alice, 'draft')).toMatchObject({ opens: 0, lastOpenedAt: '' })
    await readPreview(context, GUEST, secret, { isCounted: true })
    await readPreview(context, viewerOf('bob'), secret, { isCounted: true })
    await context.background.drained()
    const link = await readLink(context, alice, 'draft')
    expect(link?.opens).toBe(2)
    expect(link?.lastOpenedAt).not.toBe('')
  })

  test('do not count their author, nor an open page that looks for a newer state', async () => {
    await using opened = await open()
    const { context, secret } = await prepare(opened)
    await readPreview(context, alice, secret, { isCounted: true })
    await readPreview(context, GUEST, secret, { isCounted: false })
    await context.background.drained()
    expect(await readLink(context, alice, 'draft')).toMatchObject({ opens: 0 })
  })

  test('leave the database once they have expired', async () => {
    await using opened = await open()
    const { db } = opened
    const { context, passTime } = await prepare(opened)
    passTime(13 * DAY_MS)
    await sweepPreviewLinks(context)
    expect(await db.selectFrom('previewLink').selectAll().execute()).toHaveLength(1)
    passTime(2 * DAY_MS)
    await sweepPreviewLinks(context)
    expect(await db.selectFrom('previewLink').selectAll().execute()).toEqual([])
  })
})
