// SQLite when something is wrong with it: a lock of another process, a disk that fails, a damaged
// page.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DATABASE_WAITING_MAX } from '#contract/server-limits.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { isUnknownOutcome } from './faults.ts'
import { makeSqliteDialect, openSqliteFiles } from './sqlite-dialect.ts'
import { makeSyncs } from './sqlite-log-sync.ts'
import { inTransaction } from './transaction.ts'

const background = makeBackground(makeLog('silent'))
const LOCK_MS = 60_000

type Notes = { note: { text: string } }

/** Fails in place of SQLite's statements that begin so. */
type Faults = Map<string, string>

async function openNotes({ sync, ...limits }: OpenOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-sqlite-'))
  const path = join(folder, 'blog.sqlite')
  const opened = openSqliteFiles(path)
  const files = sync ? { ...opened, log: makeSyncs({ sync, end: opened.log.close }) } : opened
  const faults: Faults = new Map()
  const prepared = failAt(files.writer, faults)
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => fatal.push(error)
  const needs = { onFatal, lockMs: LOCK_MS, ...limits }
  const db = new Kysely<Notes>({ dialect: makeSqliteDialect(files, needs) })
  await sql`create table note (text text not null)`.execute(db)
  return {
    db,
    path,
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
type OpenOptions = { sync?: () => Promise<void>; checkpointAtPages?: number; groupMs?: number }

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

test('while another process writes, reads go on and each write waits from its own arrival', async () => {
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
  // The clock stands still now: whoever began to wait when its turn came would wait for ever.
  for (const outcome of await Promise.all(early))
    expect(outcome).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  expect(ended).toBe(early.length)
  other.exec('rollback')
  other.close()
  await late
  await notes.add('after')
  expect(await notes.read()).toEqual(['before', 'late', 'after'])
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

test.each([
  ['commit', 'a transaction', [true, true, true]],
  ['commit', 'a statement by itself', [true, true, true]],
  ['insert into', 'a transaction', [false, false, false]],
] as const)(
  'after a %s of %s that the disk failed, no other write begins and the process is told once',
  async (failing, kind, areUnknown) => {
    await using notes = await openNotes({ groupMs: LOCK_MS })
    await notes.add('before')
    notes.faults.set(failing, 'SQLITE_IOERR_FSYNC')
    const write = (text: string) =>
      kind === 'a transaction'
        ? notes.db.transaction().execute((tx) => tx.insertInto('note').values({ text }).execute())
        : notes.add(text)
    const failures = await Promise.all(
      ['one', 'two', 'three'].map((text) => write(text).catch((error: unknown) => error)),
    )
    expect(failures.map((error) => isUnknownOutcome(error))).toEqual(areUnknown)
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

test('a full disk refuses those that are committed together, and the next one is tried', async () => {
  await using notes = await openNotes({ groupMs: LOCK_MS })
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

test('writes that wait are one commit and one sync, in their order; a failed one takes back itself alone', async () => {
  let syncs = 0
  const sync = async () => {
    syncs += 1
  }
  await using notes = await openNotes({ sync, groupMs: LOCK_MS })
  const before = notes.prepared.get('commit') ?? 0
  syncs = 0
  const done: string[] = []
  const write = (text: string) =>
    inTransaction(notes.db as never, background, async (tx) => {
      await (tx as unknown as Kysely<Notes>).insertInto('note').values({ text }).execute()
      if (text === 'bad') throw new Error('taken back')
    }).then(
      () => done.push(text),
      () => done.push(`no ${text}`),
    )
  const alone = notes.add('alone').then(() => done.push('alone'))
  await Promise.all([write('one'), alone, write('bad'), write('two'), write('three')])
  expect((await notes.read()).toSorted()).toEqual(['alone', 'one', 'three', 'two'])
  expect(await notes.read()).toEqual(done.filter((text) => !text.startsWith('no')))
  expect(done).toContain('no bad')
  expect((notes.prepared.get('commit') ?? 0) - before).toBe(1)
  expect(syncs).toBe(1)
})

test('a write is answered after the sync that began behind its commit; reads go on meanwhile', async () => {
  const gates: PromiseWithResolvers<void>[] = []
  let isHeld = false
  const sync = async () => {
    if (!isHeld) return
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
  }
  await using notes = await openNotes({ sync })
  isHeld = true
  const done: string[] = []
  const say = (text: string) => () => void done.push(text)
  const first = notes.add('first').then(say('first'))
  await expect.poll(() => gates.length).toBe(1)
  const second = notes.add('second').then(say('second'))
  await expect.poll(notes.read).toEqual(['first', 'second'])
  expect(gates.length).toBe(1)
  expect(done).toEqual([])
  gates[0]?.resolve()
  await first
  await expect.poll(() => gates.length).toBe(2)
  expect(done).toEqual(['first'])
  gates[1]?.resolve()
  await second
  expect(done).toEqual(['first', 'second'])
})

test('a failed sync is not tried again: whoever waits does not know, and the process is told once', async () => {
  const gate = Promise.withResolvers<void>()
  let syncs = 0
  const sync = () => (++syncs === 1 ? Promise.resolve() : gate.promise)
  await using notes = await openNotes({ sync })
  const waiting = [notes.add('one').catch((error: unknown) => error)]
  await expect.poll(() => syncs).toBe(2)
  waiting.push(notes.add('two').catch((error: unknown) => error))
  await expect.poll(notes.read).toEqual(['one', 'two'])
  gate.reject(Object.assign(new Error('i/o error, fdatasync'), { code: 'EIO' }))
  const failures = await Promise.all(waiting)
  expect(failures.map((error) => isUnknownOutcome(error))).toEqual([true, true])
  expect(notes.fatal).toMatchObject([{ code: 'EIO' }])
  expect(syncs).toBe(2)
  await expect(notes.add('three')).rejects.toMatchObject({ status: 503 })
})

test('the log begins anew once it is long, while writes go on, and nothing is lost', async () => {
  await using notes = await openNotes({ checkpointAtPages: 100 })
  const text = 'x'.repeat(8000)
  const writers = Array.from({ length: 4 }, async () => {
    for (let turn = 0; turn < 150; turn++) await notes.add(text)
  })
  await Promise.all(writers)
  const file = new SqliteFile(notes.path, { readonly: true })
  const pages = () => (file.pragma('wal_checkpoint(noop)') as { log: number }[])[0]?.log ?? 0
  await expect
    .poll(async () => {
      await notes.add('end')
      return pages()
    })
    .toBeLessThan(100)
  expect((await notes.read()).filter((one) => one === text).length).toBe(600)
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
  file.close()
})
