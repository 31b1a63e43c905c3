// Starts workers that share the port, replaces those that end, and passes on what they tell each
// other. Connections are handed to them in turn (decision 0054). Knows no database and no request.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  SUPERVISOR_STOP_TIMEOUT_MS,
  WORKER_PAUSES_MS,
  WORKER_STARTS_MAX,
  WORKER_STEADY_MS,
} from '#contract/server-limits.ts'
import { passOnWhenKilled } from './handed-over.ts'
import type { Log } from './log.ts'
import type { Relay } from './relay.ts'
import type { FromWorker, StopHow, ToWorker } from './worker-messages.ts'

export type SupervisorNeeds = { count: number; log: Log; relay: Relay }

/** One worker from its start to its end. */
type Run = {
  worker: Worker
  /** Whether it answered requests before it ended. */
  ready: Promise<boolean>
  ended: Promise<void>
}
/** Where one worker follows the other. */
type Place = { run: Run | undefined }
type State = SupervisorNeeds & {
  running: Set<Worker>
  /** How many answer requests. */
  serving: number
  /** Set once everything stops. */
  code: number | undefined
  done: () => void
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/**
 * Runs until a signal or a fault.
 *
 * @returns the exit code: 0 after a signal, 1 when no worker can be started or a disk failed
 */
export async function superviseWorkers(needs: SupervisorNeeds): Promise<number> {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ exec: MAIN, args: [] })
  const ended = Promise.withResolvers<void>()
  const state: State = {
    ...{ ...needs, running: new Set(), serving: 0, code: undefined },
    done: ended.resolve,
  }
  const places: Place[] = Array.from({ length: needs.count }, () => ({ run: undefined }))
  listenToSignals(state, places)
  const [first] = places
  if (first) first.run = start(state)
  // The first brings the database up to date. If it cannot start it has said why.
  if (await first?.run?.ready) for (const place of places) void keep(state, place)
  else stop(state, state.code ?? 1)
  await ended.promise
  return state.code ?? 1
}

function listenToSignals(state: State, places: Place[]): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (state.code === undefined) stop(state, 0)
      else killAll(state)
    })
  let isRestarting = false
  process.on('SIGHUP', () => {
    if (state.code !== undefined || isRestarting) return
    isRestarting = true
    void restart(state, places).finally(() => {
      isRestarting = false
    })
  })
}

function start(state: State): Run {
  const { log, relay, running } = state
  const worker = cluster.fork()
  const { id } = worker
  const ready = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<void>()
  running.add(worker)
  passOnWhenKilled(worker)
  worker.on('error', (err) => log.warn({ err, worker: id }, 'a worker cannot be reached'))
  worker.on('message', (message: FromWorker) => {
    relay.receive(id, (answer) => send(worker, answer), message)
    if (message.kind === 'fatal') stop(state, 1, 'at once')
    if (message.kind !== 'ready') return
    state.serving++
    ready.resolve(true)
  })
  worker.once('exit', (code, signal) => {
    running.delete(worker)
    relay.leave(id, code !== 0)
    void ready.promise.then((hasServed) => {
      if (hasServed) state.serving--
      if (hasServed && code !== 0 && state.code === undefined)
        log.error({ event: 'worker lost', worker: id, code, signal }, 'a worker has ended')
      ended.resolve()
    })
    ready.resolve(false)
    if (state.code !== undefined && running.size === 0) state.done()
  })
  return { worker, ready: ready.promise, ended: ended.promise }
}

/** Replaces each worker of this place that ends: at once after long work, else with pauses. */
async function keep(state: State, place: Place): Promise<void> {
  for (let failures = 0; state.code === undefined; ) {
    const startedMs = performance.now()
    place.run ??= start(state)
    const { run } = place
    await run.ended
    // Another one has taken its place already.
    if (place.run !== run) continue
    place.run = undefined
    if (state.code !== undefined) return
    failures = performance.now() - startedMs > WORKER_STEADY_MS ? 0 : failures + 1
    if (failures >= WORKER_STARTS_MAX && state.serving === 0) {
      state.log.fatal({ event: 'workers end' }, 'workers end again and again: see the lines above')
      return stop(state, 1)
    }
    await delay(WORKER_PAUSES_MS[Math.min(failures, WORKER_PAUSES_MS.length - 1)], undefined, {
      ref: false,
    })
  }
}

/** One after the other, each once another one answers requests in its place. */
async function restart(state: State, places: Place[]): Promise<void> {
  const { log } = state
  log.info({ event: 'restart' }, 'the workers are replaced')
  for (const place of places) {
    const next = start(state)
    if (!(await next.ready)) {
      if (state.code !== undefined) return
      log.error({ event: 'restart ended' }, 'a new worker could not start: the others go on')
      return
    }
    const before = place.run
    place.run = next
    if (before) send(before.worker, { kind: 'stop', how: 'retire' })
  }
  log.info({ event: 'restarted' }, 'all workers are new')
}

function stop(state: State, code: number, how: StopHow = 'drain'): void {
  if (state.code !== undefined) return
  state.code = code
  for (const worker of state.running) send(worker, { kind: 'stop', how })
  setTimeout(() => killAll(state), SUPERVISOR_STOP_TIMEOUT_MS).unref()
  if (state.running.size === 0) state.done()
}

function killAll({ running }: State): void {
  for (const worker of running) worker.process.kill('SIGKILL')
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}
