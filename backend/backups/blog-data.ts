// The running blog's data as a backup sees it: the database at one moment, and where bytes are.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Keeper } from '../files/keeper.ts'
import { makePlaces } from '../files/places.ts'
import type { S3Config } from '../settings/read-settings.ts'
import type { DatabaseKind } from './manifest.ts'
import { findPgProgram, runPgProgram } from './pg-programs.ts'
import { findUnreadable, openPostgresReader, readServer } from './postgres-store.ts'
import {
  type Ask,
  countRows,
  findChunkBytes,
  findFileBytes,
  findMigrations,
  findMiscounted,
  findNewestMs,
  hasName,
  type NamedBytes,
} from './rows-store.ts'
import { checkSqlite, copySqlite, openSqliteReader } from './sqlite-store.ts'

/** Where a blog keeps its data, as the settings say. */
export type BlogPlaces = {
  dataDir: string
  databaseUrl: string | undefined
  s3: S3Config | undefined
}

export const SQLITE_FILE = 'blog.sqlite'
/** Stored bytes have such names; whatever else is in their folders is being written. */
const STORED_NAME = /^[0-9a-f]{20}-[0-9a-f]{16}$/
/** In the data folder itself: the database, copied by its own means, and what is being written. */
const NO_SECRET = /^(?:blog\.sqlite.*|\..*|.*\.new)$/

export function kindOf({ databaseUrl }: Pick<BlogPlaces, 'databaseUrl'>): DatabaseKind {
  return databaseUrl === undefined ? 'sqlite' : 'postgres'
}

export type Snapshot = AsyncDisposable & {
  /** Asks the database as it was at the moment of the snapshot. */
  ask: Ask
  tables: string[]
  /** Asks it as it is now. */
  askNow: Ask
  /**
   * Writes the database of that moment to a new file.
   * @returns the version of pg_dump that did it; 0 for SQLite
   */
  save(path: string): Promise<number>
}

/** @throws Error when the database cannot be opened */
export async function openSnapshot({ dataDir, databaseUrl }: BlogPlaces): Promise<Snapshot> {
  return databaseUrl === undefined
    ? await openSqliteSnapshot(join(dataDir, SQLITE_FILE))
    : await openPostgresSnapshot(databaseUrl)
}

async function openSqliteSnapshot(path: string): Promise<Snapshot> {
  const then = await openSqliteReader(path, { isSnapshot: true })
  return {
    ask: then.ask,
    tables: then.tables(),
    async askNow(sql) {
      using now = await openSqliteReader(path, { isSnapshot: false })
      return await now.ask(sql)
    },
    async save(to) {
      await copySqlite(then, to)
      return 0
    },
    [Symbol.asyncDispose]: async () => then[Symbol.dispose](),
  }
}

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const then = await openPostgresReader(url, { isSnapshot: true })
  return {
    ask: then.ask,
    tables: await then.tables(),
    async askNow(sql) {
      await using now = await openPostgresReader(url, { isSnapshot: false })
      return await now.ask(sql)
    },
    async save(to) {
      const program = await findPgProgram('pg_dump', then.major)
      const args = ['--format=custom', '--no-owner', '--no-privileges', `--file=${to}`]
      await runPgProgram(program, [...args, `--snapshot=${then.snapshot}`], url)
      return program.major
    },
    [Symbol.asyncDispose]: then[Symbol.asyncDispose],
  }
}

/** What the doctor reads of a database. */
export type Inspection = {
  /** What is wrong inside it, damaged tables by name. */
  damages: string[]
  rows: Record<string, number>
  migrations: string[]
  /** Posts that count other likes than they have. */
  miscounted: string[]
  files: NamedBytes[]
  chunks: NamedBytes[]
  /** Of these lines, each beginning with a stored name, those that a row still names now. */
  stillNamed(lines: string[]): Promise<string[]>
  /** Name and version of the database; its major version, 0 for SQLite. */
  server: string
  serverMajor: number
  /** The database server's own clock, where there is one. */
  clockMs: number | undefined
  /** The newest time in it. */
  newestMs: number
}

/** Reads through the whole database. @throws Error when it cannot be opened */
export async function inspectDatabase(places: BlogPlaces): Promise<Inspection> {
  const { databaseUrl } = places
  const state =
    databaseUrl === undefined
      ? await inspectSqlite(join(places.dataDir, SQLITE_FILE))
      : await inspectPostgres(databaseUrl)
  if (state.damages.length > 0)
    return {
      ...state,
      rows: {},
      migrations: [],
      miscounted: [],
      files: [],
      chunks: [],
      ...NOTHING_NAMED,
    }
  await using snapshot = await openSnapshot(places)
  const { ask, tables } = snapshot
  const migrations = await findMigrations(ask, tables)
  return {
    ...state,
    rows: await countRows(ask, tables),
    migrations,
    miscounted: await findMiscounted(ask, migrations),
    files: await findFileBytes(ask),
    chunks: await findChunkBytes(ask),
    newestMs: await findNewestMs(ask),
    async stillNamed(lines) {
      if (lines.length === 0) return []
      await using now = await openSnapshot(places)
      const still: string[] = []
      for (const line of lines)
        if (await hasName(now.ask, line.split(' ')[0] ?? '')) still.push(line)
      return still
    },
  }
}

const NOTHING_NAMED = { stillNamed: async () => [], newestMs: 0 }

type State = Pick<Inspection, 'damages' | 'server' | 'serverMajor' | 'clockMs'>

async function inspectSqlite(path: string): Promise<State> {
  using reader = await openSqliteReader(path, { isSnapshot: false })
  const [row] = await reader.ask('select sqlite_version() as "version"')
  const server = `SQLite ${row?.version}`
  return { damages: checkSqlite(reader), server, serverMajor: 0, clockMs: undefined }
}

async function inspectPostgres(url: string): Promise<State> {
  await using reader = await openPostgresReader(url, { isSnapshot: false })
  const { name, clockMs } = await readServer(reader)
  const damages = await findUnreadable(reader)
  return { damages, server: name, serverMajor: reader.major, clockMs }
}

/** Where bytes are: finished files, and what has been received of unfinished ones. */
export function openKeepers({ dataDir, s3, databaseUrl }: BlogPlaces): {
  files: Keeper
  uploads: Keeper
} {
  const places = makePlaces({ dataDir, s3, isShared: databaseUrl !== undefined })
  return { files: places.keeper, uploads: places.chunks }
}

/** Chunks are at the S3 server, too. */
export function sharesChunks({ s3, databaseUrl }: BlogPlaces): boolean {
  return s3 !== undefined && databaseUrl !== undefined
}

/** Names of everything that is completely kept. */
export async function listStored(keeper: Keeper): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of keeper.list()) if (STORED_NAME.test(name)) names.push(name)
  return names
}

/** Names of the secrets, and of whatever else lies in the data folder itself. */
export async function listSecrets(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !NO_SECRET.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
}
