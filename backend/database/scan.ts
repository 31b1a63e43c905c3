// Reads that go through many rows. SQLite answers in the thread that asks, and would answer nobody
// else meanwhile: there they run in a thread with a connection of its own. PostgreSQL has a process
// for each connection.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import { makeWorkThread } from '../process/work-thread.ts'
import { codeOf } from './database-errors.ts'
import { isShared } from './dialect.ts'
import type { ScanTask } from './scan-thread.ts'
import type { Database } from './schema.ts'

/** For everybody, and for the API key, which may go through all there is. */
const MAX_MS = 1000
const KEY_MAX_MS = 7000
/** One row can take so long in the thread, which only ends between two. */
const ROW_MAX_MS = 5000
const IDLE_MS = 10_000
const MEMORY_MB = 128
const WAITING_MAX = 50
const WAITING_PER_CALLER_MAX = 5
const WAIT_MAX_MS = 10_000

const THREAD = new URL('scan-thread.ts', import.meta.url)
/** @source PostgreSQL, "Error codes": query_canceled */
const CANCELLED = '57014'

/** A condition of each row of a scan; undefined where the database itself has a time limit. */
export function isInTime(db: Database): RawBuilder<SqlBool> | undefined {
  return isShared(db) ? undefined : sql<SqlBool>`is_in_time()`
}

/**
 * The rows of a SELECT that has {@link isInTime} among its conditions.
 *
 * @param caller who waits for it; undefined for the API key
 * @throws Refusal `general_argument_invalid` when it takes too long, 503 when too many wait
 */
export async function scan<Row>(
  db: Database,
  select: RawBuilder<Row>,
  caller: string | undefined,
): Promise<Row[]> {
  const maxMs = caller === undefined ? KEY_MAX_MS : MAX_MS
  if (isShared(db)) return await scanOnPostgres(db, select, maxMs)
  const { sql: text, parameters } = select.compile(db)
  const run = caller === undefined ? scanForKey : scanForPeople
  const answer = await run({ path: await pathOf(db), sql: text, parameters, maxMs }, caller)
  if (answer === 'busy') throw new Refusal('general_service_disabled')
  if (answer === 'tooLong' || answer.answer === 'tooLong') throw tooLong()
  // The thread answers with the rows that this very statement selects.
  return answer.answer as Row[]
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

function makeScanThread(maxMs: number) {
  const thread = makeWorkThread<ScanTask, unknown[] | 'tooLong'>(THREAD, {
    maxMs: maxMs + ROW_MAX_MS,
    idleMs: IDLE_MS,
    memoryMb: MEMORY_MB,
  })
  const inTurn = makeBoundedQueue({
    atOnce: 1,
    waiting: WAITING_MAX,
    waitingPerKey: WAITING_PER_CALLER_MAX,
    waitMaxMs: WAIT_MAX_MS,
  })
  return (task: ScanTask, caller: string | undefined) =>
    inTurn(() => thread(task), { key: caller ?? 'key' })
}

const scanForPeople = makeScanThread(MAX_MS)
const scanForKey = makeScanThread(KEY_MAX_MS)

const paths = new WeakMap<Database, string>()

async function pathOf(db: Database): Promise<string> {
  const known = paths.get(db)
  if (known !== undefined) return known
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list
    where name = 'main'`.execute(db)
  const path = rows[0]?.file ?? ''
  paths.set(db, path)
  return path
}
