// Child processes for scripts and tests: programs with their output, commands of packages, servers;
// and free ports.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export const ROOT = resolve(import.meta.dirname, '..')
const START_TIMEOUT_MS = 60_000
/** Node's compile cache for tests: compiling takes a third of a start. */
export const NODE_COMPILE_CACHE = join(tmpdir(), 'lamplight-compiled')

/**
 * Arguments with which `npm start` starts the blog, read from package.json so that measurements run
 * what people run; and arguments that start the server without a build.
 */
export const START_ARGS = readStartArgs()
export const SERVER_ARGS = [...START_ARGS.slice(0, -1), '../backend/main.ts']

/**
 * The environment with this Node and the project's tools first in the path, also when a script is
 * not run by npm.
 */
export function toolEnv(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), process.env.PATH]
    .filter(Boolean)
    .join(delimiter)
  return { ...process.env, PATH: path, ...extra }
}

/**
 * The JavaScript file of a package's command, which this Node can run on every system.
 *
 * @throws Error without such a command
 */
export function commandFile(packageName: string): string {
  const folder = join(ROOT, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>
  }
  // Of several commands, the first is named like the package.
  const file = typeof bin === 'string' ? bin : Object.values(bin ?? {})[0]
  if (!file) throw new Error(`${packageName} has no command`)
  return join(folder, file)
}

function readStartArgs(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  return scripts.start.split(' ').slice(1)
}

/** Runs a program and shows its output. @returns its exit code; 1 after a signal */
export function runWithOutput(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv = toolEnv(),
): Promise<number> {
  const child = spawn(file, args, { cwd: ROOT, env, stdio: 'inherit' })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}

/** As `runWithOutput`, but collects the output in `output`. */
export function runCaptured(
  output: string[],
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv = toolEnv(),
): Promise<number> {
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text))
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
}

/**
 * Starts a server on a free port with this Node and waits until it responds.
 *
 * @param name for the error when it does not
 * @param publicUrl empty for the address of the port
 */
export async function startServer(
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  { publicUrl = '' } = {},
): Promise<{ url: string; child: ChildProcess }> {
  const port = await findPort()
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...env, PORT: String(port), BLOG_PUBLIC_URL: publicUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://localhost:${port}`
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const response = await fetch(`${url}/v1/health/version`).catch(() => undefined)
    if (response?.ok) return { url, child }
    await delay(5)
  }
  child.kill('SIGKILL')
  throw new Error(`The ${name} server did not answer`)
}

/** Stops a child and waits for its end. @returns its exit code, null after a signal */
export async function stopProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exitCode = new Promise<number | null>((done) => child.once('exit', done))
  child.kill(signal)
  return await exitCode
}

/**
 * Finds a free port, or checks that the requested one is free. It leaves a closed connection on the
 * port in the state TIME_WAIT: for a minute the system gives the port to nobody who asks for any
 * port, but still lets a server listen that asks for this one.
 */
export async function findPort(requestedPort = 0): Promise<number> {
  const server = createServer((socket) => socket.end().resume())
  server.listen(requestedPort, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  await once(connect(address.port, '127.0.0.1').resume(), 'close')
  await new Promise((done) => server.close(done))
  return address.port
}
