// A real S3 server for tests: OpenStack Swift from Debian's packages, which checks signatures.
// Started once for a test run; each test makes a bucket of its own (keepers.ts). Where it is not
// installed, root installs it; where that fails, S3 cases are skipped.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installDebianPackages } from '#scripts/debian-packages.ts'

export type S3Server = { endpoint: string; accessKey: string; secretKey: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined where it can not be had. */
    s3: S3Server | undefined
  }
}

const PYTHON = '/usr/bin/python3'
const PORTS = 4
const ACCOUNT = {
  accessKey: 'blog:owner',
  secretKey: 'a secret that is checked'.replaceAll(' ', '-'),
}

// biome-ignore lint/style/noDefaultExport: vitest loads a global set-up by its default export
export default async function startSwift(project: TestProject): Promise<() => Promise<void>> {
  if (!isInstalled()) installDebianPackages('python3-swift')
  if (!isInstalled()) {
    process.stdout.write(
      'S3 cases are skipped: the Debian package python3-swift is not installed and could not be\n',
    )
    project.provide('s3', undefined)
    return async () => {}
  }
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-s3-'))
  const port = await findFreePorts()
  const script = join(import.meta.dirname, 'swift_s3.py')
  const child = spawn(
    PYTHON,
    [script, folder, String(port), ACCOUNT.accessKey, ACCOUNT.secretKey],
    { stdio: ['pipe', 'ignore', 'ignore'] },
  )
  // Tests that need it wait for its first answer; the others need not.
  project.provide('s3', { endpoint: `http://127.0.0.1:${port}`, ...ACCOUNT })
  return async () => {
    const ended = once(child, 'exit')
    child.stdin.end()
    if (child.exitCode === null) await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

function isInstalled(): boolean {
  return (
    spawnSync(PYTHON, [
      '-c',
      'import importlib.util as u, sys; sys.exit(u.find_spec("swift") is None)',
    ]).status === 0
  )
}

/** The first of four free ports in a row. */
async function findFreePorts(): Promise<number> {
  for (;;) {
    const first = await tryListen(0)
    if (first === undefined || first + PORTS > 65_535) continue
    const others = await Promise.all(
      Array.from({ length: PORTS - 1 }, (_, at) => tryListen(first + 1 + at)),
    )
    if (!others.includes(undefined)) return first
  }
}

async function tryListen(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : undefined
  } catch {
    return undefined
  } finally {
    server.close()
  }
}
