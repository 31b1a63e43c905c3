// The thread in which SQLite goes through many rows (scan.ts). It reads what is committed.
import { parentPort } from 'node:worker_threads'
import SqliteFile from 'better-sqlite3'

export type ScanTask = {
  path: string
  sql: string
  parameters: readonly unknown[]
  maxMs: number
}

class TooLong extends Error {}

function read({ path, sql, parameters, maxMs }: ScanTask): unknown[] | 'tooLong' {
  const file = new SqliteFile(path, { readonly: true })
  const endMs = performance.now() + maxMs
  // SQLite cannot be stopped from outside: it asks this for each row.
  file.function('is_in_time', { deterministic: false }, () => {
    if (performance.now() > endMs) throw new TooLong()
    return 1
  })
  try {
    return file.prepare(sql).all(...parameters)
  } catch (error) {
    if (error instanceof TooLong) return 'tooLong'
    throw error
  } finally {
    file.close()
  }
}

parentPort?.on('message', (task: ScanTask) => parentPort?.postMessage(read(task)))
parentPort?.postMessage('ready')
