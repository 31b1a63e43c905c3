// Several processes on one host, with plain node:cluster (decision 0055): the primary starts
// workers that share the port, and restarts those that end. Each worker is a complete server on the
// same database. Independent of the database and of requests.
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

/** A message from a worker; the primary only forwards bodies. */
type Message = { kind: 'fatal' } | { kind: 'body'; body: Serializable }

export type WorkerProcess = {
  /** From 1; a restarted worker has the same number. */
  number: number
  others: OtherWorkers
  /** From now on no process on this host may acknowledge a write. */
  fail(): void
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
/** The environment variable with the number of a worker. */
const NUMBER = 'LAMPLIGHT_WORKER'
/** A worker that ends sooner is restarted after a growing pause. */
const STEADY_MS = 60_000
const PAUSE_MAX_MS = 30_000
/** Failures in a row after which the primary gives up if no worker answers requests. */
const FAILURES_MAX = 5
/** After this time running workers are killed, within the promised 10 s. */
const STOP_TIMEOUT_MS = 9800

/** @returns undefined in a process that is not a worker */
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
  /** Workers that answer requests. */
  serving: Set<Worker>
  /** The current worker of each number: it is restarted when it ends. */
  workers: Map<number, Worker>
  /** Workers in a row that ended soon after their start. */
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
    workers: new Map(),
    failures: 0,
    code: undefined,
    ended: Promise.withResolvers(),
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () =>
      state.code === undefined ? stop(state, 0) : kill(state.running, 'SIGKILL'),
    )
  // The first worker migrates the database. If it cannot start, it has logged why.
  const first = start(state, 1)
  let replacing: Promise<unknown> = first
  process.on('SIGHUP', () => {
    replacing = replacing.then(() => replaceAll(state, count))
  })
  if (await first) for (let number = 2; number <= count; number++) void start(state, number)
  else stop(state, 1)
  await state.ended.promise
  return state.code ?? 1
}

/** @returns whether it answers requests; the worker that it replaces then drains */
function start(state: State, number: number): Promise<boolean> {
  const { log, running, serving, workers } = state
  const startedMs = performance.now()
  const worker = cluster.fork({ [NUMBER]: String(number) })
  const ready = Promise.withResolvers<boolean>()
  running.add(worker)
  if (!workers.has(number)) workers.set(number, worker)
  worker.on('error', (err) => log.warn({ err, worker: number }, 'a worker cannot be reached'))
  worker.once('listening', () => {
    serving.add(worker)
    const previous = workers.get(number)
    workers.set(number, worker)
    if (previous !== worker) previous?.process.kill('SIGHUP')
    ready.resolve(true)
  })
  worker.on('message', (message: Message) => {
    const others = [...running].filter((other) => other !== worker)
    if (message.kind === 'body') for (const other of others) other.send(message.body, () => {})
    // All workers write to the same disk, which may have failed: they must acknowledge nothing.
    else stop(state, 1, others)
  })
  worker.once('exit', (code, signal) => {
    running.delete(worker)
    ready.resolve(false)
    if (serving.delete(worker) && code !== 0 && state.code === undefined)
      log.error({ event: 'worker lost', worker: number, code, signal }, 'a worker has ended')
    if (state.code !== undefined && running.size === 0) state.ended.resolve()
    if (workers.get(number) === worker) restart(state, number, performance.now() - startedMs)
  })
  return ready.promise
}

function restart(state: State, number: number, uptimeMs: number): void {
  const { log, serving, workers } = state
  workers.delete(number)
  state.failures = uptimeMs > STEADY_MS ? 0 : state.failures + 1
  if (state.failures >= FAILURES_MAX && serving.size === 0) {
    log.fatal({ event: 'workers end' }, 'workers end again and again: see the lines above')
    stop(state, 1)
  }
  const pauseMs = state.failures < 2 ? 0 : Math.min(PAUSE_MAX_MS, 250 * 2 ** state.failures)
  setTimeout(() => {
    if (state.code === undefined && !workers.has(number)) void start(state, number)
  }, pauseMs)
}

/** Replaces the workers one after the other, each once its successor answers requests. */
async function replaceAll(state: State, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    if (state.code !== undefined) return
    if (await start(state, number)) continue
    state.log.error({ event: 'restart ended' }, 'a new worker could not start: the others go on')
    return
  }
  state.log.info({ event: 'restarted' }, 'all workers are new')
}

/** @param killed get no time to finish their requests */
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
