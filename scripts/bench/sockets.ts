// What realtime costs: many connections that only wait, and many that hear each like of one post.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { SERVE_ARGS, startServing, stopProcess } from '../processes.ts'
import { residentMb } from './load.ts'

const IDLE = 2000
const LISTENING = 500
const LIKES_PER_SECOND = 40
/** Each likes and takes it back in turn, so rarely that no two calls of one overlap. */
const PEOPLE = 40
/** An address has a limit of connections; each has the next one of this machine's own. */
const PER_ADDRESS = 40
const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
const PROJECT = { 'x-appwrite-project': 'blog', 'content-type': 'application/json' }

export type SocketsBench = {
  connections: number
  /** Of those that only wait. */
  kilobytesEach: number | undefined
  medianMs: number
  p99Ms: number
  /** Events that each of the listening connections should have had, and did, in order. */
  events: number
  complete: number
  /** p99 of a like, alone and with all that listen. */
  aloneP99Ms: number
  likeP99Ms: number
}

export async function benchSockets(env: NodeJS.ProcessEnv, seconds: number): Promise<SocketsBench> {
  const blog = await startServing('blog', SERVE_ARGS, env)
  const open: WebSocket[] = []
  try {
    const post = await findPost(blog.url)
    const people: Person[] = []
    // One after the other: passwords of many at once wait in a queue with a limit.
    for (let at = 0; at < PEOPLE; at++) people.push(await signUp(blog.url, at))
    const likes = { url: blog.url, post, people, seconds }
    const alone = await likeSteadily(likes)
    const before = await residentMb(blog.child)
    open.push(...(await openAll(blog.url, IDLE, 'files')))
    await delay(2000)
    const after = await residentMb(blog.child)
    open.push(...(await openAll(blog.url, LISTENING, `${CHANNEL}.${post}`)))
    const heard = open.slice(IDLE).map(listen)
    const busy = await likeSteadily(likes)
    await delay(1000)
    const delays = heard.flatMap(({ delays }) => delays).toSorted((a, b) => a - b)
    return {
      connections: open.length,
      kilobytesEach: before && after && ((after - before) * 1024) / IDLE,
      medianMs: share(delays, 0.5),
      p99Ms: share(delays, 0.99),
      events: busy.length,
      complete: heard.filter((one) => one.isInOrder && one.delays.length === busy.length).length,
      aloneP99Ms: share(alone, 0.99),
      likeP99Ms: share(busy, 0.99),
    }
  } finally {
    for (const socket of open) socket.terminate()
    await stopProcess(blog.child)
  }
}

const CHANNEL = 'databases.blogdb.collections.posts.documents'

async function openAll(url: string, count: number, channel: string): Promise<WebSocket[]> {
  const address = `${url.replace('http', 'ws')}/v1/realtime?project=blog&channels[]=${channel}`
  const sockets: WebSocket[] = []
  for (let at = 0; at < count; at += PER_ADDRESS) {
    const localAddress = `127.${channel.length}.0.${1 + at / PER_ADDRESS}`
    const some = Array.from(
      { length: Math.min(PER_ADDRESS, count - at) },
      () => new WebSocket(address, { localAddress }),
    )
    await Promise.all(some.map(connected))
    sockets.push(...some)
  }
  return sockets
}

function connected(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('error', reject)
  socket.once('message', (data) =>
    String(data).startsWith('{"type":"connected"') ? resolve() : reject(new Error(String(data))),
  )
  return promise
}

function listen(socket: WebSocket): { delays: number[]; isInOrder: boolean } {
  const heard = { delays: [] as number[], isInOrder: true }
  let last = ''
  socket.on('message', (data) => {
    const at = /"timestamp":"([^"]+)"/.exec(String(data))?.[1] ?? ''
    heard.delays.push(Date.now() - Date.parse(at))
    if (at < last) heard.isInOrder = false
    last = at
  })
  return heard
}

type Person = { id: string; cookie: string }
type Likes = { url: string; post: string; people: Person[]; seconds: number }

/** @returns how long each like took, in milliseconds, sorted */
async function likeSteadily({ url, post, people, seconds }: Likes): Promise<number[]> {
  const times: Promise<number>[] = []
  const lastOf = people.map(() => Promise.resolve(0))
  for (let at = 0; at < seconds * LIKES_PER_SECOND; at++) {
    const who = at % people.length
    const { id, cookie } = people[who] as Person
    const isLike = Math.floor(at / people.length) % 2 === 0
    const like = () => timed({ url, post, cookie }, isLike ? [id] : [])
    // In turn: two at once of one person could change nothing together.
    const taken = (lastOf[who] as Promise<number>).then(like)
    lastOf[who] = taken
    times.push(taken)
    await delay(1000 / LIKES_PER_SECOND)
  }
  return (await Promise.all(times)).toSorted((a, b) => a - b)
}

async function timed(
  { url, post, cookie }: Pick<Likes, 'url' | 'post'> & Pick<Person, 'cookie'>,
  likeId: string[],
): Promise<number> {
  const startedMs = performance.now()
  const answer = await fetch(`${url}${DOCUMENTS}/${post}`, {
    method: 'PATCH',
    headers: { ...PROJECT, cookie },
    body: JSON.stringify({ data: { likeId } }),
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`A like was answered ${answer.status}`)
  return performance.now() - startedMs
}

async function findPost(url: string): Promise<string> {
  const answer = await fetch(`${url}${DOCUMENTS}?queries[0]=limit(1)`, { headers: PROJECT })
  const { documents } = (await answer.json()) as { documents: { $id: string }[] }
  if (!documents[0]) throw new Error('The seeded blog has no post')
  return documents[0].$id
}

async function signUp(url: string, at: number): Promise<Person> {
  const email = `bench${at}@example.test`
  const password = 'lamps by the harbour'
  const send = (path: string, body: object) =>
    fetch(`${url}/v1${path}`, { method: 'POST', headers: PROJECT, body: JSON.stringify(body) })
  await send('/account', { userId: 'unique()', email, password, name: 'Bench' })
  const session = await send('/account/sessions/email', { email, password })
  if (!session.ok) throw new Error(`A sign-in was answered ${session.status}`)
  const { userId: id } = (await session.json()) as { userId: string }
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return { id, cookie }
}

function share(sorted: number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
