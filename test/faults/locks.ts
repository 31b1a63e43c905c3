// SQLite while another process holds the write lock, and with a damaged page.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { makeChecks, type Outcome, seconds } from './scenario.ts'
import {
  call,
  findLost,
  refusedText,
  signUp,
  startWriting,
  untilStatus,
  uploadImage,
} from './writing.ts'

const WRITERS = 10
const HELD_MS = 8000
/** The lock timeout, plus time for a busy host. */
const REFUSED_WITHIN_MS = 7500
const READ_WITHIN_MS = 1000

export async function foreignLock(): Promise<Outcome> {
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const server = await startServer(data.path)
  const { url } = server
  const person = await signUp(url, 'locked')
  const writing = await startWriting(url, person, { writers: WRITERS, images: false })
  await delay(1000)
  const other = new SqliteFile(join(data.path, 'blog.sqlite'))
  other.pragma('busy_timeout = 5000')
  other.exec('begin immediate')
  const heldMs = performance.now()
  let slowestReadMs = 0
  while (performance.now() - heldMs < HELD_MS) {
    const { status, tookMs } = await call(url, '/v1/account', person)
    expect(status === 200, `a read was answered ${status}`)
    slowestReadMs = Math.max(slowestReadMs, tookMs)
    await delay(100)
  }
  other.exec('rollback')
  other.close()
  await delay(1000)
  await writing.stop()
  const slowestMs = writing.longestMs()
  expect(slowestReadMs < READ_WITHIN_MS, `a read took ${seconds(slowestReadMs)}`)
  expect(slowestMs < REFUSED_WITHIN_MS, `a write was answered after ${seconds(slowestMs)}`)
  expect((writing.refused.get(503) ?? 0) >= WRITERS, refusedText(writing.refused))
  expect(writing.refused.size === 1, `refused with ${refusedText(writing.refused)}`)
  const lost = await findLost(url, person, writing.written)
  expect((await server.stop()) === 0, 'the stop was not clean')
  return {
    acknowledged: writing.written.length,
    lost: lost.length,
    faults: [...faults, ...lost],
    notes: [
      refusedText(writing.refused),
      `slowest read ${Math.round(slowestReadMs)} ms, slowest write ${seconds(slowestMs)}`,
    ],
  }
}

export async function damagedPage(): Promise<Outcome> {
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const first = await startServer(data.path)
  const person = await signUp(first.url, 'damaged')
  await uploadImage(first.url, person, 'cover')
  await first.stop()
  const path = join(data.path, 'blog.sqlite')
  await damageTable(path, 'postLike')

  const server = await startServer(data.path)
  const { url } = server
  const posts = '/v1/databases/blogdb/collections/posts/documents'
  const body = { documentId: 'liked', data: { title: 'A post', featuredImage: 'cover' } }
  const answer = await call(url, posts, { method: 'POST', ...person, body })
  const like = await call(url, `${posts}/liked`, {
    method: 'PATCH',
    ...person,
    body: { data: { likeId: ['damaged'] } },
  })
  expect([answer.status, like.status].includes(500), `${answer.status}, ${like.status}`)
  expect((await call(url, '/v1/account', person)).status === 200, 'other reads failed')
  const prefs = { method: 'PATCH', ...person, body: { prefs: { theme: 'light' } } }
  expect((await call(url, '/v1/account/prefs', prefs)).status === 200, 'other writes failed')
  expect((await untilStatus(url, '/healthz', 200, { withinMs: 3000 })) !== undefined, 'unhealthy')
  expect(server.output().includes('SQLITE_CORRUPT'), 'nothing is in the log')
  expect((await server.stop()) === 0, 'the process did not go on')
  return {
    acknowledged: 1,
    lost: 0,
    faults,
    notes: [`touching it: ${answer.status}, ${like.status}; all else goes on`],
  }
}

/** Overwrites the first page of a table. */
async function damageTable(path: string, table: string): Promise<void> {
  const file = new SqliteFile(path)
  file.pragma('wal_checkpoint(truncate)')
  const size = Number(file.pragma('page_size', { simple: true }))
  const row = file.prepare('select rootpage from sqlite_master where name = ?').get(table)
  file.close()
  const { rootpage } = row as { rootpage: number }
  const handle = await open(path, 'r+')
  await handle.write(Buffer.alloc(size, 0xa5), 0, size, (rootpage - 1) * size)
  await handle.close()
}
