// A SQLite database that is migrated and empty, for tests to copy.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '#backend/database/database.ts'
import { recordSetUp } from '#backend/site/site.ts'
import { findTempFolder } from './temp-folder.ts'

/** @returns the path of the file as `answer` */
export async function migrateSqlite() {
  const dataDir = await mkdtemp(join(await findTempFolder(), 'lamplight-migrated-'))
  const db = await openDatabase({ dataDir, databaseUrl: undefined })
  await recordSetUp(db, new Date())
  await db.destroy()
  return {
    answer: join(dataDir, 'blog.sqlite'),
    stop: () => rm(dataDir, { recursive: true, force: true }),
  }
}
