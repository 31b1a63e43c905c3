// Repeated kill -9 during writes, on SQLite.
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { makeChecks, type Outcome } from './scenario.ts'
import { findLost, findRowsWithoutBytes, signUp, startWriting, type Written } from './writing.ts'

const ROUNDS = 25

export async function killAgainAndAgain(): Promise<Outcome> {
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const written: Written[] = []
  const first = await startServer(data.path)
  const person = await signUp(first.url, 'killed')
  await first.stop()
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer(data.path)
    const writing = await startWriting(server.url, person, { writers: 8, prefix: `r${round}w` })
    await writing.begun
    await delay(randomInt(600))
    server.child.kill('SIGKILL')
    await server.stop('SIGKILL')
    await writing.stop()
    written.push(...writing.written)
  }
  expect(written.length >= ROUNDS, `only ${written.length} writes were acknowledged`)
  const server = await startServer(data.path)
  const lost = await findLost(server.url, person, written)
  const empty = await findRowsWithoutBytes(server.url, person)
  expect(empty.length === 0, `rows without bytes: ${empty.join(', ')}`)
  expect((await server.stop()) === 0, 'the last stop was not clean')
  using file = openReadOnly(join(data.path, 'blog.sqlite'))
  const integrity = file.db.pragma('integrity_check', { simple: true })
  expect(integrity === 'ok', `integrity: ${integrity}`)
  expect((file.db.pragma('foreign_key_check') as unknown[]).length === 0, 'foreign keys are broken')
  const notes = [`${ROUNDS} kills`, `integrity ${integrity}`, `${empty.length} rows without bytes`]
  return { acknowledged: written.length, lost: lost.length, faults: [...faults, ...lost], notes }
}

function openReadOnly(path: string) {
  const db = new SqliteFile(path, { readonly: true })
  return { db, [Symbol.dispose]: () => void db.close() }
}
