// Writes to the SQLite database of a blog in this process, without its server. It polls for the
// lock: waiting synchronously would block the transaction of the server.
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { expect } from 'vitest'

export async function writeDirectly(
  { dataDir }: { dataDir: string },
  work: (file: SqliteFile.Database) => unknown,
): Promise<void> {
  const file = new SqliteFile(join(dataDir, 'blog.sqlite'))
  file.pragma('busy_timeout = 0')
  const begin = () => {
    try {
      return file.exec('begin immediate').inTransaction
    } catch {
      return false
    }
  }
  try {
    await expect.poll(begin, { timeout: 30_000 }).toBe(true)
    work(file)
    file.exec('commit')
  } finally {
    file.close()
  }
}
