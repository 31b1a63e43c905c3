// Effects of heavy image work on other users of a running server: heavy previews and uploads, each
// with a bounded wait, run at the same time as ordinary ones.
// @module-tag more
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { IMAGE_QUEUE_SHARE } from '#backend/files/image-process.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawCameraPhoto, drawPhoto } from '#test/support/images.ts'

const preview = (blog: TestBlog, id: string, query: string, cookie?: string) =>
  blog.call('GET', `${CONTENT}/${id}/preview?${query}`, cookie ? { cookie } : {})

async function makeFile(blog: TestBlog, bytes: Buffer, name = 'photo.png') {
  const alice = await blog.makePerson('alice')
  const { status, body } = await upload(blog, alice, bytes, { name, permissions: ['read("any")'] })
  expect(status).toBe(201)
  return { alice, id: String(body.$id) }
}

/** An interlaced image, which is decoded slowly and as a whole in memory. */
async function drawHeavy(): Promise<Buffer> {
  const background = { r: 10, g: 20, b: 30 }
  return await sharp({ create: { width: 6000, height: 6000, channels: 3, background } })
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer()
}

describe('ordinary previews and uploads', () => {
  test('are served while large ones and heavy uploads from the same address wait for each other', async () => {
    await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
    const { alice, id } = await makeFile(
      blog,
      await drawCameraPhoto({ width: 2400, height: 1800 }),
      'photo.jpg',
    )
    const heavy = await drawHeavy()
    let running = 0
    const statuses: number[] = []
    const attack = async (call: Promise<{ status: number }>) => {
      running++
      const { status } = await call
      running--
      statuses.push(status)
    }
    const attacks = Array.from({ length: 6 }, (_, at) =>
      attack(preview(blog, id, `width=4000&height=4000&output=jpg&quality=${at + 1}`)),
    ).concat(
      Array.from({ length: 4 }, (_, at) =>
        attack(upload(blog, alice, heavy, { id: `heavy-${at}` })),
      ),
    )
    for (let at = 0; at < 10; at++)
      expect((await preview(blog, id, `width=${300 + at}&height=200`)).status).toBe(200)
    expect((await upload(blog, alice, await drawPhoto('png'), { id: 'small' })).status).toBe(201)
    expect(running).toBeGreaterThan(0)
    await Promise.all(attacks)
    // A request that waits too long is answered 503.
    for (const status of statuses) expect([200, 201, 503]).toContain(status)
    expect(statuses).toContain(200)
  })

  test('are refused to an address that takes more than its share, and served to another one', async () => {
    await using blog = await makeTestBlog({
      BLOG_RATE_LIMITS: 'on',
      BLOG_TRUSTED_PROXIES: 'loopback',
    })
    const { id } = await makeFile(blog, await drawPhoto('png'))
    const requestPreview = (address: string, query: string, signal?: AbortSignal) =>
      fetch(`${blog.url}/v1${CONTENT}/${id}/preview?project=blog&${query}`, {
        headers: { 'x-forwarded-for': address },
        ...(signal ? { signal } : {}),
      })
    const leaving = new AbortController()
    // Each preview is heavy, so that the queue stays full.
    const requests = Array.from({ length: IMAGE_QUEUE_SHARE + 5 }, (_, at) =>
      requestPreview(
        '203.0.113.1',
        `width=3900&height=3900&quality=${at % 100}&gravity=${at < 100 ? 'top' : 'left'}&output=webp`,
        leaving.signal,
      ),
    )
    const refused = await Promise.any(
      requests.map(async (answering) => {
        const answer = await answering
        if (answer.status !== 429) throw new Error(`It was answered ${answer.status}`)
        return { answer, body: await answer.json() }
      }),
    )
    expect(refused.body).toMatchObject({ type: 'general_rate_limit_exceeded', code: 429 })
    expect(Number(refused.answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await requestPreview('203.0.113.2', 'width=90')).status).toBe(200)
    leaving.abort()
    await Promise.allSettled(requests)
    // Cancelled requests have left the queue.
    expect((await requestPreview('203.0.113.1', 'width=91')).status).toBe(200)
  })
})
