// What image work of others costs a reader of a running server: large drawings and uploads do not
// hold up ordinary ones.
// @module-tag more
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawCameraPhoto } from '#test/support/images.ts'

const preview = (blog: TestBlog, id: string, query: string, cookie?: string) =>
  blog.call('GET', `${CONTENT}/${id}/preview?${query}`, cookie ? { cookie } : {})

async function makeFile(blog: TestBlog, bytes: Buffer, name = 'photo.png') {
  const alice = await blog.makePerson('alice')
  const { status, body } = await upload(blog, alice, bytes, { name, permissions: ['read("any")'] })
  expect(status).toBe(201)
  return { alice, id: String(body.$id) }
}

/** Interlaced: in memory as a whole, and slow to decode. */
async function drawHeavy(): Promise<Buffer> {
  const background = { r: 10, g: 20, b: 30 }
  return await sharp({ create: { width: 6000, height: 6000, channels: 3, background } })
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer()
}

describe('ordinary previews', () => {
  test('are drawn while large ones and heavy uploads of the same address wait for each other', async () => {
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
    expect(running).toBeGreaterThan(0)
    await Promise.all(attacks)
    // Whoever waits for too long is told to come back.
    for (const status of statuses) expect([200, 201, 503]).toContain(status)
    expect(statuses).toContain(200)
  })
})
