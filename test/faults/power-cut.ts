// Repeated power cuts: the process is killed, and bytes that SQLite had not synced are removed.
// Acknowledged writes, and everything that a reader has seen, must survive.
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { makeFailingDisk } from './failing-disk.ts'
import { makeChecks, type Outcome } from './scenario.ts'
import {
  call,
  findLost,
  type Person,
  POSTS,
  signUp,
  startWriting,
  type Written,
} from './writing.ts'

const ROUNDS = 10

export async function powerCut(): Promise<Outcome> {
  await using tools = await makeDataDir()
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const { env } = await makeFailingDisk(tools.path)
  const files = ['blog.sqlite', 'blog.sqlite-wal'].map((name) => join(data.path, name))
  const first = await startServer(data.path)
  const person = await signUp(first.url, 'dark')
  await first.stop()
  const written: Written[] = []
  const seenIds = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(files.map(rememberSynced))
    const server = await startServer(data.path, { ...env, FAULT_POWER: 'on' })
    const writing = await startWriting(server.url, person, {
      writers: 8,
      pauseMs: 0,
      images: false,
      prefix: `r${round}w`,
    })
    const looking = look(server.url, person, seenIds)
    await writing.begun
    await delay(randomInt(1000))
    server.child.kill('SIGKILL')
    await server.stop('SIGKILL')
    await Promise.all([writing.stop(), looking])
    written.push(...writing.written)
    await Promise.all(files.map(loseUnsynced))
    await rm(join(data.path, 'blog.sqlite-shm'), { force: true })
  }
  const server = await startServer(data.path)
  const lost = await findLost(server.url, person, written)
  const lostSeen = await findLost(server.url, person, [...seenIds].map(postOf))
  expect(seenIds.size > 0, 'no post was visible meanwhile')
  expect(lostSeen.length === 0, `${lostSeen.length} that were seen are gone`)
  expect((await server.stop()) === 0, 'the last stop was not clean')
  const notes = [`${ROUNDS} cuts`, `${seenIds.size} seen, ${lostSeen.length} of them gone`]
  return { acknowledged: written.length, lost: lost.length, faults: [...faults, ...lost], notes }
}

function postOf(id: string): Written {
  return { kind: 'post', id, startedMs: 0, doneMs: 0 }
}

/** Collects visible posts until the server stops answering. */
async function look(url: string, person: Person, seen: Set<string>): Promise<void> {
  const newest = encodeURIComponent('orderDesc("$createdAt")')
  for (;;) {
    const { status, bytes } = await call(url, `${POSTS}?queries[0]=${newest}`, person)
    if (status !== 200) return
    const { documents } = JSON.parse(bytes.toString()) as { documents: { $id: string }[] }
    for (const { $id } of documents) seen.add($id)
  }
}

/** Files at the start count as synced; from then on failing-disk.c records synced bytes. */
async function rememberSynced(path: string): Promise<void> {
  await rm(`${path}.synced`, { force: true })
  if (existsSync(path)) await copyFile(path, `${path}.synced`)
}

async function loseUnsynced(path: string): Promise<void> {
  await rm(path, { force: true })
  if (existsSync(`${path}.synced`)) await rename(`${path}.synced`, path)
}
