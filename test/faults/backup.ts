// A backup made during writes and restored elsewhere contains every write that was acknowledged
// before the backup began, on SQLite and on PostgreSQL.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { backUp, listBackupPaths, makeFolders, restore } from '#test/support/backups.ts'
import { makeDataDir, type ServerProcess, startServer } from '#test/support/process.ts'
import { makeChecks, type Outcome, seconds } from './scenario.ts'
import {
  findLost,
  findRowsWithoutBytes,
  type Person,
  signUp,
  startWriting,
  type Writing,
  type Written,
} from './writing.ts'

const WRITERS = 4
/** With two calls per turn, the writers make about 20 writes a second. */
const PAUSE_MS = 300
const WARM_UP_MS = 15_000
const BACKUPS = 3
const BETWEEN_MS = 3000

/** Variables with the addresses of two empty databases; empty for SQLite. */
type Databases = { from: Record<string, string>; to: Record<string, string> }

export function backUpSqlite(): Promise<Outcome> {
  return backUpUnderWrites({ from: {}, to: {} })
}

export async function backUpPostgres(): Promise<Outcome> {
  await using postgres = await startEmbeddedPostgres()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create database again')
  await client.end()
  return await backUpUnderWrites({
    from: { BLOG_DATABASE_URL: postgres.url },
    to: { BLOG_DATABASE_URL: postgres.url.replace(/blog$/, 'again') },
  })
}

async function backUpUnderWrites({ from, to }: Databases): Promise<Outcome> {
  await using data = await makeDataDir()
  await using folders = await makeFolders()
  const { faults, expect } = makeChecks()
  const server = await startServer(data.path, from)
  const person = await signUp(server.url, 'writer')
  const startedMs = performance.now()
  const writing = await startWriting(server.url, person, { writers: WRITERS, pauseMs: PAUSE_MS })
  await delay(WARM_UP_MS)
  const acknowledged: Written[] = []
  const tookMs: number[] = []
  for (let round = 0; round < BACKUPS; round++) {
    acknowledged.splice(0, acknowledged.length, ...writing.written)
    const beganMs = performance.now()
    const backup = await backUp({ dataDir: data.path }, folders.backups, from)
    tookMs.push(performance.now() - beganMs)
    expect(backup.code === 0, `backup ${round + 1}: ${backup.err}`)
    await delay(BETWEEN_MS)
  }
  const perSecond = await stopWriting(writing, startedMs)
  expect((await server.stop()) === 0, 'the stop was not clean')
  const [newest = ''] = (await listBackupPaths(folders.backups)).toReversed()
  const restored = await restore(newest, folders.restored, to)
  expect(restored.code === 0, `restore: ${restored.err}`)
  const lost = restored.code === 0 ? await lookAt(folders.restored, to, person, acknowledged) : []
  expect(writing.longestMs() < BETWEEN_MS, `a write took ${seconds(writing.longestMs())}`)
  return {
    acknowledged: acknowledged.length,
    lost: lost.length,
    faults: [...faults, ...lost],
    notes: [
      `${perSecond.toFixed(0)} writes/s`,
      `${BACKUPS} backups of ${tookMs.map(seconds).join(', ')}`,
      `longest write ${Math.round(writing.longestMs())} ms`,
    ],
  }
}

/** @returns writes a second */
async function stopWriting(writing: Writing, startedMs: number): Promise<number> {
  const tookMs = performance.now() - startedMs
  await writing.stop()
  return (writing.written.length / tookMs) * 1000
}

async function lookAt(
  dataDir: string,
  env: Record<string, string>,
  person: Person,
  before: Written[],
): Promise<string[]> {
  const server: ServerProcess = await startServer(dataDir, env)
  try {
    const lost = await findLost(server.url, person, before)
    return [...lost, ...(await findRowsWithoutBytes(server.url, person))]
  } finally {
    await server.stop()
  }
}
