// `GET /metrics` for Prometheus. Names of routes, queues, caches and limits come from the program,
// never from a request, which bounds the number of series.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { QueryTiming } from '../database/database.ts'
import type { QueueStats } from '../process/bounded-queue.ts'
import { hashSecret, isSameHash } from '../process/ids.ts'
import { isFromThisHost } from './connections.ts'

/** Numbers that are read at each request of `/metrics`. The keys are few and fixed. */
export type MetricsReading = {
  queues: Record<string, QueueStats>
  previews: { hits: number; misses: number }
  rateLimitRefusals: ReadonlyMap<string, number>
  mailsWaiting: number
}

/** The fields of an answered request that metrics use. */
type AnsweredRequest = Pick<FastifyRequest, 'method'> & {
  routeOptions: { url?: string | undefined }
}

export type Metrics = ReturnType<typeof makeMetrics>

/** Connections to PostgreSQL, and calls that wait for one. */
export type PoolStats = { open: number; idle: number; waiting: number }

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
export function makeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const responseTimes = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until an answer was sent, by route; route "none" is a path without a route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  })
  const queries = new Histogram({
    name: 'database_query_duration_seconds',
    help: 'Time of one statement, waiting for a connection included',
    labelNames: ['outcome'] as const,
    buckets: SECONDS,
    registers,
  })
  return {
    recordResponse(
      { method, routeOptions }: AnsweredRequest,
      { statusCode, elapsedTime }: Pick<FastifyReply, 'statusCode' | 'elapsedTime'>,
    ): void {
      const labels = {
        method: METHODS.includes(method) ? method : 'other',
        route: routeOptions.url ?? 'none',
        status: String(statusCode),
      }
      responseTimes.observe(labels, elapsedTime / 1000)
    },
    recordQuery: ({ ms, isDone }: QueryTiming) =>
      queries.observe({ outcome: isDone ? 'done' : 'failed' }, ms / 1000),
    observePool(numbers: () => PoolStats): void {
      const help = 'Connections to PostgreSQL by state; "waiting" are calls without one'
      addSeries(registers, Gauge, ['database_pool_connections', help, 'state'], () =>
        Object.entries(numbers()).map(([state, count]) => [count, state]),
      )
    },
    /** Serves `/metrics` to this host, and to callers with the API key. */
    addTo(app: FastifyInstance, apiKey: string, read: () => MetricsReading): void {
      addReadings(registers, read)
      app.get('/metrics', async (request, reply) => {
        if (!isFromThisHost(request) && !hasKey(request, apiKey)) return reply.callNotFound()
        reply.header('cache-control', 'no-store').type(registry.contentType)
        return registry.metrics()
      })
    },
  }
}

type Series = readonly (readonly [value: number, ...labels: string[]])[]

/** Adds a metric whose values are read at each request of `/metrics`. */
function addSeries(
  registers: Registry[],
  kind: typeof Gauge<string> | typeof Counter<string>,
  [name, help, ...labelNames]: [name: string, help: string, ...labelNames: string[]],
  read: () => Series,
): void {
  new kind({
    name,
    help,
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [value, ...labels] of read()) this.labels(...labels).inc(value)
    },
  })
}

function addReadings(registers: Registry[], read: () => MetricsReading): void {
  const queues = <State extends keyof QueueStats>(...states: State[]) =>
    Object.entries(read().queues).flatMap(([queue, numbers]) =>
      states.map((state) => [numbers[state], queue, state] as const),
    )
  const inQueues = 'Work in bounded queues: running or waiting'
  addSeries(registers, Gauge, ['queue_tasks', inQueues, 'queue', 'state'], () => [
    ...queues('running', 'waiting'),
    [read().mailsWaiting, 'mails', 'waiting'],
  ])
  const ended = 'Work that a queue had no place for (refused) or whose client had gone (dropped)'
  addSeries(registers, Counter, ['queue_ended_total', ended, 'queue', 'reason'], () =>
    queues('refused', 'dropped'),
  )
  const lookUps = 'Look-ups in caches'
  addSeries(registers, Counter, ['cache_lookups_total', lookUps, 'cache', 'outcome'], () => [
    [read().previews.hits, 'previews', 'hit'],
    [read().previews.misses, 'previews', 'miss'],
  ])
  const refusals = 'Calls refused with 429, by the limit'
  addSeries(registers, Counter, ['rate_limit_refusals_total', refusals, 'limit'], () =>
    [...read().rateLimitRefusals].map(([limit, count]) => [count, limit]),
  )
}

function hasKey({ headers }: FastifyRequest, apiKey: string): boolean {
  const key = headers['x-appwrite-key']
  return typeof key === 'string' && isSameHash(hashSecret(key), hashSecret(apiKey))
}
