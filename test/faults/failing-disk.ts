// SQLite on a disk that fails to sync or is full.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installDebianPackages } from '#scripts/debian-packages.ts'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { checkAfterRestart } from './after-restart.ts'
import { makeChecks, type Outcome, seconds } from './scenario.ts'
import { call, refusedText, signUp, startWriting, untilStatus } from './writing.ts'

const STOPPED_WITHIN_MS = 3000
const BACK_WITHIN_MS = 5000

/**
 * @returns environment variables for a server whose syncs fail once `failSyncFile` exists, and
 *   whose disk is full once `diskFullFile` exists
 */
export async function makeFailingDisk(folder: string) {
  const library = join(folder, 'failing-disk.so')
  const source = join(import.meta.dirname, 'failing-disk.c')
  const compile = () =>
    spawnSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source]).status === 0
  if (!compile() && !(installDebianPackages('gcc', 'libc6-dev') && compile()))
    throw new Error('gcc is needed and could not be installed')
  const failSyncFile = join(folder, 'fail-sync')
  const diskFullFile = join(folder, 'full')
  const env = { LD_PRELOAD: library, FAULT_SYNC: failSyncFile, FAULT_FULL: diskFullFile }
  return { failSyncFile, diskFullFile, env }
}

export async function failingSync(processes = '1'): Promise<Outcome> {
  await using tools = await makeDataDir()
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const disk = await makeFailingDisk(tools.path)
  const server = await startServer(data.path, { ...disk.env, BLOG_PROCESSES: processes })
  const person = await signUp(server.url, 'synced')
  const writing = await startWriting(server.url, person, { writers: 8 })
  await writing.begun
  await delay(1000)
  const ended = once(server.child, 'exit')
  await writeFile(disk.failSyncFile, '')
  const code = await Promise.race([ended.then(([exit]) => exit as number), delay(20_000)])
  const endedMs = Date.now()
  if (code === undefined) server.child.kill('SIGKILL')
  await writing.stop()
  const firstFailureMs = Number(await readFile(`${disk.failSyncFile}.first`, 'utf8'))
  const firstFailureSinceStartMs = firstFailureMs - performance.timeOrigin
  const lateWrites = writing.written.filter(({ startedMs }) => startedMs > firstFailureSinceStartMs)
  const stopMs = endedMs - firstFailureMs
  expect(
    lateWrites.length === 0,
    `${lateWrites.length} writes were acknowledged after the failed sync`,
  )
  expect(code === 1, `the exit code was ${code}`)
  expect(stopMs < STOPPED_WITHIN_MS, `it took ${seconds(stopMs)} to end`)

  await rm(disk.failSyncFile)
  const { written } = writing
  const after = await checkAfterRestart(data.path, { person, written })
  return {
    acknowledged: written.length,
    lost: after.lost.length,
    faults: [...faults, ...after.faults, ...after.lost],
    notes: [
      `${lateWrites.length} acknowledged afterwards`,
      `ended with ${code} after ${seconds(stopMs)}`,
    ],
  }
}

export async function fullDisk(): Promise<Outcome> {
  await using tools = await makeDataDir()
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const disk = await makeFailingDisk(tools.path)
  const server = await startServer(data.path, disk.env)
  const { url } = server
  const person = await signUp(url, 'full')
  const writing = await startWriting(url, person)
  await writing.begun
  await delay(1000)
  await writeFile(disk.diskFullFile, '')
  await delay(1500)
  const before = writing.written.length
  expect((await call(url, '/v1/account', person)).status === 200, 'reads did not go on')
  expect(
    (await untilStatus(url, '/healthz', 503, { withinMs: 3000 })) !== undefined,
    'the server still reported itself healthy',
  )
  await delay(1000)
  expect(writing.written.length === before, 'a write was acknowledged on a full disk')
  await rm(disk.diskFullFile)
  const backMs = await untilStatus(url, '/healthz', 200, { withinMs: BACK_WITHIN_MS })
  expect(backMs !== undefined, 'it did not come back by itself')
  await delay(1000)
  await writing.stop()
  expect(writing.written.length > before, 'no write was acknowledged afterwards')
  const others = [...writing.refused.keys()].filter((status) => ![503, 507].includes(status))
  expect(others.length === 0, `refused with ${refusedText(writing.refused)}`)
  expect(server.child.exitCode === null, 'the process ended')
  await server.stop()
  const { written } = writing
  const after = await checkAfterRestart(data.path, { person, written })
  return {
    acknowledged: written.length,
    lost: after.lost.length,
    faults: [...faults, ...after.faults, ...after.lost],
    notes: [refusedText(writing.refused), `back after ${seconds(backMs ?? 0)}`],
  }
}
