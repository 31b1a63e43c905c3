// The blog that is attacked: two thousand posts, one of them as long as allowed, and a large image.
import sharp from 'sharp'

export const CONTENT_FILES = '/v1/storage/buckets/content/files'
export const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
const POSTS = 2000
const AT_ONCE = 20
const LONG_POST_CHARACTERS = 950_000
const LARGE_SIDE_PX = 4000
const WIDE_SIDE_PX = 7000
const UPLOADERS = 8
const PASSWORD = 'a lamp in the hostile window'

export type Targets = {
  url: string
  pageUrl: string
  longPageUrl: string
  feedUrl: string
  /** `{width}` stands for the width. */
  smallPreviewUrl: string
  /** The preview of an image of 16 megapixels, with this question. */
  largePreviewUrl(question: string): string
  readerHeaders: Record<string, string>
  /** Headers of signed-in people, each at an address of their own. */
  uploaders: Record<string, string>[]
  /** An interlaced image of 49 megapixels, small as a file and slow to decode. */
  wideImage: Uint8Array<ArrayBuffer>
}

/** The headers of a call that comes from this address. */
export function headersFrom(address: string): Record<string, string> {
  return { 'x-appwrite-project': 'blog', 'x-forwarded-for': address }
}

/** An address of the network that is kept for documentation (RFC 2544: 198.18.0.0/15). */
export function addressOf(index: number): string {
  return `198.18.${Math.floor(index / 200)}.${(index % 200) + 1}`
}

export async function fillBlog(url: string, apiKey: string): Promise<Targets> {
  const readerHeaders = await signUp(url, '203.0.113.1')
  const uploaders = await Promise.all(
    Array.from({ length: UPLOADERS }, (_, at) => signUp(url, addressOf(100 + at))),
  )
  const key = { 'x-appwrite-project': 'blog', 'x-appwrite-key': apiKey }
  const small = await upload(url, key, await drawNoise(1200, 800))
  const large = await upload(url, key, await drawNoise(LARGE_SIDE_PX, LARGE_SIDE_PX))
  const account = await fetch(`${url}/v1/account`, { headers: readerHeaders })
  const { $id: userid } = (await account.json()) as { $id: string }
  const sentence = '<p>A lamp in the window keeps the night company, and the night keeps it.</p>'
  const post = async (documentId: string, content: string) => {
    const data = {
      title: `Post ${documentId}`,
      content,
      featuredImage: small,
      status: 'active',
      userid,
    }
    const answer = await fetch(url + DOCUMENTS, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ documentId, data }),
    })
    if (answer.status !== 201) throw new Error(`A post was refused: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  for (let first = 0; first < POSTS; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => post(`post-${first + at}`, sentence.repeat(20))),
    )
  await post('long', sentence.repeat(LONG_POST_CHARACTERS / sentence.length))
  const question = new URLSearchParams({
    'queries[0]': 'equal("status", ["active"])',
    'queries[1]': 'orderDesc("$createdAt")',
    'queries[2]': 'limit(12)',
  })
  return {
    url,
    pageUrl: `${url}/post/post-7`,
    longPageUrl: `${url}/post/long`,
    feedUrl: `${url}${DOCUMENTS}?${question}`,
    smallPreviewUrl: `${url}${CONTENT_FILES}/${small}/preview?width={width}&height=200&output=webp`,
    largePreviewUrl: (asked) => `${url}${CONTENT_FILES}/${large}/preview?${asked}`,
    readerHeaders,
    uploaders,
    wideImage: new Uint8Array(await drawWide()),
  }
}

async function signUp(url: string, address: string): Promise<Record<string, string>> {
  const headers = { ...headersFrom(address), 'content-type': 'application/json' }
  const email = `${address}@example.test`
  const send = (path: string, body: object) =>
    fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await send('/account', { userId: 'unique()', email, password: PASSWORD, name: 'Hostile' })
  const session = await send('/account/sessions/email', { email, password: PASSWORD })
  if (session.status !== 201) throw new Error(`Signing in was answered with ${session.status}`)
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return { ...headersFrom(address), cookie }
}

async function upload(
  url: string,
  headers: Record<string, string>,
  bytes: Buffer,
): Promise<string> {
  const body = new FormData()
  body.append('fileId', 'unique()')
  body.append('file', new File([new Uint8Array(bytes)], 'image.jpg'))
  const answer = await fetch(url + CONTENT_FILES, { method: 'POST', headers, body })
  const { $id, message } = (await answer.json()) as { $id: string; message?: string }
  if (answer.status !== 201) throw new Error(`The image was refused: ${message}`)
  return $id
}

async function drawNoise(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .blur(3)
    .jpeg({ quality: 80 })
    .toBuffer()
}

async function drawWide(): Promise<Buffer> {
  const [width, height] = [WIDE_SIDE_PX, WIDE_SIDE_PX]
  return await sharp({ create: { width, height, channels: 3, background: '#345' } })
    .png({ progressive: true })
    .toBuffer()
}
