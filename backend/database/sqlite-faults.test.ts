// SQLite when something is wrong with it: a lock of another process, a disk that fails, a damaged
// page.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { DATABASE_WAITING_MAX } from '#contract/server-limits.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { isUnknownOutcome } from './faults.ts'
import { makeSqliteDialect, openSqliteFiles } from './sqlite-dialect.ts'
import { inTransaction } from './transaction.ts'

const background = makeBackground(makeLog('silent'))
const LOCK_MS = 1000
/** Ten in a line would take ten times as long. */
const NOT_IN_LINE_MS = 2 * LOCK_MS

type Notes = { note: { text: string } }

async function openNotes() {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-sqlite-'))
  const path = join(folder, 'blog.sqlite')
  const files = openSqliteFiles(path)
  const fatal: unknown[] = []
  const needs = { onFatal: (error: unknown) => fatal.push(error), lockMs: LOCK_MS }
  const db = new Kysely<Notes>({ dialect: makeSqliteDialect(files, needs) })
  await sql`create table note (text text not null)`.execute(db)
  return {
    db,
    path,
    files,
    fatal,
    add: (text: string) => db.insertInto('note').values({ text }).execute(),
    read: async () => (await db.selectFrom('note').select('text').execute()).map((it) => it.text),
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** From now on what `sql` says fails as a disk that cannot sync makes it fail. */
function failAt(file: SqliteFile.Database, failing: string, code: string): void {
  const prepare = file.prepare.bind(file)
  file.prepare = ((text: string) => {
    const statement = prepare(text)
    if (text.startsWith(failing))
      statement.run = () => {
        throw new SqliteFile.SqliteError('disk I/O error', code)
      }
    return statement
  }) as typeof file.prepare
}

test('while another process writes, reads go on and each write waits from its own arrival', async () => {
  await using notes = await openNotes()
  await notes.add('before')
  const other = new SqliteFile(notes.path)
  other.exec('begin immediate')
  const startedMs = performance.now()
  const writes = Array.from({ length: 10 }, (_, at) => notes.add(`late ${at}`).catch((e) => e))
  const inside = inTransaction(notes.db as never, background, async () => 'never').catch((e) => e)
  const readMs: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    const askedMs = performance.now()
    expect(await notes.read()).toEqual(['before'])
    readMs.push(performance.now() - askedMs)
  }
  expect(Math.max(...readMs)).toBeLessThan(500)
  const outcomes = await Promise.all([...writes, inside])
  expect(performance.now() - startedMs).toBeLessThan(NOT_IN_LINE_MS)
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  other.exec('rollback')
  other.close()
  await notes.add('after')
  expect(await notes.read()).toEqual(['before', 'after'])
})

test('so many writes wait and no more: one more is refused at once', async () => {
  await using notes = await openNotes()
  const other = new SqliteFile(notes.path)
  other.exec('begin immediate')
  const first = notes.add('first')
  const waiting = Array.from({ length: DATABASE_WAITING_MAX }, (_, at) => notes.add(`${at}`))
  await expect(notes.add('one more')).rejects.toMatchObject({ status: 503 })
  other.exec('rollback')
  other.close()
  await Promise.all([first, ...waiting])
  expect((await notes.read()).length).toBe(DATABASE_WAITING_MAX + 1)
})

test('a write waits for the lock of another process and then goes through, in order', async () => {
  await using notes = await openNotes()
  const other = new SqliteFile(notes.path)
  other.exec('begin immediate')
  const writes = ['one', 'two', 'three'].map((text) => notes.add(text))
  expect(await notes.read()).toEqual([])
  other.exec('rollback')
  other.close()
  await Promise.all(writes)
  expect(await notes.read()).toEqual(['one', 'two', 'three'])
})

test('a read beside a running transaction sees what is committed, afterwards what it wrote', async () => {
  await using notes = await openNotes()
  const gate = Promise.withResolvers<void>()
  const inserted = Promise.withResolvers<void>()
  const writing = notes.db.transaction().execute(async (tx) => {
    await tx.insertInto('note').values({ text: 'new' }).execute()
    inserted.resolve()
    await gate.promise
    return await tx.selectFrom('note').selectAll().execute()
  })
  await inserted.promise
  expect(await notes.read()).toEqual([])
  gate.resolve()
  expect(await writing).toEqual([{ text: 'new' }])
  expect(await notes.read()).toEqual(['new'])
})

test.each(['commit', 'insert into'])(
  'after a %s whose sync failed, no other write begins and the process is told once',
  async (failing) => {
    await using notes = await openNotes()
    await notes.add('before')
    failAt(notes.files.writer, failing, 'SQLITE_IOERR_FSYNC')
    const write = (text: string) =>
      failing === 'commit'
        ? notes.db.transaction().execute((tx) => tx.insertInto('note').values({ text }).execute())
        : sql`insert into note (text) values (${text}) -- again`.execute(notes.db)
    const failures = await Promise.all(
      ['one', 'two', 'three'].map((text) => write(text).catch((error: unknown) => error)),
    )
    expect(failures.map((error) => isUnknownOutcome(error))).toEqual([true, false, false])
    expect(failures).toMatchObject([{ status: 503 }, { status: 503 }, { status: 503 }])
    expect(notes.fatal).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    await expect(notes.add('four')).rejects.toMatchObject({ status: 503 })
  },
)

test('a full disk refuses the write alone, and the next one is tried', async () => {
  await using notes = await openNotes()
  failAt(notes.files.writer, 'commit', 'SQLITE_FULL')
  const write = () =>
    notes.db.transaction().execute((tx) => tx.insertInto('note').values({ text: 'x' }).execute())
  await expect(write()).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  await notes.add('room again')
  expect(await notes.read()).toEqual(['room again'])
  expect(notes.fatal).toEqual([])
})
