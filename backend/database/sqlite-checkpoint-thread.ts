// The thread in which SQLite moves its write-ahead log into the database file: both are synced
// then, which would hold up answers. Speaks to sqlite-checkpoints.ts alone.
import { parentPort } from 'node:worker_threads'
import SqliteFile from 'better-sqlite3'
import type { Checkpoint, CheckpointAsked } from './sqlite-checkpoints.ts'

function run({ path, isWhole, busyMs }: CheckpointAsked): Checkpoint {
  const file = new SqliteFile(path, { fileMustExist: true, timeout: busyMs })
  try {
    file.pragma('synchronous = NORMAL')
    const mode = isWhole ? 'full' : 'passive'
    const [found] = file.pragma(`wal_checkpoint(${mode})`) as {
      log: number
      checkpointed: number
    }[]
    const { log = 0, checkpointed = 0 } = found ?? {}
    if (isWhole && log === checkpointed) beginLogAnew(file)
    return { pages: log, left: log - checkpointed }
  } finally {
    file.close()
  }
}

/** The first write after a whole checkpoint writes and syncs the head of the log: here, too. */
function beginLogAnew(file: SqliteFile.Database): void {
  const same = file.pragma('user_version', { simple: true })
  file.pragma(`user_version = ${same}`)
}

parentPort?.on('message', (asked: CheckpointAsked) => {
  let answer: Checkpoint
  try {
    answer = run(asked)
  } catch (error) {
    const { code = '', message } = error as { code?: string; message?: string }
    answer = { fault: { code, message: String(message) } }
  }
  parentPort?.postMessage(answer)
})
parentPort?.postMessage('ready')
