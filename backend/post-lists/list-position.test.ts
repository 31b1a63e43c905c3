// The position of a page in its list, on both databases.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf, writeSixPosts } from '#test/support/posts.ts'
import { GUEST } from '../http/viewer.ts'

const alice = viewerOf('alice')

describeEachDatabase('pages of lists', (open) => {
  test('a page has the number of posts before it, including those of the same time', async () => {
    await using opened = await open()
    const posts = await writeSixPosts(opened.db)
    const order = ['orderDesc("$createdAt")']
    const { documents } = await posts.list(alice, order, { hasTotal: false })
    const active = documents.filter(({ status }) => status === 'active')
    for (const [at, { $id }] of active.entries()) {
      const queries = [...order, 'equal("status", ["active"])', `cursorAfter("${$id}")`]
      const page = await posts.list(GUEST, queries, { hasTotal: true, hasBefore: true })
      expect(page).toMatchObject({ before: at + 1, total: 5 })
    }
    expect(await posts.list(GUEST, order, { hasTotal: true, hasBefore: true })).toMatchObject({
      before: 0,
    })
    const unknown = posts.list(GUEST, ['cursorAfter("d")'], { hasTotal: true, hasBefore: true })
    await expect(unknown).rejects.toMatchObject({ type: 'general_cursor_not_found' })
  })
})
