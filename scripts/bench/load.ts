// Load on one address, and what a process holds meanwhile. Knows nothing of what is measured.
import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { commandFile } from '../processes.ts'

export const CONNECTIONS = 16
const WARM_UP_SECONDS = 2

export type Load = { requestsPerSecond: number; p99Ms: number; failed: number }

/** Warms up, then measures. */
export async function measure(url: string, seconds: number): Promise<Load> {
  await shoot(url, WARM_UP_SECONDS)
  return await shoot(url, seconds)
}

async function shoot(url: string, seconds: number): Promise<Load> {
  const headers = ['x-appwrite-project: blog', 'accept: image/webp,*/*'].flatMap((header) => [
    '--headers',
    header,
  ])
  const args = [
    '--json',
    '--connections',
    String(CONNECTIONS),
    '--duration',
    String(seconds),
    ...headers,
    url,
  ]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [commandFile('autocannon', 'autocannon'), ...args],
    { maxBuffer: 2 ** 26 },
  )
  const told = JSON.parse(stdout) as {
    requests: { average: number }
    latency: { p99: number }
    non2xx: number
    errors: number
  }
  return {
    requestsPerSecond: told.requests.average,
    p99Ms: told.latency.p99,
    failed: told.non2xx + told.errors,
  }
}

/** Megabytes the process holds; undefined where the system does not tell. */
export async function residentMb({ pid }: ChildProcess): Promise<number | undefined> {
  const told = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(told)?.[1]
  if (kib) return Number(kib) / 1024
  const shown = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return shown ? Number(shown.trim()) / 1024 : undefined
}
