// A streaming replica of PostgreSQL that answers reads, as long as it has everything that was
// committed when they began: the primary says how far its log is, the replica how far it has come.
// When it is away or behind, the primary is read (decision 0055).
import { setTimeout as delay } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import {
  REPLICA_AWAY_MS,
  REPLICA_BEHIND_LOGGED_MS,
  REPLICA_WAIT_MS,
} from '#contract/server-limits.ts'
import type { Log } from '../process/log.ts'
import { DatabaseAway, reasonOf } from './faults.ts'
import {
  openPool,
  type PostgresLimits,
  toResult,
  toStatement,
  withinTime,
} from './postgres-connection.ts'
import { makeReader } from './postgres-reader.ts'

export type Replica = {
  /** Whether it has all that was committed before this call. */
  isFresh(): Promise<boolean>
  /** @returns undefined when it could not answer: the primary can be asked the same */
  read<Row>(query: CompiledQuery): Promise<QueryResult<Row> | undefined>
  end(): Promise<void>
}

type ReplicaNeeds = {
  primaryUrl: string
  url: string
  connections: number
  limits: PostgresLimits
  log: Log
}

/** Of which cluster and which history of it a server is: positions in other logs mean nothing. */
const HISTORY = `select system_identifier::text || ' ' || timeline_id as history
  from pg_control_system(), pg_control_checkpoint()`
/** What an acknowledged commit has written is on disk before it. */
const WRITTEN = 'select pg_current_wal_flush_lsn()::text as position'
/** Null at a server that is no replica (any more). */
const REPLAYED = 'select pg_last_wal_replay_lsn()::text as position'

export function makeReplica({ primaryUrl, url, connections, limits, log }: ReplicaNeeds): Replica {
  const open = (connectionString: string, max: number) =>
    openPool({ connectionString, max, limits })
  const primary = open(primaryUrl, 1)
  const watch = open(url, 1)
  const reader = makeReader({
    ...{ connectionString: url, connections, limits, onLost: (error) => new DatabaseAway(error) },
    onStalePlan: () => reader.renew(),
  })
  const state = makeState(log)
  /** Compared anew after each new connection. */
  let history: Promise<boolean> | undefined
  for (const one of [primary, watch])
    one.on('connect', () => {
      history = undefined
    })

  const ask = async (of: pg.Pool, text: string): Promise<string> => {
    const { rows } = await withinTime(of.query({ text, name: text.slice(0, 30) }), limits.connect)
    return String(rows[0]?.history ?? rows[0]?.position ?? '')
  }
  async function isSameHistory(): Promise<boolean> {
    const [mine, theirs] = await Promise.all([ask(primary, HISTORY), ask(watch, HISTORY)])
    return mine === theirs
  }
  async function look(): Promise<boolean> {
    if (state.isAway()) return false
    try {
      const [written, first] = await Promise.all([ask(primary, WRITTEN), ask(watch, REPLAYED)])
      history ??= isSameHistory()
      if (first === '' || !(await history)) {
        history = undefined
        throw new Error('It is no replica of the primary')
      }
      const horizon = toNumber(written)
      const untilMs = performance.now() + (state.isBehind() ? 0 : REPLICA_WAIT_MS)
      for (let replayed = first; ; replayed = await ask(watch, REPLAYED)) {
        if (toNumber(replayed) >= horizon) return state.noteFresh()
        if (performance.now() > untilMs) return state.noteBehind()
        await delay(1)
      }
    } catch (error) {
      history = undefined
      return state.noteAway(error)
    }
  }
  return {
    isFresh: sharedByWaiting(look),
    async read(query) {
      // The primary tells what is wrong with the query, if anything is.
      const found = await reader.read(toStatement(query))?.catch(() => undefined)
      return found && toResult(found)
    },
    async end() {
      await Promise.all([primary.end(), watch.end(), reader.end()])
    },
  }
}

/** A position in the log, as `16/B374D848`. */
function toNumber(position: string): bigint {
  const [high = '', low = ''] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** How the replica is, each change of it with one line in the log. */
function makeState(log: Log) {
  let awayUntilMs = 0
  let behindSinceMs: number | undefined
  let said = false
  const say = (event: string, reason: string) => {
    if (!said) log.warn({ event, reason }, 'the replica is not read, the primary is')
    said = true
  }
  return {
    isAway: () => performance.now() < awayUntilMs,
    isBehind: () => behindSinceMs !== undefined,
    noteFresh(): true {
      behindSinceMs = undefined
      if (said) log.warn({ event: 'replica back' }, 'the replica is read again')
      said = false
      return true
    },
    noteBehind(): false {
      behindSinceMs ??= performance.now()
      if (performance.now() - behindSinceMs > REPLICA_BEHIND_LOGGED_MS)
        say('replica behind', 'it has not come up with the primary')
      return false
    },
    noteAway(error: unknown): false {
      awayUntilMs = performance.now() + REPLICA_AWAY_MS
      say('replica away', reasonOf(error))
      return false
    },
  }
}

/** Calls that come while the work runs share its next run: each has one that began after it. */
function sharedByWaiting<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const run = work()
      running = run.catch(() => {})
      return run
    })
    return next
  }
}
