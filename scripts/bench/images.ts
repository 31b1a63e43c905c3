// Images under load: previews that are not kept yet and kept ones, beside a bare node:http server
// that answers with a file of the same size; then what a server holds while fifty photos are sent
// and two hundred previews are asked for at once.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { SERVE_ARGS, startServing, stopProcess } from '../processes.ts'
import { type Load, measure, residentMb } from './load.ts'

const FILES = '/v1/storage/buckets/content/files'
const FILE_SERVER = `const { readFile } = require('node:fs')
require('node:http').createServer((_, answer) => readFile(process.env.BENCH_FILE, (error, bytes) => {
  answer.writeHead(error ? 500 : 200, { 'content-type': 'image/webp', 'content-length': bytes?.length ?? 0 }); answer.end(bytes)
})).listen(Number(process.env.PORT), '127.0.0.1')`
const PROJECT = { 'x-appwrite-project': 'blog', accept: 'image/webp,*/*' }
const COLD_PREVIEWS = 24
const UPLOADS = 50
const PREVIEWS = 200
const PHOTO = { width: 3600, height: 2700, quality: 85 }
const SAMPLE_MS = 50
const PASSWORD = 'measured by lamplight'

export type ImageFigures = {
  /** Previews a second, none of them kept yet, from a photo of 10 megapixels. */
  coldPerSecond: number
  cached: Load
  file: Load
  previewBytes: number
  /** With 50 uploads and 200 previews at once. */
  peakMb: number | undefined
  /** Requests of those that were asked to come again later. */
  busy: number
  photoBytes: number
}

export async function benchImages(
  env: NodeJS.ProcessEnv,
  { seconds, folder }: { seconds: number; folder: string },
): Promise<ImageFigures> {
  const photo = await drawPhoto()
  const blog = await startServing('blog', SERVE_ARGS, env)
  const cookie = await signUp(blog.url)
  const fileId = await upload(blog.url, cookie, photo)
  const preview = (width: number): string =>
    `${blog.url}${FILES}/${fileId}/preview?width=${width}&height=${Math.round(width * 0.5625)}&quality=80&output=webp`

  const startedMs = performance.now()
  await Promise.all(Array.from({ length: COLD_PREVIEWS }, (_, at) => read(preview(640 + at))))
  const coldPerSecond = (COLD_PREVIEWS * 1000) / (performance.now() - startedMs)
  const bytes = await read(preview(828))
  const cached = await measure(preview(828), seconds)
  await stopProcess(blog.child)

  const path = join(folder, 'same-size')
  await writeFile(path, bytes)
  const bare = await startServing('file', ['-e', FILE_SERVER], { ...env, BENCH_FILE: path })
  const file = await measure(`${bare.url}/`, seconds)
  await stopProcess(bare.child)
  return {
    coldPerSecond,
    cached,
    file,
    previewBytes: bytes.length,
    photoBytes: photo.length,
    ...(await measureCrowd(env, photo)),
  }
}

async function measureCrowd(
  env: NodeJS.ProcessEnv,
  photo: Buffer,
): Promise<{ peakMb: number | undefined; busy: number }> {
  const { url, child } = await startServing('blog', SERVE_ARGS, env)
  const cookie = await signUp(url)
  const fileId = await upload(url, cookie, photo)
  let peakMb: number | undefined
  const sampling = setInterval(() => {
    void residentMb(child).then((now) => {
      if (now !== undefined) peakMb = Math.max(peakMb ?? 0, now)
    })
  }, SAMPLE_MS)
  const uploads = Array.from({ length: UPLOADS }, () => send(url, cookie, photo))
  const previews = Array.from({ length: PREVIEWS }, (_, at) =>
    fetch(`${url}${FILES}/${fileId}/preview?width=${900 + at}&quality=80&output=webp`, {
      headers: PROJECT,
    }),
  )
  const statuses = await Promise.all(
    [...uploads, ...previews].map(async (asked) => {
      const answer = await asked
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  clearInterval(sampling)
  await stopProcess(child)
  const wrong = statuses.filter((status) => ![200, 201, 503].includes(status))
  if (wrong.length > 0)
    throw new Error(
      `Uploads and previews at once were answered with ${[...new Set(wrong)].join(', ')}`,
    )
  return { peakMb, busy: statuses.filter((status) => status === 503).length }
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

async function signUp(url: string): Promise<string> {
  const headers = { ...PROJECT, 'content-type': 'application/json' }
  const email = `bench.${Date.now()}@example.test`
  const post = (path: string, body: object) =>
    fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('/account', { userId: 'unique()', email, password: PASSWORD, name: 'Bench' })
  const session = await post('/account/sessions/email', { email, password: PASSWORD })
  if (session.status !== 201) throw new Error(`Signing in was answered with ${session.status}`)
  return session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

async function send(url: string, cookie: string, bytes: Buffer): Promise<Response> {
  const body = new FormData()
  body.append('fileId', 'unique()')
  body.append('file', new File([new Uint8Array(bytes)], 'photo.jpg'))
  return await fetch(`${url}${FILES}`, { method: 'POST', headers: { ...PROJECT, cookie }, body })
}

async function upload(url: string, cookie: string, bytes: Buffer): Promise<string> {
  const answer = await send(url, cookie, bytes)
  const { $id, message } = (await answer.json()) as { $id: string; message?: string }
  if (answer.status !== 201) throw new Error(`The photo was refused: ${message}`)
  return $id
}

async function read(address: string): Promise<Buffer> {
  const answer = await fetch(address, { headers: PROJECT })
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
