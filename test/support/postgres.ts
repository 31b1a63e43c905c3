// A real PostgreSQL from npm for a run of tests; each test gets a database of its own
// (databases.ts).
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '#backend/database/database.ts'
import { recordSetUp } from '#backend/site/site.ts'
import { EmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { findPort } from '#scripts/processes.ts'
import { findTempFolder } from './temp-folder.ts'

/** The name of a database that is migrated and empty, for tests to copy. */
export const MIGRATED = 'migrated'

/** @returns the address as `answer`, without a database name */
export async function startPostgres() {
  const folder = await mkdtemp(join(await findTempFolder(), 'lamplight-pg-'))
  // The user of the server needs access to the folder.
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
  const db = await openDatabase({ dataDir: '', databaseUrl: `${url}/${MIGRATED}` })
  await recordSetUp(db, new Date())
  await db.destroy()
  return {
    answer: url,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
