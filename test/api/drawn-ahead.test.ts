// After an upload, previews for cards and pages are rendered before anybody requests them.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'

const WAIT = { timeout: 30_000 }
const isWhole = (name: string) => !name.endsWith('.part')

test('the first visitor gets the previews of an uploaded image from the cache', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' }, { pregeneratesPreviews: true })
  const alice = await blog.makePerson('alice')
  const { $id } = (await upload(blog, alice, await drawPhoto('png'))).body
  const path = `${CONTENT}/${$id}/preview?project=blog&output=webp`
  const cacheStateOf = async (query: string) => {
    const headers = { accept: 'image/webp' }
    const answer = await blog.call('GET', `${path}&${query}`, { headers })
    return answer.headers.get('x-appwrite-cache')
  }
  const listPreviews = () => readdir(join(blog.dataDir, 'previews')).catch(() => [])
  const SIZES = 11
  await expect.poll(async () => (await listPreviews()).filter(isWhole).length, WAIT).toBe(SIZES)
  for (const query of ['width=384&height=216&quality=80', 'width=828&height=466&quality=68'])
    expect(await cacheStateOf(query)).toBe('hit')
})
