// `GET /healthz`, outside the API, for load balancers and monitors: tells no details.
// `GET /v1/health` and below, for the server key: tells which part is unwell, and why. However
// often they are asked, the parts are looked at once a second at most, for a limited time.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ErrorBody, REFUSALS } from '#contract/errors.ts'
import { probeDatabase } from '../database/probe.ts'
import type { Database } from '../database/schema.ts'
import { makeSecret } from '../process/ids.ts'
import { API_VERSION } from './responses.ts'
import type { NoteUnavailable } from './throttled-log.ts'

/** However often it is asked, each part of the server is looked at this often at most. */
export const HEALTH_PROBE_EVERY_MS = 1000
/** A part that takes longer is unwell. */
const HEALTH_PROBE_TIMEOUT_MS = 3000
/** What is written to see that the disk has room. */
const HEALTH_PROBE_BYTES = 64 * 1024

export type HealthNeeds = {
  db: Database
  dataDir: string
  /** Where finished files are; undefined when an S3 server has them. */
  filesDir: string | undefined
  /** @throws when it is another folder than at the start */
  requireFiles: (() => Promise<void>) | undefined
  /** The same of what requests bring. */
  requireUploads: (() => Promise<void>) | undefined
  /** Asks the S3 server. @throws when it cannot be used */
  probeS3: (() => Promise<void>) | undefined
  mailsWaiting: () => number
  noteUnavailable: NoteUnavailable
}

/** `fault` is undefined while the part is well. */
type PartStatus = { name: PartName; pingMs: number; fault: unknown }
type PartName = 'db' | 'local' | 'storage'
type Probes = Record<PartName, () => Promise<void>>

export type Health = ReturnType<typeof makeHealth>

export function makeHealth(needs: HealthNeeds) {
  const look = makeLook(makeProbes(needs))
  return {
    /** Registers `/healthz`. */
    addTo(app: FastifyInstance): void {
      app.get('/healthz', async (_request, reply) => {
        const unwell = (
          await look(['db', 'local', ...(needs.filesDir ? (['storage'] as const) : [])])
        ).filter(({ fault }) => fault !== undefined)
        for (const { fault } of unwell) needs.noteUnavailable(fault, '/healthz')
        return reply
          .code(unwell.length === 0 ? 200 : 503)
          .headers({ 'cache-control': 'no-store', ...(unwell.length > 0 ? RETRY : {}) })
          .type('text/plain')
          .send(unwell.length === 0 ? 'ok' : 'unavailable')
      })
    },
    /** Registers `/v1/health` and what is below it. */
    routes: (api: FastifyInstance) => addRoutes(api, needs, look),
  }
}

const RETRY = { 'retry-after': '5' }
const KEY_ONLY = { config: { scope: 'health.read' } } as const
/** The names under which the hosted API asks for each part. */
const ADDRESSES: Record<string, PartName> = {
  '/health/db': 'db',
  '/health/cache': 'local',
  '/health/storage': 'storage',
  '/health/storage/local': 'local',
}

type Look = (names: PartName[]) => Promise<PartStatus[]>

function addRoutes(
  api: FastifyInstance,
  { noteUnavailable, mailsWaiting }: HealthNeeds,
  look: Look,
): void {
  const send = (reply: FastifyReply, name: string, parts: PartStatus[], route: string) => {
    const faults = parts.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
    for (const fault of faults) noteUnavailable(fault, route)
    const body = {
      name,
      ping: name === 'http' ? 0 : Math.max(...parts.map(({ pingMs }) => pingMs)),
      status: faults.length === 0 ? 'pass' : 'fail',
      total: parts.length,
      statuses: parts.map(toStatus),
    }
    if (faults.length === 0) return reply.send(body)
    return reply
      .code(503)
      .headers(RETRY)
      .send({ ...errorBody(), ...body })
  }
  api.get('/health', KEY_ONLY, async (_request, reply) =>
    send(reply, 'http', await look(['db', 'local', 'storage']), '/health'),
  )
  for (const [path, part] of Object.entries(ADDRESSES))
    api.get(path, KEY_ONLY, async (_request, reply) =>
      send(reply, path.slice('/health/'.length), await look([part]), path),
    )
  api.get('/health/queue/mails', KEY_ONLY, async () => ({ size: mailsWaiting() }))
}

function toStatus({ name, pingMs, fault }: PartStatus) {
  if (fault === undefined) return { name, ping: pingMs, status: 'pass' }
  let cause = fault
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return { name, ping: pingMs, status: 'fail', reason }
}

function errorBody(): ErrorBody {
  const type = 'general_service_disabled'
  return {
    message: 'A part of the server is unwell.',
    code: REFUSALS[type][0],
    type,
    version: API_VERSION,
  }
}

/** Looks at each part once a second at most; who asks meanwhile gets what was found. */
function makeLook(probes: Probes): Look {
  const found = new Map<PartName, { atMs: number; status: Promise<PartStatus> }>()
  return (names) =>
    Promise.all(
      names.map((name) => {
        const known = found.get(name)
        const nowMs = performance.now()
        if (known && nowMs - known.atMs < HEALTH_PROBE_EVERY_MS) return known.status
        const status = lookAt(name, probes[name])
        found.set(name, { atMs: nowMs, status })
        // A look that took long counts from its end.
        void status.then(() => found.set(name, { atMs: performance.now(), status }))
        return status
      }),
    )
}

async function lookAt(name: PartName, probe: () => Promise<void>): Promise<PartStatus> {
  const startedMs = performance.now()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`No answer for ${HEALTH_PROBE_TIMEOUT_MS} ms`)),
    HEALTH_PROBE_TIMEOUT_MS,
  )
  const fault = await Promise.race([probe(), promise]).then(
    () => undefined,
    (error: unknown) => error ?? new Error('unknown'),
  )
  clearTimeout(timer)
  return { name, pingMs: Math.round(performance.now() - startedMs), fault }
}

function makeProbes({ db, dataDir, filesDir, probeS3, ...needs }: HealthNeeds): Probes {
  return {
    db: () => probeDatabase(db),
    async local() {
      await needs.requireUploads?.()
      await probeFolder(dataDir)
    },
    async storage() {
      await (needs.requireFiles ?? probeS3)?.()
      if (filesDir) await probeFolder(filesDir)
    },
  }
}

/** Writes a few bytes and reads them again. @throws when the disk is full or the folder gone */
async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, `.probe-${makeSecret(8)}`)
  const bytes = Buffer.alloc(HEALTH_PROBE_BYTES, 'lamp')
  try {
    const file = await open(path, 'wx+', 0o600)
    try {
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, 0)
      if (bytesWritten < bytes.length) throw new Error('The disk is full')
      const read = await file.read(Buffer.alloc(bytes.length), 0, bytes.length, 0)
      if (!read.buffer.equals(bytes)) throw new Error('The disk gave other bytes than it was given')
    } finally {
      await file.close()
    }
  } finally {
    await rm(path, { force: true })
  }
}
