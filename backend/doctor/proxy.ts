// Whether the server runs, and what it sees of visitors who come through the proxy in front. Only
// who holds the API key is told, and the key itself never travels: the address asked may turn out
// to be somebody else's.
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { describeProblem } from '../backups/problem.ts'
import { isSameHash } from '../process/ids.ts'
import { DOCTOR_WAIT_MS, type Patient, type Say } from './finding.ts'

/** How long a question about the proxy is good for. */
const PROXY_PROBE_SECONDS = 60
const PROBE_PATH = '/healthz/proxy'
/** An address that nobody has: kept for documents. */
const INVENTED = '203.0.113.77'

/** What the server sees of a request. */
type ProxyView = {
  /** Who holds the connection; an IPv4 address as such, also where a socket maps it into IPv6. */
  peer: string
  forwardedFor: string | null
  /** Whether `forwardedFor` is believed; the addresses may be the same, as on one machine. */
  isTrusted: boolean
}

export function addProxyProbe(
  app: FastifyInstance,
  { apiKey, now }: { apiKey: string; now: () => Date },
): void {
  type Query = { Querystring: { at?: unknown; proof?: unknown } }
  app.get<Query>(PROBE_PATH, async ({ query, headers, socket, ips = [] }, reply) => {
    const isFresh = Math.abs(now().getTime() - Number(query.at)) < PROXY_PROBE_SECONDS * 1000
    if (!isFresh || !isSameHash(String(query.proof), makeProof(apiKey, Number(query.at))))
      return reply.callNotFound()
    const { 'x-forwarded-for': forwardedFor = null } = headers
    const view: ProxyView = {
      peer: socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? '',
      forwardedFor: forwardedFor === null ? null : String(forwardedFor),
      isTrusted: ips.length > 1,
    }
    return reply.header('cache-control', 'no-store').send(view)
  })
}

function makeProof(apiKey: string, at: number): string {
  return createHmac('sha256', apiKey).update(`proxy probe ${at}`).digest('hex')
}

/** Asks the server on this machine. */
export async function checkServer(patient: Patient, say: Say) {
  const { host, port } = patient
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const answer = await ask(`${url}/healthz`).catch(() => undefined)
  if (!answer) return say.warning(`does not run at ${url}: start it, unless it is meant to be off`)
  patient.isRunning = true
  if (!answer.ok) say.fault(`runs at ${url} and answers ${answer.status}: see its log`)
  return `runs at ${url} and is well`
}

/** Asks the public address as a visitor who names an invented client address. */
export async function checkProxy(patient: Patient, say: Say) {
  const { publicUrl, port, dataDir, isRunning } = patient
  if (!isRunning) return undefined
  const kept = await readFile(join(dataDir, 'api-key'), 'utf8').catch(() => '')
  const apiKey = patient.apiKey ?? kept.trim()
  if (apiKey === '')
    return say.warning('the API key cannot be read: run this as the user of the blog')
  const at = Date.now()
  const url = `${publicUrl}${PROBE_PATH}?at=${at}&proof=${makeProof(apiKey, at)}`
  const answer = await ask(url, { 'x-forwarded-for': INVENTED }).catch((error: unknown) =>
    say.warning(
      `${publicUrl} does not answer from here: ${describeProblem(error)}: check the proxy, its certificate and the name`,
    ),
  )
  if (!answer) return undefined
  const view = (await answer.json().catch(() => ({}))) as Partial<ProxyView>
  const { peer, forwardedFor, isTrusted } = view
  if (!answer.ok || peer === undefined)
    return say.fault(
      `${publicUrl} answers ${answer.ok ? 'something else than this blog' : answer.status}: does BLOG_PUBLIC_URL lead to this blog?`,
    )
  const own = new URL(publicUrl)
  // The server itself speaks plain HTTP only.
  const isOwn = own.protocol === 'http:' && Number(own.port || 80) === port
  if (forwardedFor === INVENTED && isOwn) return `none in front of ${publicUrl}`
  if (forwardedFor === INVENTED)
    return say.fault(
      'it hands on the X-Forwarded-For of visitors, who can name any address: let it set the header itself (docs/operating.md)',
    )
  if (forwardedFor === null)
    return say.fault(
      'it sends no X-Forwarded-For, so all visitors share its address in the rate limits: let it set the header (docs/operating.md)',
    )
  if (!isTrusted)
    return say.fault(
      `${peer} is not trusted, so all visitors share its address in the rate limits: set BLOG_TRUSTED_PROXIES=${peer}`,
    )
  return `${peer} names its visitors and is trusted`
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(DOCTOR_WAIT_MS) })
}
