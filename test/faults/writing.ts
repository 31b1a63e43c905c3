// Writers that upload images and publish posts continuously, and the check for lost acknowledged
// writes.
import { setTimeout as delay } from 'node:timers/promises'
import { drawPhoto } from '#test/support/images.ts'

const PROJECT = { 'x-appwrite-project': 'blog' }
export const POSTS = '/v1/databases/blogdb/collections/posts/documents'
const FILES = '/v1/storage/buckets/content/files'
/** A call that takes longer has hung. */
const CALL_LIMIT_MS = 60_000
const READERS = 8

/** A session token. The name of the cookie contains the port, which changes with a restart. */
export type Person = { session: string }

type Call = { method?: string; session?: string; body?: unknown; limitMs?: number }
type Answer = { status: number; bytes: Buffer; headers: Headers; tookMs: number }

/** `status` is 0 when no answer came. */
export async function call(
  url: string,
  path: string,
  { method = 'GET', session, body, limitMs = CALL_LIMIT_MS }: Call = {},
): Promise<Answer> {
  const startedMs = performance.now()
  const isForm = body instanceof FormData
  try {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...PROJECT,
        ...(session ? { 'x-appwrite-session': session } : {}),
        ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const tookMs = performance.now() - startedMs
    return { status: answer.status, bytes, headers: answer.headers, tookMs }
  } catch {
    const tookMs = performance.now() - startedMs
    return { status: 0, bytes: Buffer.alloc(0), headers: new Headers(), tookMs }
  }
}

/** @throws Error when the server refuses */
export async function signUp(url: string, name: string): Promise<Person> {
  const login = { email: `${name}@example.test`, password: `${name} likes lamps` }
  await call(url, '/v1/account', { method: 'POST', body: { userId: name, name, ...login } })
  const session = await call(url, '/v1/account/sessions/email', { method: 'POST', body: login })
  if (session.status !== 201) throw new Error(`${name} could not sign in: ${session.bytes}`)
  const [cookie = ''] = session.headers.getSetCookie()
  return { session: decodeURIComponent(/^[^=]+=([^;]+)/.exec(cookie)?.[1] ?? '') }
}

/** Uploads one image. @throws Error when the server refuses */
export async function uploadImage(url: string, person: Person, id: string): Promise<void> {
  const { status } = await call(url, FILES, { method: 'POST', ...person, body: await formOf(id) })
  if (status !== 201) throw new Error(`The upload was answered ${status}`)
}

async function formOf(id: string): Promise<FormData> {
  photo ??= drawPhoto('png', { width: 24, height: 24 })
  const form = new FormData()
  form.append('fileId', id)
  form.append('file', new File([new Uint8Array(await photo)], 'photo.png'))
  return form
}
let photo: Promise<Buffer> | undefined

/** An acknowledged write. Times are those of `performance.now()`. */
export type Written = { kind: 'post' | 'file'; id: string; startedMs: number; doneMs: number }

export type Writing = {
  written: Written[]
  /** Counts of other statuses; 0 stands for no response. */
  refused: Map<number, number>
  /** The time that the slowest call took. */
  longestMs: () => number
  /** Resolves at the first acknowledged write, or after `CALL_LIMIT_MS` without one. */
  begun: Promise<unknown>
  stop(): Promise<void>
}

/** Without `images` all posts show one image, which is uploaded first. */
type WritingOptions = { writers?: number; pauseMs?: number; images?: boolean; prefix?: string }

/** Writes until it is stopped. @param url may change with each start of the server */
export async function startWriting(
  url: string,
  person: Person,
  { writers = 4, pauseMs = 10, images = true, prefix = 'w' }: WritingOptions = {},
): Promise<Writing> {
  const shared = `${prefix}cover`
  if (!images) await uploadImage(url, person, shared)
  const written: Written[] = []
  const refused = new Map<number, number>()
  const first = Promise.withResolvers<void>()
  let longestMs = 0
  let isStopped = false

  async function write(kind: Written['kind'], id: string, path: string, body: unknown) {
    const startedMs = performance.now()
    const { status, tookMs } = await call(url, path, { method: 'POST', ...person, body })
    longestMs = Math.max(longestMs, tookMs)
    if (status === 201) {
      written.push({ kind, id, startedMs, doneMs: performance.now() })
      first.resolve()
    } else refused.set(status, (refused.get(status) ?? 0) + 1)
    return status === 201
  }
  async function run(writer: number): Promise<void> {
    for (let round = 0; !isStopped; round++) {
      const id = `${prefix}${writer}t${round}`
      const featuredImage = images ? `${id}f` : shared
      const isStored =
        !images || (await write('file', featuredImage, FILES, await formOf(featuredImage)))
      const data = { title: id, content: `<p>${id}</p>`, featuredImage }
      if (isStored) await write('post', id, POSTS, { documentId: id, data })
      await delay(pauseMs)
    }
  }
  const running = Array.from({ length: writers }, (_, writer) => run(writer))
  return {
    written,
    refused,
    longestMs: () => longestMs,
    begun: Promise.race([first.promise, delay(CALL_LIMIT_MS, undefined, { ref: false })]),
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}

/** @returns acknowledged writes that are missing or without bytes */
export async function findLost(url: string, person: Person, written: Written[]): Promise<string[]> {
  const lost: string[] = []
  const waiting = [...written]
  const look = async () => {
    for (let write = waiting.pop(); write; write = waiting.pop()) {
      const path = write.kind === 'post' ? `${POSTS}/${write.id}` : `${FILES}/${write.id}/view`
      const { status, bytes } = await call(url, path, person)
      if (status !== 200 || bytes.length === 0) lost.push(`${write.kind} ${write.id}: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, look))
  return lost
}

/** @returns files that the database lists but whose bytes are missing */
export async function findRowsWithoutBytes(url: string, person: Person): Promise<string[]> {
  const missing: string[] = []
  for (let offset = 0; ; offset += 100) {
    const queries = [`limit(100)`, `offset(${offset})`]
      .map((query, at) => `queries[${at}]=${encodeURIComponent(query)}`)
      .join('&')
    const { status, bytes } = await call(url, `${FILES}?${queries}`, person)
    if (status !== 200) return [`the list of files answered ${status}`]
    const { files } = JSON.parse(bytes.toString()) as { files: { $id: string }[] }
    for (const { $id } of files) {
      const view = await call(url, `${FILES}/${$id}/view`, person)
      if (view.status !== 200) missing.push(`${$id}: ${view.status}`)
    }
    if (files.length < 100) return missing
  }
}

/** `503: 12, none: 1` */
export function refusedText(refused: Map<number, number>): string {
  const parts = [...refused].map(([status, count]) => `${status === 0 ? 'none' : status}: ${count}`)
  return parts.join(', ') || 'nothing refused'
}

/** Polls until this status. @returns how long that took; `undefined` after the limit */
export async function untilStatus(
  url: string,
  path: string,
  wanted: number,
  options: Call & { withinMs: number },
): Promise<number | undefined> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < options.withinMs) {
    const { status } = await call(url, path, options)
    if (status === wanted) return performance.now() - startedMs
    await delay(50)
  }
  return undefined
}
