// What a camera photo costs a reader on a phone: the images that the page requests, over HTTP and
// with the headers of a browser.
// @module-tag more
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { drawCameraPhoto } from '#test/support/images.ts'
import { makeApi } from '#web/api/client.ts'
import { featuredImageSources } from '#web/files/files-api.ts'

const PHONE_MAX_BYTES = 120_000
/** The widest candidate that a browser takes for a phone of 440 points at three pixels each. */
const PHONE_WIDTH_MAX = 440 * 3

test('a camera photo of 6 MB as the featured image costs a phone between 1 and 120 kB', async () => {
  await using blog = await makeTestBlog()
  const { cookie } = await blog.makePerson('alice')
  const photo = await drawCameraPhoto()
  expect(photo.length).toBeGreaterThan(6_000_000)
  const fileId = await sendInChunks(photo)
  const settings = { projectId: 'blog', contentBucketId: 'content' }
  const { image } = featuredImageSources(
    makeApi(settings as Parameters<typeof makeApi>[0], { origin: blog.url }),
    'content',
    fileId,
  )
  const candidates = image.srcSet.split(', ').map((candidate) => candidate.split(' '))
  const forPhones = candidates.filter(
    ([, width]) => Number.parseInt(width ?? '', 10) <= PHONE_WIDTH_MAX,
  )
  expect(forPhones.map(([, width]) => width)).toEqual(['414w', '640w', '828w', '1080w', '1320w'])
  for (const [path = '', width] of [...forPhones, [image.src, '640w']]) {
    const answer = await blog.call('GET', path.replace(/^\/v1/, ''), {
      headers: { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' },
    })
    expect(
      {
        status: answer.status,
        type: answer.headers.get('content-type'),
        vary: answer.headers.get('vary'),
      },
      width,
    ).toEqual({
      status: 200,
      type: 'image/webp',
      vary: 'Origin, Accept',
    })
    expect(answer.bytes.length, width).toBeLessThan(PHONE_MAX_BYTES)
    expect(answer.bytes.length, width).toBeGreaterThan(1000)
  }

  async function sendInChunks(bytes: Buffer): Promise<string> {
    const chunk = 5 * 1024 * 1024
    for (let at = 0; at < bytes.length; at += chunk) {
      const body = new FormData()
      body.append('fileId', 'camera')
      body.append(
        'file',
        new File([new Uint8Array(bytes.subarray(at, at + chunk))], 'IMG_0001.jpg'),
      )
      const headers = {
        'content-range': `bytes ${at}-${Math.min(at + chunk, bytes.length) - 1}/${bytes.length}`,
      }
      expect(
        (await blog.call('POST', '/storage/buckets/content/files', { cookie, body, headers }))
          .status,
      ).toBe(201)
    }
    return 'camera'
  }
})
