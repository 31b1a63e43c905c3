// A real PostgreSQL from npm, started once for a test run; each store test gets a database of its
// own (databases.ts).
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#backend/database/database.ts'
import { EmbeddedPostgres } from '#scripts/own-postgres.ts'
import { findPort } from '#scripts/processes.ts'
import { findRoom } from './in-memory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server, without a database name. */
    postgresUrl: string
    /**
     * The name of a database and the path of a file, migrated and empty: copied for each store
     * test, because migrating would cost more than most of them.
     */
    migrated: { postgres: string; sqlite: string }
  }
}

const MIGRATED = 'migrated'
// biome-ignore lint/style/noDefaultExport: vitest loads a global set-up by its default export
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await findRoom(), 'lamplight-pg-'))
  // The server's own user must be able to enter it.
  await chmod(folder, 0o755)
  const port = await findPort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'db'),
    port,
    user: 'blog',
    password: 'blog',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'max_connections=200', '-c', 'fsync=off'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const url = `postgres://blog:blog@127.0.0.1:${port}`
  await server.createDatabase(MIGRATED)
  await migrate({ dataDir: '', databaseUrl: `${url}/${MIGRATED}` })
  await migrate({ dataDir: folder, databaseUrl: undefined })
  project.provide('postgresUrl', url)
  project.provide('migrated', { postgres: MIGRATED, sqlite: join(folder, 'blog.sqlite') })
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function migrate(opening: Parameters<typeof openDatabase>[0]): Promise<void> {
  const db = await openDatabase(opening)
  await db.destroy()
}
