// SQLite with faults: a lock of another process, a failing disk, a damaged page.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { CommitOutcomeUnknown, DATABASE_WAITING_MAX } from './database-errors.ts'
import { RUN_AT_COMMIT } from './dialect.ts'
import { makeSqliteDialect, openSqliteFiles } from './sqlite-dialect.ts'
import { inTransaction } from './transaction.ts'

const background = makeBackground(makeLog('silent'))
const LOCK_MS = 60_000

type Notes = { note: { text: string } }

/** The error code with which statements that begin with the text fail. */
type Faults = Map<string, string>

async function openNotes(limits: { sharedMs?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-sqlite-'))
  const path = join(folder, 'blog.sqlite')
  const files = openSqliteFiles(path)
  const faults: Faults = new Map()
  const prepared = failAt(files.writer, faults)
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => fatal.push(error)
  const context = { onFatal, lockMs: LOCK_MS, ...limits }
  const db = new Kysely<Notes>({ dialect: makeSqliteDialect(files, context) })
  await sql`create table note (text text not null)`.execute(db)
  return {
    db,
    path,
    files,
    prepared,
    faults,
    fatal,
    add: (text: string) => db.insertInto('note').values({ text }).execute(),
    read: async () => (await db.selectFrom('note').select('text').execute()).map((it) => it.text),
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @returns how often each statement ran */
function failAt(file: SqliteFile.Database, faults: Faults): Map<string, number> {
  const ran = new Map<string, number>()
  const prepare = file.prepare.bind(file)
  file.prepare = ((text: string) => {
    const statement = prepare(text)
    const run = statement.run.bind(statement)
    statement.run = (...values) => {
      ran.set(text, (ran.get(text) ?? 0) + 1)
      for (const [failing, code] of faults)
        if (text.startsWith(failing)) throw new SqliteFile.SqliteError('disk I/O error', code)
      return run(...values)
    }
    return statement
  }) as typeof file.prepare
  return ran
}

test('while another process writes, reads go on, and the time limit of each write begins with its arrival', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await using notes = await openNotes()
  await notes.add('before')
  const other = new SqliteFile(notes.path)
  other.exec('begin immediate')
  let ended = 0
  const outcomeOf = (write: Promise<unknown>) =>
    write.catch((error: unknown) => error).finally(() => ended++)
  const early = Array.from({ length: 10 }, (_, at) => outcomeOf(notes.add(`early ${at}`)))
  early.push(outcomeOf(inTransaction(notes.db as never, background, async () => 'never')))
  for (let turn = 0; turn < 20; turn++) expect(await notes.read()).toEqual(['before'])
  expect(ended).toBe(0)
  await vi.advanceTimersByTimeAsync(LOCK_MS / 2)
  const late = outcomeOf(notes.add('late'))
  expect(await notes.read()).toEqual(['before'])
  expect(ended).toBe(0)
  await vi.advanceTimersByTimeAsync(LOCK_MS / 2)
  // The clock stands still now: a write whose time limit began with its turn would wait for ever.
  for (const outcome of await Promise.all(early))
    expect(outcome).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  expect(ended).toBe(early.length)
  other.exec('rollback')
  other.close()
  await late
  await notes.add('after')
  expect(await notes.read()).toEqual(['before', 'late', 'after'])
})

test('a write that has timed out when its turn comes lets the next one run', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await using notes = await openNotes()
  const other = new SqliteFile(notes.path)
  other.exec('begin immediate')
  const outcomes: Promise<unknown>[] = []
  for (let at = 0; at < 400; at++) {
    outcomes.push(notes.add(`${at}`).catch((error: unknown) => error))
    await vi.advanceTimersByTimeAsync(LOCK_MS / 300)
  }
  other.exec('rollback')
  other.close()
  await notes.add('after')
  await vi.advanceTimersByTimeAsync(2 * LOCK_MS)
  await Promise.all(outcomes)
  expect((await notes.read()).at(-1)).toBe('after')
})

test('a write beyond the waiting limit is refused at once', async () => {
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

test('writes wait for the lock of another process and then succeed, in order', async () => {
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

test('a read beside a running transaction sees committed data only', async () => {
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

test.each([
  ['commit', 'a transaction', [true, true, true]],
  ['commit', 'a statement by itself', [true, true, true]],
  ['insert into', 'a transaction', [false, false, false]],
] as const)(
  'after the disk fails at the %s of %s, no other write begins and onFatal is called once',
  async (failing, kind, areUnknown) => {
    await using notes = await openNotes({ sharedMs: LOCK_MS })
    await notes.add('before')
    notes.faults.set(failing, 'SQLITE_IOERR_FSYNC')
    const write = (text: string) =>
      kind === 'a transaction'
        ? notes.db.transaction().execute((tx) => tx.insertInto('note').values({ text }).execute())
        : notes.add(text)
    const failures = await Promise.all(
      ['one', 'two', 'three'].map((text) => write(text).catch((error: unknown) => error)),
    )
    expect(failures.map((error) => error instanceof CommitOutcomeUnknown)).toEqual(areUnknown)
    expect(failures).toMatchObject([{ status: 503 }, { status: 503 }, { status: 503 }])
    expect(notes.fatal).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
    await expect(notes.add('four')).rejects.toMatchObject({ status: 503 })
  },
)

test.each(['', '-wal'])(
  'while blog.sqlite%s is gone or another file is in its place, nothing is acknowledged',
  async (ending) => {
    await using notes = await openNotes()
    await notes.add('before')
    const path = notes.path + ending
    await rename(path, `${notes.path}.away`)
    await expect(notes.add('gone')).rejects.toMatchObject({ status: 503 })
    await writeFile(path, '')
    await expect(notes.add('replaced')).rejects.toMatchObject({ status: 503 })
    await rename(`${notes.path}.away`, path)
    await notes.add('after')
    expect(await notes.read()).toEqual(['before', 'after'])
    expect(notes.fatal).toEqual([])
  },
)

test('a full disk fails all writes of a shared commit, and the next one is attempted', async () => {
  await using notes = await openNotes({ sharedMs: LOCK_MS })
  notes.faults.set('commit', 'SQLITE_FULL')
  const write = () =>
    notes.db.transaction().execute((tx) => tx.insertInto('note').values({ text: 'x' }).execute())
  const outcomes = await Promise.allSettled([write(), notes.add('y'), write()])
  expect(outcomes).toMatchObject(Array(3).fill({ reason: { code: 'SQLITE_FULL' } }))
  notes.faults.clear()
  await notes.add('room again')
  expect(await notes.read()).toEqual(['room again'])
  expect(notes.fatal).toEqual([])
})

test('the settings sync each commit before it is visible, and let no wait block the event loop', async () => {
  await using notes = await openNotes()
  const settings = ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'busy_timeout']
  const values = settings.map((name) => notes.files.writer.pragma(name, { simple: true }))
  expect(values).toEqual(['wal', 2, 1000, 0])
  expect(notes.files.reader.pragma('busy_timeout', { simple: true })).toBe(0)
  expect(notes.files.reader.readonly).toBe(true)
})

test('waiting writes share a commit, in order; a failed one rolls back only itself', async () => {
  await using notes = await openNotes({ sharedMs: LOCK_MS })
  const before = notes.prepared.get('commit') ?? 0
  const outcomes: string[] = []
  const write = (text: string) =>
    inTransaction(notes.db as never, background, async (tx) => {
      await (tx as unknown as Kysely<Notes>).insertInto('note').values({ text }).execute()
      if (text === 'bad') throw new Error('taken back')
    }).then(
      () => outcomes.push(text),
      () => outcomes.push(`no ${text}`),
    )
  const alone = notes.add('alone').then(() => outcomes.push('alone'))
  await Promise.all([write('one'), alone, write('bad'), write('two'), write('three')])
  expect((await notes.read()).toSorted()).toEqual(['alone', 'one', 'three', 'two'])
  expect(outcomes).toContain('no bad')
  expect((notes.prepared.get('commit') ?? 0) - before).toBe(1)
})

test('statements deferred to the commit run before it, after all writes, unless rolled back', async () => {
  await using notes = await openNotes({ sharedMs: LOCK_MS })
  const write = (text: string) =>
    notes.db.transaction().execute(async (tx) => {
      const later = sql.raw(`${RUN_AT_COMMIT}insert into note select 'behind ${text}'`)
      await sql`${later}`.execute(tx)
      await tx.insertInto('note').values({ text }).execute()
      if (text === 'bad') throw new Error('taken back')
    })
  await Promise.allSettled([write('one'), write('bad'), write('two')])
  expect(await notes.read()).toEqual(['one', 'two', 'behind one', 'behind two'])
  notes.faults.set(RUN_AT_COMMIT, 'SQLITE_FULL')
  const outcomes = await Promise.allSettled([write('three'), notes.add('four')])
  expect(outcomes).toMatchObject(Array(2).fill({ reason: { code: 'SQLITE_FULL' } }))
  expect((await notes.read()).length).toBe(4)
})

test('statements deferred to the commit are bounded, and yield to the event loop', async () => {
  await using notes = await openNotes({ sharedMs: LOCK_MS })
  const writes = 60
  const later = sql`${sql.raw(RUN_AT_COMMIT)}insert into note with recursive number(n) as
    (select 1 union all select n + 1 from number where n < 50000)
    select max(n) from number where ${'a text '.repeat(700)} != ''`
  const run = later.compile(notes.db).sql
  const before = notes.prepared.get('commit') ?? 0
  let written = 0
  const write = () => notes.db.transaction().execute((tx) => later.execute(tx))
  const all = Promise.all(Array.from({ length: writes }, write)).then(() => {
    written = writes
  })
  const seen = new Set<number>()
  while (written < writes) {
    await nextTurn()
    seen.add(notes.prepared.get(run) ?? 0)
  }
  await all
  expect((notes.prepared.get('commit') ?? 0) - before).toBeGreaterThanOrEqual(3)
  expect(seen.size).toBeGreaterThan(writes / 6)
})

/** Holds a transaction, and the shared one around it, open until it is released. */
async function holdOpen({ db }: { db: Kysely<Notes> }) {
  const inside = Promise.withResolvers<void>()
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const ended = db.transaction().execute(async (tx) => {
    await tx.insertInto('note').values({ text: 'held' }).execute()
    inside.resolve()
    await promise
  })
  return { inside: inside.promise, letGo, ended }
}

test('before a shared transaction commits, none of its writes is visible, and no write or refusal is answered', async () => {
  await using notes = await openNotes({ sharedMs: LOCK_MS })
  await sql`create unique index only_once on note (text)`.execute(notes.db)
  const answered: string[] = []
  const say = (text: string) => () => void answered.push(text)
  const first = notes.add('taken').then(say('first'))
  const again = notes.add('taken').catch(say('taken'))
  const look = notes.db
    .transaction()
    .execute(async (tx) => {
      const { length } = await tx.selectFrom('note').select('text').execute()
      if (length > 0) throw new Error('there is one')
    })
    .catch(say('seen'))
  const held = await holdOpen(notes)
  await held.inside
  for (let turn = 0; turn < 20; turn++) expect(await notes.read()).toEqual([])
  expect(answered).toEqual([])
  held.letGo()
  await Promise.all([first, again, look, held.ended])
  expect(answered.toSorted()).toEqual(['first', 'seen', 'taken'])
  expect((await notes.read()).toSorted()).toEqual(['held', 'taken'])
})

test('a refusal that depends on a lost write is not returned', async () => {
  await using notes = await openNotes({ sharedMs: LOCK_MS })
  await sql`create unique index only_once on note (text)`.execute(notes.db)
  const write = () =>
    notes.db.transaction().execute((tx) => tx.insertInto('note').values({ text: 'same' }).execute())
  notes.faults.set('commit', 'SQLITE_FULL')
  const outcomes = await Promise.allSettled([write(), write(), notes.add('same')])
  expect(outcomes).toMatchObject(Array(3).fill({ reason: { code: 'SQLITE_FULL' } }))
  expect(await notes.read()).toEqual([])
})

test('a series of reads yields to the event loop', async () => {
  await using notes = await openNotes()
  await notes.add('one')
  let isOthersTurn = false
  setImmediate(() => {
    isOthersTurn = true
  })
  let reads = 0
  for (; !isOthersTurn && reads < 50_000; reads++) await notes.read()
  expect(reads).toBeLessThan(50_000)
})

test('the first of many waiting writes are answered before the last one runs', async () => {
  await using notes = await openNotes({ sharedMs: 0 })
  let answered = 0
  let answeredBeforeLast = 0
  const write = () =>
    notes.db
      .transaction()
      .execute(async (tx) => {
        answeredBeforeLast = answered
        await tx.insertInto('note').values({ text: 'x' }).execute()
        await nextTurn()
      })
      .then(() => void answered++)
  await Promise.all(Array.from({ length: 50 }, write))
  expect(answeredBeforeLast).toBeGreaterThan(0)
})

test('while one process writes all the time, another one gets the lock repeatedly', async () => {
  await using notes = await openNotes()
  const files = openSqliteFiles(notes.path)
  const dialect = makeSqliteDialect(files, { onFatal: () => {}, lockMs: LOCK_MS })
  await using other = new Kysely<Notes>({ dialect })
  let isOver = false
  let writes = 0
  const busy = Array.from({ length: 32 }, async () => {
    for (; !isOver; writes++) await notes.add('x'.repeat(5000))
  })
  for (let turn = 0; turn < 10; turn++)
    await other.insertInto('note').values({ text: 'other' }).execute()
  isOver = true
  await Promise.all(busy)
  expect(writes).toBeGreaterThan(0)
  expect((await notes.read()).length).toBe(writes + 10)
})

test('the write-ahead log restarts once it is long, while writes go on, and nothing is lost', async () => {
  await using notes = await openNotes()
  const text = 'x'.repeat(8000)
  const writers = Array.from({ length: 4 }, async () => {
    for (let turn = 0; turn < 400; turn++) await notes.add(text)
  })
  await Promise.all(writers)
  const file = new SqliteFile(notes.path, { readonly: true })
  const [checkpoint] = file.pragma('wal_checkpoint(noop)') as { log: number }[]
  expect(checkpoint?.log).toBeLessThan(2000)
  expect((await notes.read()).length).toBe(1600)
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
  file.close()
})
