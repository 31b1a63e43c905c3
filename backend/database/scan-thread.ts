// The thread in which SQLite scans many rows (scan.ts). It reads committed data.
import { parentPort } from 'node:worker_threads'
import SqliteFile from 'better-sqlite3'

export type ScanTask = {
  path: string
  sql: string
  parameters: readonly unknown[]
  maxMs: number
}

export type ScanAnswer = { rows: unknown[] } | { error: string } | 'tooLong'

class TooLong extends Error {}

function read({ path, sql, parameters, maxMs }: ScanTask): ScanAnswer {
  const file = new SqliteFile(path, { readonly: true })
  const endMs = performance.now() + maxMs
  // SQLite cannot be interrupted from outside: it calls this function for each row.
  file.function('is_in_time', { deterministic: false }, () => {
    if (performance.now() > endMs) throw new TooLong()
    return 1
  })
  try {
    return { rows: file.prepare(sql).all(...parameters) }
  } catch (error) {
    return error instanceof TooLong ? 'tooLong' : { error: String(error) }
  } finally {
    file.close()
  }
}

parentPort?.on('message', (task: ScanTask) => parentPort?.postMessage(read(task)))
parentPort?.postMessage('ready')
