// What realtime costs: many connections that only wait, and many that hear each like of one post.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Place, postId } from './big-blog.ts'
import { call, DOCUMENTS, type Person, signUp, startBlog } from './blog.ts'
import { memoryMb, shareOf } from './load.ts'

const IDLE = 2000
const LISTENING = 500
const LIKES_PER_SECOND = 40
/** Each likes and takes it back in turn, so rarely that no two calls of one overlap. */
const PEOPLE = 40
/** An address has a limit of connections; each has the next one of this machine's own. */
const PER_ADDRESS = 40

type SocketsBench = {
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

async function benchSockets(place: Place, seconds: number): Promise<SocketsBench> {
  await using blog = await startBlog(place)
  const open: WebSocket[] = []
  try {
    const post = postId(0)
    const people: Person[] = []
    // One after the other: passwords of many at once wait in a queue with a limit.
    for (let at = 0; at < PEOPLE; at++) people.push(await signUp(blog.url))
    const likes = { url: blog.url, post, people, seconds }
    const alone = await likeSteadily(likes)
    const before = await memoryMb(blog.child)
    open.push(...(await openAll(blog.url, IDLE, 'files')))
    await delay(2000)
    const after = await memoryMb(blog.child)
    open.push(...(await openAll(blog.url, LISTENING, `${CHANNEL}.${post}`)))
    const heard = open.slice(IDLE).map(listen)
    const busy = await likeSteadily(likes)
    await delay(1000)
    const delays = heard.flatMap(({ delays }) => delays).toSorted((a, b) => a - b)
    return {
      connections: open.length,
      kilobytesEach: before && after && ((after - before) * 1000) / IDLE,
      medianMs: shareOf(delays, 0.5),
      p99Ms: shareOf(delays, 0.99),
      events: busy.length,
      complete: heard.filter((one) => one.isInOrder && one.delays.length === busy.length).length,
      aloneP99Ms: shareOf(alone, 0.99),
      likeP99Ms: shareOf(busy, 0.99),
    }
  } finally {
    for (const socket of open) socket.terminate()
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
  await call(url, `${DOCUMENTS}/${post}`, { method: 'PATCH', body: { data: { likeId } }, cookie })
  return performance.now() - startedMs
}

export async function printSockets(place: Place, seconds: number): Promise<void> {
  const told = await benchSockets(place, seconds)
  const { kilobytesEach, events, complete, medianMs, p99Ms, aloneP99Ms, likeP99Ms } = told
  const print = (line: string) => process.stdout.write(`${line}\n`)
  print(`realtime: ${told.connections} connections, 500 of them hear 40 likes a second of one post`)
  print(
    `memory of a connection        ${kilobytesEach === undefined ? 'not known here' : `${kilobytesEach.toFixed(1)} kB (goal: below 25)`}`,
  )
  print(`each event, in order          ${complete} of 500 had all ${events}`)
  print(`delay of an event             ${medianMs} ms median, ${p99Ms} ms p99 (goal: below 50)`)
  print(
    `p99 of a like                 ${likeP99Ms.toFixed(1)} ms, alone ${aloneP99Ms.toFixed(1)} ms (goal: at most double)`,
  )
}
