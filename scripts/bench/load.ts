// Load on a server by wrk, which takes little of the machine itself, and what the server's
// processes use meanwhile. Knows nothing of what is measured.
import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installDebianPackages } from '../debian-packages.ts'

export const CONNECTIONS = 32
const WARM_UP_SECONDS = 1
/** Of /proc: the system counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Requests that are sent in turn. */
export type Asked = { paths: string[]; headers?: Record<string, string> }

export type Load = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  failed: number
  /** Processor time of the server for one request; undefined where the system does not tell. */
  cpuMs: number | undefined
}

/** @throws Error where wrk is not there and cannot be installed */
export function requireWrk(): void {
  if (hasWrk() || (installDebianPackages('wrk') && hasWrk())) return
  throw new Error('The bench needs wrk (Debian: apt-get install wrk, macOS: brew install wrk)')
}

function hasWrk(): boolean {
  // It says how it is used, and ends with 1.
  return spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined
}

type Loading = { url: string; child: ChildProcess; seconds: number; connections?: number }

/** Warms up, then measures. */
export async function measure(loading: Loading, asked: Asked): Promise<Load> {
  await shoot({ ...loading, seconds: WARM_UP_SECONDS }, asked)
  return await shoot(loading, asked)
}

export async function shoot(
  { url, child, seconds, connections = CONNECTIONS }: Loading,
  asked: Asked,
): Promise<Load> {
  const script = join(tmpdir(), `lamplight-load-${process.pid}.lua`)
  await writeFile(script, writeScript(asked))
  const before = await processorMs(child)
  const { stdout } = await promisify(execFile)('wrk', [
    ...['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script],
    url,
  ])
  const after = await processorMs(child)
  await rm(script, { force: true })
  const told = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as Record<
    'requests' | 'us' | 'p50' | 'p99' | 'failed',
    number
  >
  return {
    perSecond: (told.requests * 1e6) / told.us,
    p50Ms: told.p50 / 1000,
    p99Ms: told.p99 / 1000,
    failed: told.failed,
    cpuMs:
      before === undefined || after === undefined ? undefined : (after - before) / told.requests,
  }
}

function writeScript({ paths, headers = {} }: Asked): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
  const fields = Object.entries(headers).map(
    ([name, value]) => `[${quoted(name)}]=${quoted(value)}`,
  )
  return `local paths = { ${paths.map(quoted).join(',\n')} }
local made, at = {}, 0
function init()
  for i, path in ipairs(paths) do made[i] = wrk.format("GET", path, { ${fields.join(', ')}, Host = wrk.headers.Host }) end
end
function request() at = at % #made + 1; return made[at] end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`
}

/** Makes calls, so many at once. @returns how long each took, in milliseconds, sorted */
export async function timeCalls(
  calls: (() => Promise<unknown>)[],
  connections: number,
): Promise<{ tookMs: number[]; perSecond: number }> {
  const tookMs: number[] = []
  const waiting = calls.values()
  const beganMs = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const call of waiting) {
        const calledMs = performance.now()
        await call()
        tookMs.push(performance.now() - calledMs)
      }
    }),
  )
  const perSecond = (calls.length * 1000) / (performance.now() - beganMs)
  return { tookMs: tookMs.sort((a, b) => a - b), perSecond }
}

/** @param share 0.5 for the median */
export function shareOf(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function medianOf(numbers: readonly number[]): number {
  return shareOf(
    numbers.toSorted((a, b) => a - b),
    0.5,
  )
}

/**
 * Measures each side once, then each the next time, so that what else the machine does meets all of
 * them alike.
 *
 * @returns what was measured of each side, one of each round
 */
export async function inTurns<Side, Figure>(
  sides: readonly Side[],
  rounds: number,
  measureOnce: (side: Side) => Promise<Figure> | undefined,
): Promise<Figure[][]> {
  const figures: Figure[][] = sides.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, side] of sides.entries()) {
      const figure = await measureOnce(side)
      if (figure !== undefined) figures[at]?.push(figure)
    }
  return figures
}

/** The median of how figures of the same rounds stand to each other. */
export function medianRatio(figures: readonly number[], others: readonly number[]): number {
  return medianOf(figures.map((figure, round) => figure / (others[round] ?? Number.NaN)))
}

/** What a process and those it has started have used of the processor. */
export async function processorMs(child: ChildProcess): Promise<number | undefined> {
  return sumOf(child, async (pid) => {
    const fields = await readStat(pid)
    // User and system time.
    return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS
  })
}

/** Memory in megabytes of a process and those it has started, what they share counted once. */
export async function memoryMb(child: ChildProcess): Promise<number | undefined> {
  return sumOf(child, async (pid) => {
    const told = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    const kib = /^Pss:\s+(\d+) kB$/m.exec(told)?.[1]
    return kib === undefined ? undefined : (Number(kib) * 1024) / 1e6
  })
}

async function sumOf(
  { pid = 0 }: ChildProcess,
  read: (pid: number) => Promise<number | undefined>,
): Promise<number | undefined> {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map(read))
  const known = all.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0)
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Boolean)
  const parents = await Promise.all(pids.map(async (pid) => Number((await readStat(pid))?.[1])))
  const own = pids.filter((_, at) => parents[at] === parent)
  return [...own, ...(await Promise.all(own.map(childrenOf))).flat()]
}

/** The fields behind the name, which stands in brackets and may hold anything. */
async function readStat(pid: number): Promise<string[] | undefined> {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return told?.slice(told.lastIndexOf(')') + 2).split(' ')
}
