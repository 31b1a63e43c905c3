// `GET /healthz`, outside the API, for load balancers and monitors: without details. `GET
// /v1/health` and below, for the API key: which part is unhealthy, and why. The parts are probed
// once a second at most, for a limited time.
import { createHmac } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import type { ErrorBody } from '#contract/errors.ts'
import { probeDatabase } from '../database/probe-database.ts'
import type { Database } from '../database/schema.ts'
import { isSameHash, makeSecret } from '../process/ids.ts'
import { cacheForSeconds } from '../process/single-flight.ts'
import { withTimeout } from '../process/work-thread.ts'
import { describeCause } from './errors.ts'
import { call, OBJECT, texts } from './openapi.ts'
import { API_VERSION } from './responses.ts'

/** Each part of the server is probed this often at most. */
export const HEALTH_PROBE_EVERY_MS = 1000
/** A part that takes longer is unhealthy. */
const HEALTH_PROBE_TIMEOUT_MS = 3000
/** Bytes that are written to check that the disk has space. */
const HEALTH_PROBE_BYTES = 64 * 1024

type HealthOptions = {
  db: Database
  dataDir: string
  /** Checks that throw when the folder was replaced since the start; undefined without a folder. */
  files: Record<'requireFiles' | 'requireUploads', (() => Promise<void>) | undefined>
  /** Calls the S3 server. @throws when it cannot be used */
  probeS3: (() => Promise<void>) | undefined
  mailer: { waiting: () => number }
}

/** `fault` is undefined while the part is healthy. */
type PartStatus = { name: PartName; pingMs: number; fault: unknown }
type PartName = 'db' | 'local' | 'storage'

const RETRY = { 'retry-after': '5' }
const UNHEALTHY = {
  message: 'A part of the server is unwell.',
  code: 503,
  type: 'general_service_disabled',
  version: API_VERSION,
} satisfies ErrorBody
const Health = Type.Object(
  {
    ...texts('name status'),
    ping: Type.Integer(),
    total: Type.Integer(),
    statuses: Type.Array(OBJECT),
  },
  { $id: 'Health' },
)
const KEY_ONLY = { config: { scope: 'health.read' } } as const
/** The parts, by their names in the hosted API. */
const ADDRESSES: Record<string, PartName> = {
  db: 'db',
  cache: 'local',
  storage: 'storage',
  'storage/local': 'local',
}

export function makeHealth({ db, dataDir, files, probeS3, mailer }: HealthOptions) {
  /** Probes once a second at most; callers in between get the last result. */
  const part = (name: PartName, probe: () => Promise<unknown>) =>
    cacheForSeconds(() => probePart(name, probe), { seconds: HEALTH_PROBE_EVERY_MS / 1000 })
  const parts = {
    db: part('db', () => probeDatabase(db)),
    local: part('local', async () => {
      await files.requireUploads?.()
      await probeFolder(dataDir)
    }),
    storage: part('storage', async () => {
      if (probeS3) return await probeS3()
      await files.requireFiles?.()
      await probeFolder(join(dataDir, 'files'))
    }),
  }
  return {
    /** Registers `/healthz`. A request from outside causes no request to another server. */
    addTo(app: FastifyInstance): void {
      const probes = probeS3 ? [parts.db, parts.local] : Object.values(parts)
      app.get('/healthz', async (_request, reply) => {
        const isHealthy = logFaults(
          app,
          await Promise.all(probes.map((probe) => probe())),
          '/healthz',
        )
        reply.header('cache-control', 'no-store').type('text/plain')
        return isHealthy ? 'ok' : reply.code(503).headers(RETRY).send('unavailable')
      })
    },
    /** Registers `/v1/health` and its sub-paths. */
    routes(api: FastifyInstance): void {
      const health = call(KEY_ONLY, 'All parts of the server; 503 when one is unhealthy', {
        200: Health,
      })
      api.get('/health', health, async (_request, reply) => {
        const statuses = await Promise.all(Object.values(parts).map((probe) => probe()))
        return answer(api, reply, { name: 'http', ping: 0, statuses })
      })
      const partHealth = call(KEY_ONLY, 'One part of the server', { 200: Health })
      for (const [name, partName] of Object.entries(ADDRESSES))
        api.get(`/health/${name}`, partHealth, async (_request, reply) => {
          const status = await parts[partName]()
          return answer(api, reply, { name, ping: status.pingMs, statuses: [status] })
        })
      const mailsHealth = call(KEY_ONLY, 'How many mails wait', {
        200: Type.Object({ size: Type.Integer() }),
      })
      api.get('/health/queue/mails', mailsHealth, async () => ({ size: mailer.waiting() }))
    },
  }
}

