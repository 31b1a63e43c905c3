// PostgreSQL restarts, is killed, loses connections or is frozen while the blog writes to it.
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { makeDataDir, type ServerProcess, startServer } from '#test/support/process.ts'
import { makeTcpProxy } from '#test/support/tcp-proxy.ts'
import { makeChecks, type Outcome, seconds } from './scenario.ts'
import {
  call,
  findLost,
  findRowsWithoutBytes,
  type Person,
  refusedText,
  signUp,
  startWriting,
  untilStatus,
  type Writing,
} from './writing.ts'

const BACK_WITHIN_MS = 5000
const ANSWERED_WITHIN_MS = 11_000
const STOPPED_WITHIN_MS = 10_000
const AWAY_MS = 2000
const FROZEN_MS = 14_000

type Postgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>
type Running = { postgres: Postgres; server: ServerProcess; person: Person; writing: Writing }
type Checks = ReturnType<typeof makeChecks>

/** Causes one fault during writes, then checks that every acknowledged write still exists. */
async function underWrites(
  fault: (running: Running, checks: Checks) => Promise<string[]>,
  /** Maps the address of PostgreSQL to the one that the blog is given. */
  route: (url: string) => string = (url) => url,
  postgres?: Postgres,
): Promise<Outcome> {
  await using database = postgres ?? (await startEmbeddedPostgres())
  await using data = await makeDataDir()
  const checks = makeChecks()
  const server = await startServer(data.path, { BLOG_DATABASE_URL: route(database.url) })
  const person = await signUp(server.url, 'postgres')
  const writing = await startWriting(server.url, person)
  await delay(1500)
  const notes = await fault({ postgres: database, server, person, writing }, checks)
  await delay(1000)
  await writing.stop()
  const lost = await findLost(server.url, person, writing.written)
  const empty = await findRowsWithoutBytes(server.url, person)
  checks.expect(empty.length === 0, `rows without bytes: ${empty.join(', ')}`)
  checks.expect(server.child.exitCode === null, `the process ended:\n${server.output()}`)
  const others = [...writing.refused.keys()].filter((status) => ![503, 409].includes(status))
  checks.expect(others.length === 0, `refused with ${refusedText(writing.refused)}`)
  await server.stop()
  return {
    acknowledged: writing.written.length,
    lost: lost.length,
    faults: [...checks.faults, ...lost],
    notes: [refusedText(writing.refused), ...notes],
  }
}

function countEvents(server: ServerProcess, event: string): number {
  return server.output().split(`"event":"${event}"`).length - 1
}

/** @returns a note about how long the recovery took */
async function checkRecovery({ server, person }: Running, checks: Checks): Promise<string> {
  const limit = { ...person, withinMs: 30_000 }
  const backMs = (await untilStatus(server.url, '/v1/account', 200, limit)) ?? 30_000
  checks.expect(backMs < BACK_WITHIN_MS, `it was back after ${seconds(backMs)}`)
  return `back after ${seconds(backMs)}`
}

function checkLines({ server }: Running, checks: Checks): string {
  const away = countEvents(server, 'database away')
  const back = countEvents(server, 'database back')
  checks.expect(away === back && away >= 1, `${away} lines of an outage, ${back} of its end`)
  return `${away} outage in the log`
}

export const restartedPostgres = (): Promise<Outcome> =>
  underWrites(async (running, checks) => {
    const { postgres, server, person } = running
    await postgres.stop()
    await delay(AWAY_MS)
    const { status, headers } = await call(server.url, '/v1/account', person)
    checks.expect(status === 503 && headers.has('retry-after'), `while away: ${status}`)
    const page = await call(server.url, '/settings', person)
    checks.expect(page.status === 503, `a page while away: ${page.status}`)
    await postgres.start()
    return [await checkRecovery(running, checks), checkLines(running, checks)]
  })

export const killedPostgres = (): Promise<Outcome> =>
  underWrites(async (running, checks) => {
    await running.postgres.kill()
    await delay(AWAY_MS)
    await running.postgres.start()
    return [await checkRecovery(running, checks), checkLines(running, checks)]
  })

export async function resetConnections(): Promise<Outcome> {
  const postgres = await startEmbeddedPostgres()
  await using proxy = await makeTcpProxy(postgres.url)
  return await underWrites(
    async (running, checks) => {
      for (let round = 0; round < 25; round++) {
        await delay(150)
        proxy.reset()
      }
      for (let turn = 0; turn < 10; turn++) {
        proxy.cutAtCommit(turn % 2 === 0 ? 'before' : 'after')
        await delay(300)
      }
      return ['25 resets, 10 cut commits', await checkRecovery(running, checks)]
    },
    proxy.through,
    postgres,
  )
}

export const frozenPostgres = (): Promise<Outcome> =>
  underWrites(async (running, checks) => {
    const { postgres, server, person, writing } = running
    await postgres.suspend()
    const { status, tookMs } = await call(server.url, '/v1/account', person)
    checks.expect(status === 503, `while frozen: ${status}`)
    checks.expect(tookMs < ANSWERED_WITHIN_MS, `it answered after ${seconds(tookMs)}`)
    await delay(FROZEN_MS - tookMs)
    checks.expect(
      writing.longestMs() < ANSWERED_WITHIN_MS,
      `a write took ${seconds(writing.longestMs())}`,
    )
    const health = await call(server.url, '/healthz')
    checks.expect(health.status === 503, `healthz while frozen: ${health.status}`)
    await postgres.resume()
    const back = await checkRecovery(running, checks)
    return [`answered after ${seconds(tookMs)}`, back, checkLines(running, checks)]
  })

export async function stopWithFrozenPostgres(): Promise<Outcome> {
  await using postgres = await startEmbeddedPostgres()
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const server = await startServer(data.path, { BLOG_DATABASE_URL: postgres.url })
  const person = await signUp(server.url, 'postgres')
  const writing = await startWriting(server.url, person)
  await delay(500)
  await postgres.suspend()
  await delay(300)
  const stopRequestedAtMs = performance.now()
  const code = await server.stop('SIGTERM')
  const tookMs = performance.now() - stopRequestedAtMs
  await postgres.resume()
  await writing.stop()
  expect(code === 0, `the exit code was ${code}`)
  expect(tookMs < STOPPED_WITHIN_MS, `it took ${seconds(tookMs)} to end`)
  const secondServer = await startServer(data.path, { BLOG_DATABASE_URL: postgres.url })
  const lost = await findLost(secondServer.url, person, writing.written)
  await secondServer.stop()
  return {
    acknowledged: writing.written.length,
    lost: lost.length,
    faults: [...faults, ...lost],
    notes: [`SIGTERM: ended with ${code} after ${seconds(tookMs)}`],
  }
}
