// Runs reads that scan many rows. SQLite would block the event loop: there a scan runs in a thread
// with its own connection. PostgreSQL has a process for each connection.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import { makeWorkThread } from '../process/work-thread.ts'
import { codeOf } from './database-errors.ts'
import { isShared } from './dialect.ts'
import type { ScanAnswer, ScanTask } from './scan-thread.ts'
import type { Database } from './schema.ts'

/** Time limits, for everybody and for the API key, which may scan everything. */
const MAX_MS = 1000
const KEY_MAX_MS = 7000
/** One row may take this long: the thread checks its limit between rows only. */
const ROW_MAX_MS = 5000
const IDLE_MS = 10_000
const MEMORY_MB = 128
const WAITING_MAX = 50
const WAITING_PER_CALLER_MAX = 5
const WAIT_MAX_MS = 10_000

const THREAD = new URL('scan-thread.ts', import.meta.url)
/** @source PostgreSQL, "Error codes": query_canceled */
const CANCELLED = '57014'

/** A condition that limits the time of a scan; undefined where the database has a limit itself. */
export function isInTime(db: Database): RawBuilder<SqlBool> | undefined {
  return isShared(db) ? undefined : sql<SqlBool>`is_in_time()`
}

/**
 * The rows of a SELECT that has {@link isInTime} among its conditions.
 *
 * @throws Refusal `general_argument_invalid` when it takes too long, 503 when too many wait
 */
export async function scan<Row>(
  db: Database,
  select: RawBuilder<Row>,
  { caller, onEnd = () => {} }: ScanCaller,
): Promise<Row[]> {
  const { thread, enqueue, maxMs } = caller === undefined ? keyScans : userScans
  const run = isShared(db)
    ? () => scanOnPostgres(db, select, maxMs)
    : () => scanInThread(db, select, { thread, maxMs })
  return await enqueue(
    async () => {
      const beganMs = performance.now()
      return await run().finally(() => onEnd(performance.now() - beganMs))
    },
    { key: caller ?? 'key' },
  )
}

/** `caller` is undefined for the API key; `onEnd` gets the duration without queueing. */
export type ScanCaller = { caller: string | undefined; onEnd?: ((ms: number) => void) | undefined }

type ScanThread = ReturnType<typeof makeScans>['thread']

async function scanInThread<Row>(
  db: Database,
  select: RawBuilder<Row>,
  { thread, maxMs }: { thread: ScanThread; maxMs: number },
): Promise<Row[]> {
  const { sql: text, parameters } = select.compile(db)
  const result = await thread({ path: await pathOf(db), sql: text, parameters, maxMs })
  if (result === 'busy') throw new Refusal('general_service_disabled')
  const answer = result === 'tooLong' ? result : result.answer
  if (answer === 'tooLong') throw tooLong()
  if ('error' in answer) throw new Error(`A scan failed: ${answer.error}`)
  // The thread answers with the rows that this very statement selects.
  return answer.rows as Row[]
}

async function scanOnPostgres<Row>(
  db: Database,
  select: RawBuilder<Row>,
  maxMs: number,
): Promise<Row[]> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(maxMs)}`.execute(tx)
      return (await select.execute(tx)).rows
    })
  } catch (error) {
    if (codeOf(error instanceof Error ? error.cause : undefined) === CANCELLED) throw tooLong()
    throw error
  }
}

function tooLong(): Refusal {
  return new Refusal(
    'general_argument_invalid',
    'Invalid query: That takes too long. Narrow it down, or ask for fewer values.',
  )
}

function makeScans(maxMs: number) {
  const thread = makeWorkThread<ScanTask, ScanAnswer>(THREAD, {
    maxMs: maxMs + ROW_MAX_MS,
    idleMs: IDLE_MS,
    memoryMb: MEMORY_MB,
  })
  const enqueue = makeBoundedQueue({
    concurrency: 1,
    waiting: WAITING_MAX,
    waitingPerKey: WAITING_PER_CALLER_MAX,
    waitMaxMs: WAIT_MAX_MS,
  })
  return { thread, enqueue, maxMs }
}

const userScans = makeScans(MAX_MS)
const keyScans = makeScans(KEY_MAX_MS)

const paths = new WeakMap<Database, string>()

async function pathOf(db: Database): Promise<string> {
  const cachedPath = paths.get(db)
  if (cachedPath !== undefined) return cachedPath
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list
    where name = 'main'`.execute(db)
  const path = rows[0]?.file ?? ''
  paths.set(db, path)
  return path
}
