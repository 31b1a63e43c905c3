// Several processes on one host, by node:cluster as it is (decision 0055): the primary starts
// workers that share the port, and starts those again that end. Each is a program of its own over
// the same database. Independent of the database and of requests.
import type { Serializable } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Log } from './log.ts'

/**
 * The other processes of the blog on this host. Messages carry events for open sockets only:
 * nothing breaks when one is lost.
 */
export type OtherWorkers = {
  /** Sends to all others. */
  send(body: unknown): void
  onMessage(listener: (body: unknown) => void): void
}

/** What a worker sends; the primary only passes bodies on. */
type Message = { kind: 'fatal' } | { kind: 'body'; body: Serializable }

export type WorkerProcess = {
  /** Its place, from 1 on; one that is started again has the same. */
  number: number
  others: OtherWorkers
  /** No process on this host may acknowledge a write any more. */
  fail(): void
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
/** In the environment of a worker. */
const NUMBER = 'LAMPLIGHT_WORKER'
/** One that ends sooner may do so again: before the next start is a pause that grows. */
const STEADY_MS = 60_000
const PAUSE_MAX_MS = 30_000
/** Ends in a row after which the primary gives up, while no worker answers. */
const FAILURES_MAX = 5
/** Then those that still run are killed: within the 10 s that are promised. */
const STOP_TIMEOUT_MS = 9800

/** @returns undefined in a process that is no worker */
export function findWorkerProcess(): WorkerProcess | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  const send = (message: Message) => void (worker.isConnected() && worker.send(message, () => {}))
  return {
    number: Number(process.env[NUMBER]),
    others: {
      send: (body) => send({ kind: 'body', body: body as Serializable }),
      onMessage: (listener) => void worker.on('message', listener),
    },
    fail: () => send({ kind: 'fatal' }),
  }
}

type State = {
  log: Log
  running: Set<Worker>
  /** Those that answer requests. */
  serving: Set<Worker>
  /** Which worker is started again when it ends. */
  places: Map<number, Worker>
  /** Ends in a row, each soon after a start. */
  failures: number
  /** Set once everything stops. */
  code: number | undefined
  ended: PromiseWithResolvers<void>
}

/** @returns the exit code: 0 after a signal, 1 when no worker can be started or a disk failed */
export async function runWorkers(count: number, log: Log): Promise<number> {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ exec: MAIN, args: [] })
  const state: State = {
    log,
    running: new Set(),
    serving: new Set(),
    places: new Map(),
    failures: 0,
    code: undefined,
    ended: Promise.withResolvers(),
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () =>
      state.code === undefined ? stop(state, 0) : kill(state.running, 'SIGKILL'),
    )
  // The first brings the database up to date. If it cannot start it has said why.
  const first = start(state, 1)
  let replacing: Promise<unknown> = first
  process.on('SIGHUP', () => {
    replacing = replacing.then(() => replaceAll(state, count))
  })
  if (await first) for (let place = 2; place <= count; place++) void start(state, place)
  else stop(state, 1)
  await state.ended.promise
  return state.code ?? 1
}

/** @returns whether it answers requests, and the one that had its place drains */
function start(state: State, number: number): Promise<boolean> {
  const { log, running, serving, places } = state
  const startedMs = performance.now()
  const worker = cluster.fork({ [NUMBER]: String(number) })
  const ready = Promise.withResolvers<boolean>()
  running.add(worker)
  if (!places.has(number)) places.set(number, worker)
  worker.on('error', (err) => log.warn({ err, worker: number }, 'a worker cannot be reached'))
  worker.once('listening', () => {
    serving.add(worker)
    const before = places.get(number)
    places.set(number, worker)
    if (before !== worker) before?.process.kill('SIGHUP')
    ready.resolve(true)
  })
  worker.on('message', (message: Message) => {
    const others = [...running].filter((other) => other !== worker)
    if (message.kind === 'body') for (const other of others) other.send(message.body, () => {})
    // The others write to the same disk, which may have failed: they must not acknowledge more.
    else stop(state, 1, others)
  })
  worker.once('exit', (code, signal) => {
    running.delete(worker)
    ready.resolve(false)
    if (serving.delete(worker) && code !== 0 && state.code === undefined)
      log.error({ event: 'worker lost', worker: number, code, signal }, 'a worker has ended')
    if (state.code !== undefined && running.size === 0) state.ended.resolve()
    if (places.get(number) === worker) startAgain(state, number, performance.now() - startedMs)
  })
  return ready.promise
}

function startAgain(state: State, number: number, lastedMs: number): void {
  const { log, serving, places } = state
  places.delete(number)
  state.failures = lastedMs > STEADY_MS ? 0 : state.failures + 1
  if (state.failures >= FAILURES_MAX && serving.size === 0) {
    log.fatal({ event: 'workers end' }, 'workers end again and again: see the lines above')
    stop(state, 1)
  }
  const pauseMs = state.failures < 2 ? 0 : Math.min(PAUSE_MAX_MS, 250 * 2 ** state.failures)
  setTimeout(() => {
    if (state.code === undefined && !places.has(number)) void start(state, number)
  }, pauseMs)
}

/** One after the other, each once another one answers requests in its place. */
async function replaceAll(state: State, count: number): Promise<void> {
  for (let place = 1; place <= count; place++) {
    if (state.code !== undefined) return
    if (await start(state, place)) continue
    state.log.error({ event: 'restart ended' }, 'a new worker could not start: the others go on')
    return
  }
  state.log.info({ event: 'restarted' }, 'all workers are new')
}

/** @param killed have no time to finish what they do */
function stop(state: State, code: number, killed: Worker[] = []): void {
  state.code ??= code
  kill(state.running, 'SIGTERM')
  kill(killed, 'SIGKILL')
  setTimeout(() => kill(state.running, 'SIGKILL'), STOP_TIMEOUT_MS).unref()
  if (state.running.size === 0) state.ended.resolve()
}

function kill(workers: Iterable<Worker>, signal: NodeJS.Signals): void {
  for (const worker of workers) worker.process.kill(signal)
}
