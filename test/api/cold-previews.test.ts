// Several visitors at once open the first page of a feed with previews that nobody has requested.
// @module-tag more
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { FEED_PAGE_POSTS } from '#web/posts/posts-api.ts'

const VISITORS = 6

test('six visitors at once get all previews of an uncached feed, in the same size or in different ones', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  const alice = await blog.makePerson('alice')
  const ids: string[] = []
  for (let hue = 0; hue < FEED_PAGE_POSTS; hue++)
    ids.push((await upload(blog, alice, await drawPhoto('png', { hue: hue * 20 }))).body.$id)
  const requestAll = (widthOf: (visitor: number) => number) =>
    Promise.all(
      Array.from({ length: VISITORS }, (_, visitor) => widthOf(visitor)).flatMap((width) =>
        ids.map((id) =>
          blog.call(
            'GET',
            `${CONTENT}/${id}/preview?width=${width}&height=90&output=webp&project=blog`,
          ),
        ),
      ),
    )
  const sameSize = await requestAll(() => 160)
  const ownSize = await requestAll((visitor) => 161 + visitor)
  const statuses = [...sameSize, ...ownSize].map(({ status }) => status)
  expect(statuses).toEqual(Array(2 * VISITORS * FEED_PAGE_POSTS).fill(200))
  // All visitors got the same bytes of each preview.
  expect(new Set(sameSize.map(({ bytes }) => bytes.toString('base64'))).size).toBe(FEED_PAGE_POSTS)
})
