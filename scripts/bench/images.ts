// Images under load: previews that are not kept yet, what a server holds while fifty photos are
// sent and two hundred previews are asked for at once, and whether readers of a list whose pictures
// are all new get every one.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Place } from './big-blog.ts'
import { PROJECT, signUp, startBlog, upload } from './blog.ts'
import { memoryMb } from './load.ts'

const FILES = '/v1/storage/buckets/content/files'
const ASKING = { headers: { ...PROJECT, accept: 'image/webp,*/*' } }
const COLD_PREVIEWS = 24
const UPLOADS = 50
const PREVIEWS = 200
const PHOTO = { width: 3600, height: 2700, quality: 85 }
const SAMPLE_MS = 50
const CARDS = 12
const VISITORS = 6
/** As the cards of a list ask for them on a wide screen. */
const CARD_SIZE = 'width=640&height=360'

export type ImageFigures = {
  photoBytes: number
  /** Previews a second, none of them kept yet, from a photo of 10 megapixels. */
  coldPerSecond: number
  /** With 50 uploads and 200 previews at once. */
  peakMb: number | undefined
  /** Requests of those that were asked to come again later. */
  busy: number
  /** Pictures of 12 new cards that 6 visitors ask for at once, of 72. */
  lost: number
}

export async function benchImages(place: Place): Promise<ImageFigures> {
  const photo = { name: 'photo.jpg', bytes: await drawPhoto() }
  return {
    photoBytes: photo.bytes.length,
    coldPerSecond: await measureCold(place, photo),
    ...(await measureCrowd(place, photo)),
    lost: await countLost(place, photo),
  }
}

type Photo = { name: string; bytes: Buffer }

async function measureCold(place: Place, photo: Photo): Promise<number> {
  await using blog = await startBlog(place)
  const fileId = await upload(blog.url, await signUp(blog.url), photo)
  const startedMs = performance.now()
  const asked = Array.from({ length: COLD_PREVIEWS }, (_, at) =>
    preview(blog.url, fileId, `width=${640 + at}&height=${Math.round((640 + at) * 0.5625)}`),
  )
  const statuses = await Promise.all(asked)
  if (statuses.some((status) => status !== 200))
    throw new Error(`Previews were answered with ${[...new Set(statuses)].join(', ')}`)
  return (COLD_PREVIEWS * 1000) / (performance.now() - startedMs)
}

async function preview(url: string, fileId: string, size: string): Promise<number> {
  const address = `${url}${FILES}/${fileId}/preview?${size}&quality=80&output=webp`
  const answer = await fetch(address, ASKING)
  await answer.arrayBuffer()
  return answer.status
}

async function measureCrowd(
  place: Place,
  photo: Photo,
): Promise<{ peakMb: number | undefined; busy: number }> {
  await using blog = await startBlog(place)
  const { url, child } = blog
  const person = await signUp(url)
  const fileId = await upload(url, person, photo)
  let peakMb: number | undefined
  const sampling = setInterval(() => {
    void memoryMb(child).then((now) => {
      if (now !== undefined) peakMb = Math.max(peakMb ?? 0, now)
    })
  }, SAMPLE_MS)
  const uploads = Array.from({ length: UPLOADS }, () => sendPhoto(url, person.cookie, photo))
  const previews = Array.from({ length: PREVIEWS }, (_, at) =>
    preview(url, fileId, `width=${900 + at}`),
  )
  const statuses = await Promise.all([...uploads, ...previews])
  clearInterval(sampling)
  const wrong = statuses.filter((status) => ![200, 201, 503].includes(status))
  if (wrong.length > 0)
    throw new Error(
      `Uploads and previews at once were answered with ${[...new Set(wrong)].join(', ')}`,
    )
  return { peakMb, busy: statuses.filter((status) => status === 503).length }
}

async function sendPhoto(url: string, cookie: string, { name, bytes }: Photo): Promise<number> {
  const body = new FormData()
  body.append('fileId', 'unique()')
  body.append('file', new File([new Uint8Array(bytes)], name))
  const answer = await fetch(url + FILES, { method: 'POST', headers: { ...PROJECT, cookie }, body })
  await answer.arrayBuffer()
  return answer.status
}

async function countLost(place: Place, photo: Photo): Promise<number> {
  const fileIds: string[] = []
  {
    await using blog = await startBlog(place)
    const person = await signUp(blog.url)
    for (let at = 0; at < CARDS; at++) fileIds.push(await upload(blog.url, person, photo))
  }
  await rm(join(place.dataDir, 'previews'), { recursive: true, force: true })
  await using blog = await startBlog(place)
  const asked = Array.from({ length: VISITORS }, () =>
    fileIds.map((fileId) => preview(blog.url, fileId, CARD_SIZE)),
  )
  const statuses = await Promise.all(asked.flat())
  return statuses.filter((status) => status !== 200).length
}

async function drawPhoto(): Promise<Buffer> {
  const { width, height, quality } = PHOTO
  return await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 120 },
    },
  })
    .blur(4)
    .jpeg({ quality })
    .toBuffer()
}
