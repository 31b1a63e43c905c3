// How the server sees a request that comes through its proxy. Only who holds the API key is told,
// and the key itself never travels: the address asked may turn out to be somebody else's.
import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { hashSecret, isSameHash } from '../process/ids.ts'

/** How long a question about the proxy is good for. */
const PROXY_PROBE_SECONDS = 60

const PROBE_PATH = '/healthz/proxy'

/** What the server sees of a request; `peer` holds the connection. */
export type ProxyView = {
  peer: string
  forwardedFor: string | null
  /** Whether `forwardedFor` is believed; the addresses may be the same, as on one machine. */
  isTrusted: boolean
}

export function addProxyProbe(
  app: FastifyInstance,
  { apiKey, now }: { apiKey: string; now: () => Date },
): void {
  app.get<{ Querystring: { at?: unknown; proof?: unknown } }>(
    PROBE_PATH,
    async (request, reply) => {
      const { at, proof } = request.query
      const isFresh = Math.abs(now().getTime() - Number(at)) < PROXY_PROBE_SECONDS * 1000
      if (
        !isFresh ||
        !isSameHash(hashSecret(String(proof)), hashSecret(makeProof(apiKey, String(at))))
      )
        return reply.callNotFound()
      const { 'x-forwarded-for': forwardedFor = null } = request.headers
      const view: ProxyView = {
        peer: bare(request.socket.remoteAddress ?? ''),
        forwardedFor: forwardedFor === null ? null : String(forwardedFor),
        isTrusted: (request.ips?.length ?? 0) > 1,
      }
      return reply.header('cache-control', 'no-store').send(view)
    },
  )
}

/** An IPv4 address as such, also when a socket shows it as mapped into IPv6. */
function bare(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}

/** The path and query of a probe made now. */
export function makeProbe(apiKey: string, nowMs: number): string {
  return `${PROBE_PATH}?at=${nowMs}&proof=${makeProof(apiKey, String(nowMs))}`
}

function makeProof(apiKey: string, at: string): string {
  return createHmac('sha256', apiKey).update(`proxy probe ${at}`).digest('hex')
}
