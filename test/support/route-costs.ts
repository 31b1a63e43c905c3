// Records every route of a running server and the fields it reads from body and query, and measures
// the processor time of single requests. Create it before the server.
import diagnostics from 'node:diagnostics_channel'
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type Route = { method: string; url: string; bodyLimit?: number | undefined }
export type Request = {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
}
export type Answer = { status: number; headers: IncomingHttpHeaders; cpuMs: number }

/** Marks a request whose fields are to be recorded. */
const RECORD_HEADER = 'x-test-reads'

/** Records the routes of servers created from now on. */
export function recordRoutes() {
  const routes: Route[] = []
  let reads = new Set<string>()
  const record = (name: string | symbol) => void (typeof name === 'string' && reads.add(name))
  /** A proxy that records each property name that is read. */
  const recorded = (source: object) =>
    new Proxy(source, {
      get(from, name) {
        record(name)
        return Reflect.get(from, name)
      },
      getOwnPropertyDescriptor(from, name) {
        record(name)
        return Reflect.getOwnPropertyDescriptor(from, name)
      },
    })
  function onServer(message: unknown): void {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, bodyLimit }) => {
      for (const one of [method].flat())
        if (one !== 'HEAD') routes.push({ method: one, url, bodyLimit })
    })
    fastify.addHook('preHandler', async (request) => {
      if (request.headers[RECORD_HEADER] === undefined) return
      if (typeof request.body === 'object' && request.body) request.body = recorded(request.body)
      request.query = recorded(request.query as object)
    })
  }
  diagnostics.subscribe('fastify.initialization', onServer)
  return {
    routes,
    /** The names of body and query fields that a request reads. */
    async recordReads(ask: () => Promise<unknown>): Promise<string[]> {
      reads = new Set()
      await ask()
      return [...reads]
    },
    recordHeaders: { [RECORD_HEADER]: '1' },
    [Symbol.dispose]: () => void diagnostics.unsubscribe('fastify.initialization', onServer),
  }
}

const agent = new Agent({ keepAlive: true })

/** Sends a request and measures the processor time of this thread, which also runs the server. */
export async function ask(
  origin: string,
  { method, url, headers, body }: Request,
): Promise<Answer> {
  const before = process.threadCpuUsage()
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const request = send(
    origin + url,
    { method, agent, headers: { ...length, ...headers } },
    (answer) => {
      answer.resume()
      answer.on('error', reject)
      answer.on('end', () => {
        const { user, system } = process.threadCpuUsage(before)
        const cpuMs = (user + system) / 1000
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, cpuMs })
      })
    },
  )
  // The server may refuse a request before reading its body.
  request.on('error', () => resolve({ status: 0, headers: {}, cpuMs: 0 }))
  request.end(body)
  return promise
}
