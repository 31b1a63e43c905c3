// The budget of image work on a running server, with numbers that are small enough to use it up.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IMAGE_BUDGET } from '#backend/files/image-budget.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { CONTENT, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'

const kept = { ...IMAGE_BUDGET }
beforeAll(() => {
  Object.assign(IMAGE_BUDGET, { largePreview: [100_000_000, 1_000_000], upload: [100_000, 1000] })
})
afterAll(() => void Object.assign(IMAGE_BUDGET, kept))

const preview = (blog: TestBlog, id: string, query: string, cookie?: string) =>
  blog.call('GET', `${CONTENT}/${id}/preview?${query}`, cookie ? { cookie } : {})

async function makeFile(blog: TestBlog, bytes: Buffer) {
  const alice = await blog.makePerson('alice')
  const { status, body } = await upload(blog, alice, bytes, { permissions: ['read("any")'] })
  expect(status).toBe(201)
  return { alice, id: String(body.$id) }
}

describe('the budget', () => {
  test('refuses large drawings when it is used up; kept and ordinary previews go on, also for a person of the same address', async () => {
    await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
    const { alice, id } = await makeFile(blog, await drawPhoto('png', { width: 4, height: 4 }))
    const large = 'width=3700&height=3700&output=jpg'
    expect((await preview(blog, id, large)).status).toBe(200)
    const kept = await readdir(join(blog.dataDir, 'previews'))
    for (const cookie of [undefined, alice.cookie]) {
      const refused = await preview(blog, id, `${large}&gravity=top`, cookie)
      expect(refused).toMatchObject(refusal(429, 'general_rate_limit_exceeded'))
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await readdir(join(blog.dataDir, 'previews'))).toEqual(kept)
    expect((await preview(blog, id, large)).headers.get('x-appwrite-cache')).toBe('hit')
    expect((await preview(blog, id, 'width=300&height=200')).status).toBe(200)
    expect((await blog.call('GET', '/avatars/initials?name=Ann&width=90')).status).toBe(200)
    const byKey = { 'x-appwrite-key': blog.apiKey }
    expect(
      (await blog.call('GET', `${CONTENT}/${id}/preview?${large}&gravity=left`, { headers: byKey }))
        .status,
    ).toBe(200)
    blog.passTime(5 * 60_000)
    expect((await preview(blog, id, `${large}&gravity=top`)).status).toBe(200)
  })

  test('refuses uploads when it is used up, before they are decoded, and leaves nothing of them', async () => {
    await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
    const photo = await drawPhoto('png', { width: 200, height: 200 })
    const { alice } = await makeFile(blog, photo)
    const refused = await upload(blog, alice, photo)
    expect(refused).toMatchObject(refusal(429, 'general_rate_limit_exceeded'))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual([])
    expect(await readdir(join(blog.dataDir, 'files'))).toHaveLength(1)
    blog.passTime(100_000)
    expect((await upload(blog, alice, photo)).status).toBe(201)
  })

  test('is nobody’s where rate limits are off', async () => {
    await using blog = await makeTestBlog()
    const { id } = await makeFile(blog, await drawPhoto('png', { width: 4, height: 4 }))
    for (const gravity of ['top', 'left'])
      expect(
        (await preview(blog, id, `width=3700&height=3700&output=jpg&gravity=${gravity}`)).status,
      ).toBe(200)
  })
})
