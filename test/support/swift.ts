// A real S3 server for tests: OpenStack Swift from Debian's packages, which checks signatures.
// Each test creates its own bucket (blob-stores.ts). If it is missing, root installs it; if that
// fails, S3 cases are skipped.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackages } from '#scripts/debian-packages.ts'
import { findPort } from '#scripts/processes.ts'

const PYTHON = '/usr/bin/python3'
const PORTS = 4
export const S3_ACCOUNT = {
  accessKey: 'blog:owner',
  secretKey: 'a secret that is checked'.replaceAll(' ', '-'),
}

/** Whether Swift is installed or could be installed; writes a line if not. */
export function hasSwift(): boolean {
  if (!isInstalled()) installDebianPackages('python3-swift')
  if (isInstalled()) return true
  process.stdout.write(
    'S3 cases are skipped: the Debian package python3-swift is not installed and could not be\n',
  )
  return false
}

/** @returns the address as `answer`; the server may still be starting */
export async function startSwift() {
  const port = await findFreePorts()
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-s3-'))
  const script = join(import.meta.dirname, 'swift_s3.py')
  const { accessKey, secretKey } = S3_ACCOUNT
  const child = spawn(PYTHON, [script, folder, String(port), accessKey, secretKey], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return {
    answer: `http://127.0.0.1:${port}`,
    async stop() {
      const exit = once(child, 'exit')
      child.stdin.end()
      if (child.exitCode === null) await exit
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
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

/** @returns the first of four consecutive free ports */
async function findFreePorts(): Promise<number> {
  for (;;) {
    const first = await findPort()
    const others = Array.from({ length: PORTS - 1 }, (_, at) => findPort(first + 1 + at))
    const results = await Promise.allSettled(others)
    if (results.every(({ status }) => status === 'fulfilled')) return first
  }
}
