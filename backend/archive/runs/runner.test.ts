// Who works on a run: one process at a time, another one when that has ended; how often; and what
// stays of runs that have expired.
import { mkdir, mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Database } from '#backend/database/schema.ts'
import { makeDisk } from '#backend/files/disk.ts'
import { sweepFiles } from '#backend/files/sweep.ts'
import { makeId } from '#backend/process/ids.ts'
import { readConfig } from '#backend/settings/config.ts'
import { CHECK, CHOICES, COUNTS, makeJobs } from '#test/support/archive-runs.ts'
import { makeTestContext } from '#test/support/context.ts'
import { type OpenDatabase, testEachDatabase } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { putPiece } from './pieces.ts'
import type { RunTask } from './run-process.ts'
import { makeArchiveRunner } from './runner.ts'
import * as store from './runs-store.ts'
import { sweepRuns, sweepWorkFolders } from './sweep-runs.ts'

const SECOND_MS = 1000
const DAY_MS = 24 * 60 * 60 * SECOND_MS
const REQUEST = { fileName: 'old.xml', oldAddress: '', choices: CHOICES }

async function openHost(open: OpenDatabase) {
  const stack = new AsyncDisposableStack()
  const { db } = stack.use(await open())
  const folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-runs-'))
  stack.defer(() => folder.remove())
  const disk = makeDisk(join(folder.path, 'uploads'))
  let shiftMs = 0
  const context = {
    ...makeTestContext(db, {
      dataDir: folder.path,
      received: disk,
      chunks: disk,
      blobStore: makeDisk(join(folder.path, 'files')),
      now: () => new Date(Date.now() + shiftMs),
    }),
    config: readConfig({}),
  }
  await addPeople(db, ['ann'])
  return {
    db,
    context,
    dataDir: folder.path,
    passTime(ms: number) {
      shiftMs += ms
    },
    /** Another process of the blog. */
    startRunner(runTask: RunTask) {
      const runner = makeArchiveRunner(context, runTask)
      stack.defer(() => runner.stop())
      runner.start()
      return runner
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function insertRun(db: Database, change: Partial<store.Run> = {}): Promise<string> {
  const at = new Date().toISOString()
  const run: store.Run = {
    id: makeId(),
    kind: 'import',
    userId: 'ann',
    byId: 'ann',
    byName: 'ann',
    state: 'waiting',
    request: JSON.stringify(REQUEST),
    sizeBytes: 3,
    progress: '',
    result: JSON.stringify({ check: CHECK }),
    problem: '',
    worker: '',
    aliveUntil: at,
    attempts: 0,
    createdAt: at,
    startedAt: at,
    endedAt: '',
    expiresAt: at,
    ...change,
  }
  await store.insertRun(db, run)
  return run.id
}

const stateOf = async (db: Database, id: string) => (await store.findRun(db, id))?.state
const untilState = (db: Database, id: string, state: string | undefined) =>
  expect.poll(() => stateOf(db, id)).toBe(state)

testEachDatabase('of several processes one works on a run', async (open) => {
  await using host = await openHost(open)
  const jobs = makeJobs()
  const id = await insertRun(host.db)
  for (let process = 0; process < 4; process++) host.startRunner(jobs.runTask)
  const job = await jobs.next()
  await untilState(host.db, id, 'running')
  job.end({ result: { imported: COUNTS } })
  await untilState(host.db, id, 'done')
  expect(jobs.begun()).toBe(0)
})

testEachDatabase('a run whose process ended is claimed once its claim has lapsed', async (open) => {
  await using host = await openHost(open)
  const jobs = makeJobs()
  const aliveUntil = new Date(Date.now() + 10 * SECOND_MS).toISOString()
  const claim = { state: 'running', worker: 'another', aliveUntil, attempts: 1 }
  const id = await insertRun(host.db, claim)
  const runner = host.startRunner(jobs.runTask)
  runner.pollNow()
  expect(await store.findRun(host.db, id)).toMatchObject(claim)
  host.passTime(11 * SECOND_MS)
  runner.pollNow()
  expect((await jobs.next()).task.run).toMatchObject({ id, state: 'running', attempts: 2 })
})

testEachDatabase('a process that lost its claim stops and writes nothing', async (open) => {
  await using host = await openHost(open)
  const jobs = makeJobs()
  const id = await insertRun(host.db)
  host.startRunner(jobs.runTask)
  const job = await jobs.next()
  const aliveUntil = new Date(Date.now() + DAY_MS).toISOString()
  await store.changeRun(host.db, id, { worker: 'another', aliveUntil })
  await job.stopped
  expect(await store.findRun(host.db, id)).toMatchObject({ state: 'running', aliveUntil })
})

testEachDatabase('a stopped server leaves the run to the next start', async (open) => {
  await using host = await openHost(open)
  const jobs = makeJobs()
  const id = await insertRun(host.db)
  const runner = host.startRunner(jobs.runTask)
  await jobs.next()
  await runner.stop()
  expect(await store.findRun(host.db, id)).toMatchObject({ state: 'running', attempts: 0 })
  host.startRunner(jobs.runTask)
  expect((await jobs.next()).task.run.id).toBe(id)
})

testEachDatabase('a run whose process always ends fails after five attempts', async (open) => {
  await using host = await openHost(open)
  let begun = 0
  const id = await insertRun(host.db, { state: 'checking', startedAt: '', result: '' })
  const runner = host.startRunner(async () => {
    begun++
    return 'lost'
  })
  await expect
    .poll(() => {
      host.passTime(10 * SECOND_MS)
      runner.pollNow()
      return stateOf(host.db, id)
    })
    .toBe('failed')
  expect(begun).toBe(5)
  expect((await store.findRun(host.db, id))?.problem).toBe(
    'It was begun several times, and ended too early each time.',
  )
})

testEachDatabase('an import that takes long lets others go first, a dry run ends', async (open) => {
  await using host = await openHost(open)
  const jobs = makeJobs()
  const slow = await insertRun(host.db)
  host.startRunner(jobs.runTask)
  const first = await jobs.next()
  host.passTime(20 * 60 * SECOND_MS)
  const at = host.context.now().toISOString()
  const other = await insertRun(host.db, { state: 'checking', aliveUntil: at, startedAt: '' })
  await first.stopped
  expect((await jobs.next()).task.run.id).toBe(other)
  host.passTime(3 * 60 * 60 * SECOND_MS)
  expect((await jobs.next()).task.run.id).toBe(slow)
  expect(await store.findRun(host.db, other)).toMatchObject({
    state: 'failed',
    problem: 'It took too long.',
  })
})

testEachDatabase('an expired upload is deleted with its bytes', async (open) => {
  await using host = await openHost(open)
  const { db, context, dataDir } = host
  const id = await insertRun(db, { state: 'uploading', startedAt: '' })
  const piece = await putPiece(context, [Buffer.from('abc')], 3)
  await store.insertPiece(db, { runId: id, number: 0, ...piece })
  await sweepRuns(context)
  await context.background.drained()
  expect(await store.findRun(db, id)).toBe(undefined)
  expect(await readdir(join(dataDir, 'uploads'))).toEqual([])
})

testEachDatabase('an import that was paused for too long can still be undone', async (open) => {
  await using host = await openHost(open)
  const { db, context, dataDir } = host
  const id = await insertRun(db, { state: 'paused' })
  const piece = await putPiece(context, [Buffer.from('abc')], 3)
  await store.insertPiece(db, { runId: id, number: 0, ...piece })
  await sweepRuns(context)
  await context.background.drained()
  expect(await stateOf(db, id)).toBe('failed')
  expect(await readdir(join(dataDir, 'uploads'))).toEqual([])
  host.passTime(29 * DAY_MS)
  await sweepRuns(context)
  expect(await stateOf(db, id)).toBe('failed')
  host.passTime(2 * DAY_MS)
  await sweepRuns(context)
  expect(await stateOf(db, id)).toBe(undefined)
})

testEachDatabase('the sweep of files keeps pieces with a run, and removes others', async (open) => {
  await using host = await openHost(open)
  const { db, context, dataDir } = host
  const id = await insertRun(db, { state: 'checked', startedAt: '' })
  const piece = await putPiece(context, [Buffer.from('abc')], 3)
  await store.insertPiece(db, { runId: id, number: 0, ...piece })
  await putPiece(context, [Buffer.from('orphan')], 6)
  host.passTime(2 * DAY_MS)
  await sweepFiles(context)
  expect(await readdir(join(dataDir, 'uploads'))).toEqual([piece.storedName])
})

testEachDatabase('work folders of ended and unknown runs are removed', async (open) => {
  await using host = await openHost(open)
  const { db, context, dataDir } = host
  const needed = await insertRun(db, { state: 'checked' })
  const ended = await insertRun(db, { state: 'done' })
  for (const name of [needed, ended, 'unknown'])
    await mkdir(join(dataDir, 'archives', name), { recursive: true })
  await sweepWorkFolders(context)
  expect(await readdir(join(dataDir, 'archives'))).toEqual([needed])
})
