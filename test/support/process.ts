// The server as a process of its own, started as an operator starts it (docs/operating.md). For
// tests of starting and stopping, and for the browser tests.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#backend/database/database.ts'
import { recordSetUp } from '#backend/site/site.ts'
import { findPort, NODE_COMPILE_CACHE, SERVER_ARGS } from '#scripts/processes.ts'

export type ServerProcess = {
  /** `http://localhost:PORT` */
  url: string
  child: ChildProcess
  /** stdout and stderr so far. */
  output(): string
  /**
   * Sends a signal and waits for the exit.
   * @returns the exit code, null if the signal killed the process
   */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const ANSWER_TIMEOUT_MS = 60_000
const ASK_EVERY_MS = 15
/** The level "error". Warnings do not count: a refused sign-in is logged as one. */
const ERROR_LEVEL = 50

/** The ports of stopped servers by data folder, reused so that the cookie's name stays. */
const lastPorts = new Map<string, number>()

/** Starts a server and waits until it answers. @throws Error with its output when it ends before */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = Number(env.PORT ?? lastPorts.get(dataDir) ?? (await findPort()))
  lastPorts.delete(dataDir)
  const { child, output } = spawnServer({
    PORT: String(port),
    BLOG_DATA_DIR: dataDir,
    BLOG_RATE_LIMITS: 'off',
    ...env,
  })
  const url = `http://localhost:${port}`
  await untilAnswer(url, child, output)
  return {
    url,
    child,
    output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit')
        child.kill(signal)
        await exit
      }
      lastPorts.set(dataDir, port)
      return child.exitCode
    },
  }
}

/** Starts a server that is expected to fail, and waits for its exit. */
export async function runServer(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnServer(env)
  await once(child, 'close')
  return { code: child.exitCode, output: output() }
}

/** A data folder for one test. */
export async function makeDataDir(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'lamplight-data-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Marks the blog as set up by an operator. */
export async function setUpFolder(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<void> {
  const db = await openDatabase({ dataDir, databaseUrl: env.BLOG_DATABASE_URL })
  await recordSetUp(db, new Date())
  await db.destroy()
}

/** The log entries of the server of level error and above. */
export function readErrorEntries(server: ServerProcess): unknown[] {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number })
    .filter(({ level }) => level >= ERROR_LEVEL)
}

/**
 * The environment of this process without a variable set by backend/files/draw-text.ts, with which
 * a browser would find no fonts and exit.
 */
export function startEnv(): NodeJS.ProcessEnv {
  const { FONTCONFIG_FILE: _ownFonts, ...env } = process.env
  return env
}

/** Starts a server without waiting until it answers. */
export function spawnServer(env: Record<string, string>): {
  child: ChildProcess
  output: () => string
} {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env
  const child = spawn(process.execPath, SERVER_ARGS, {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void chunks.push(text))
  return { child, output: () => chunks.join('') }
}

async function untilAnswer(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadlineMs = performance.now() + ANSWER_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null)
      throw new Error(`The server ended with code ${child.exitCode}:\n${output()}`)
    const answer = await fetch(`${url}/v1/health/version`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  child.kill('SIGKILL')
  throw new Error(`The server gave no answer within ${ANSWER_TIMEOUT_MS} ms:\n${output()}`)
}