function answer(
  api: FastifyInstance,
  reply: FastifyReply,
  { name, ping, statuses }: { name: string; ping: number; statuses: PartStatus[] },
) {
  const isHealthy = logFaults(api, statuses, name === 'http' ? '/health' : `/health/${name}`)
  if (!isHealthy) reply.code(503).headers(RETRY)
  return reply.send({
    ...(isHealthy ? {} : UNHEALTHY),
    name,
    ping,
    status: isHealthy ? 'pass' : 'fail',
    total: statuses.length,
    statuses: statuses.map(({ name, pingMs, fault }) => ({
      name,
      ping: pingMs,
      ...(fault === undefined
        ? { status: 'pass' }
        : { status: 'fail', reason: describeCause(fault) }),
    })),
  })
}

/** @returns whether all parts are healthy */
function logFaults(app: FastifyInstance, parts: PartStatus[], route: string): boolean {
  for (const { fault } of parts) if (fault !== undefined) app.logUnavailable(fault, route)
  return parts.every(({ fault }) => fault === undefined)
}

async function probePart(name: PartName, probe: () => Promise<unknown>): Promise<PartStatus> {
  const startedMs = performance.now()
  const result = probe().then(
    () => ({ fault: undefined }),
    (error: unknown) => ({ fault: error ?? new Error('unknown') }),
  )
  const timeout = { fault: new Error(`No answer for ${HEALTH_PROBE_TIMEOUT_MS} ms`) }
  const { fault } = (await withTimeout(HEALTH_PROBE_TIMEOUT_MS, result)) ?? timeout
  return { name, pingMs: Math.round(performance.now() - startedMs), fault }
}

/** Writes some bytes and reads them back. @throws when the disk is full or the folder is gone */
async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, `.probe-${makeSecret(8)}`)
  const bytes = Buffer.alloc(HEALTH_PROBE_BYTES, 'lamp')
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
    const isSame = (await readFile(path)).equals(bytes)
    if (!isSame) throw new Error('The disk gave other bytes than it was given')
  } finally {
    await rm(path, { force: true })
  }
}

// --- how the server sees a request through its proxy, for the doctor. Requires a proof of the API
// key; the key itself is not sent, because the URL may lead to another server

/** How long a probe of the proxy is valid. */
const PROXY_PROBE_SECONDS = 60
const PROXY_PROBE_PATH = '/healthz/proxy'

export type ProxyView = {
  /** The peer of the connection; an IPv4 address is plain, even if a socket maps it into IPv6. */
  peer: string
  forwardedFor: string | null
  /** Whether `forwardedFor` is trusted. */
  isTrusted: boolean
}

/** The path and query of a probe at this time. */
export function proxyProbe(apiKey: string, nowMs: number): string {
  const proof = createHmac('sha256', apiKey).update(`proxy probe ${nowMs}`).digest('hex')
  return `${PROXY_PROBE_PATH}?at=${nowMs}&proof=${proof}`
}

export function addProxyProbe(app: FastifyInstance, apiKey: string): void {
  app.get<{ Querystring: { at?: unknown } }>(PROXY_PROBE_PATH, async (request, reply) => {
    const atMs = Number(request.query.at)
    const isFresh = Math.abs(Date.now() - atMs) < PROXY_PROBE_SECONDS * 1000
    if (!isFresh || !isSameHash(request.url, proxyProbe(apiKey, atMs))) return reply.callNotFound()
    const { 'x-forwarded-for': forwardedFor = null } = request.headers
    const view: ProxyView = {
      peer: request.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? '',
      forwardedFor: forwardedFor === null ? null : String(forwardedFor),
      isTrusted: (request.ips?.length ?? 0) > 1,
    }
    return reply.header('cache-control', 'no-store').send(view)
  })
}
