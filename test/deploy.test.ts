// Runs what docs/operating.md tells an operator to install: the command line of the unit, the site
// of nginx, the commands of the container.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '#backend/settings/config.ts'
import { findPort, NODE_COMPILE_CACHE, ROOT, SERVER_ARGS } from '#scripts/processes.ts'
import { hasNginx, SITE_HOST, startNginx } from '#test/support/nginx.ts'
import { makeDataDir } from '#test/support/process.ts'

const INSTALLED_AT = '/srv/lamplight'
const START_TIMEOUT_MS = 60_000
const ASK_EVERY_MS = 20
/** What the server promises after SIGTERM. */
const STOPPED_WITHIN_MS = 10_000

const readDeploy = (name: string) => readFile(join(ROOT, 'deploy', name), 'utf8')

/** The settings of a unit's lines, the last of each name. */
async function readUnit(): Promise<Map<string, string>> {
  const lines = (await readDeploy('lamplight.service')).split('\n')
  return new Map(
    lines
      .filter((line) => /^[A-Z]\w*=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

type Service = AsyncDisposable & {
  port: string
  output(): string
  /** @returns the exit code after SIGTERM */
  stop(): Promise<number | null>
}

/** Runs the unit's command line in this checkout, with the settings file of the service. */
async function startService(dataDir: string): Promise<Service> {
  const unit = await readUnit()
  const [file = '', ...args] = (unit.get('ExecStart') ?? '').split(' ')
  const port = String(await findPort())
  const child = spawn(file.replace(INSTALLED_AT, ROOT), args, {
    cwd: (unit.get('WorkingDirectory') ?? '').replace(INSTALLED_AT, ROOT),
    env: {
      ...parseEnv(await readDeploy('lamplight.env')),
      NODE_COMPILE_CACHE,
      PATH: process.env.PATH ?? '',
      PORT: port,
      BLOG_DATA_DIR: dataDir,
      BLOG_BACKUP_DIR: join(dataDir, 'backups'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString()
    })
  await untilHealthy(`http://127.0.0.1:${port}/healthz`, () => {
    if (child.exitCode !== null) throw new Error(`The service ended:\n${output}`)
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await exit
    return child.exitCode
  }
  return {
    port,
    output: () => output,
    stop,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop()
    },
  }
}

async function untilHealthy(url: string, check: () => void): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    check()
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await delay(ASK_EVERY_MS)
  }
  throw new Error(`${url} did not answer`)
}

test('the systemd unit runs the server as npm start does, with valid settings and enough time to stop', async () => {
  const unit = await readUnit()
  const [file, ...args] = (unit.get('ExecStart') ?? '').split(' ')
  expect(file).toBe('/usr/bin/env')
  expect(args).toEqual(['node', ...SERVER_ARGS])
  expect(Number(unit.get('TimeoutStopSec')) * 1000).toBeGreaterThan(STOPPED_WITHIN_MS)
  const settings = parseEnv(await readDeploy('lamplight.env')) as Record<string, string>
  expect(readConfig(settings)).toMatchObject({ dataDir: settings.BLOG_DATA_DIR })
})

test('the command line of the unit starts the server, and SIGTERM stops it', {
  tags: ['more'],
}, async () => {
  await using data = await makeDataDir()
  await using service = await startService(data.path)
  expect(await service.stop()).toBe(0)
})

/** Runs the script with a program and settings of this test, as the present user. */
async function runCommand(args: string[], env: Record<string, string> = {}) {
  await using data = await makeDataDir()
  const scripts = { doctor: 'echo "$BLOG_SITE_NAME, $BLOG_DATA_DIR" "$@"' }
  await writeFile(join(data.path, 'package.json'), JSON.stringify({ scripts }))
  await writeFile(join(data.path, 'env'), 'BLOG_SITE_NAME="My blog"\nBLOG_DATA_DIR=/var/lib/blog\n')
  const script = (await readDeploy('lamplight'))
    .replace(INSTALLED_AT, data.path)
    .replace('/etc/lamplight.env', join(data.path, 'env'))
    .replace('runuser -u lamplight --', 'env')
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'lamplight', ...args], {
    env: { PATH: process.env.PATH, HOME: data.path, ...env },
    encoding: 'utf8',
  })
  return [status, stdout, stderr]
}

test('the lamplight command uses the settings file unless the environment overrides it, and lists its commands', async () => {
  expect(await runCommand(['doctor'])).toEqual([0, 'My blog, /var/lib/blog\n', ''])
  const once = { BLOG_DATA_DIR: "/var/lib/it's tried" }
  expect(await runCommand(['doctor'], once)).toEqual([0, "My blog, /var/lib/it's tried\n", ''])
  for (const args of [[], ['docter']])
    expect(await runCommand(args)).toEqual([1, '', expect.stringContaining('doctor')])
})

test('the container is built by the commands of the README and runs the same server', async () => {
  const lines = (await readDeploy('Containerfile')).split('\n')
  const last = (name: string) =>
    lines.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ''
  const unit = await readUnit()
  expect(JSON.parse(last('CMD')).join(' ')).toBe(
    (unit.get('ExecStart') ?? '').replace('/usr/bin/env ', ''),
  )
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  expect(readme).toContain('npm run build')
  expect(lines.join('\n')).toContain('npm run build')
  const options = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }
  const major = Number(/^FROM node:(\d+)/m.exec(lines.join('\n'))?.[1])
  expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(options.engines.node)?.[0]))
})

const PERSON = {
  userId: 'ann',
  email: 'ann@blog.example',
  password: 'a lamp in the window',
  name: 'Ann',
}

test.skipIf(!hasNginx())(
  'behind the documented nginx, HTTPS, cookies, addresses and limits work',
  { tags: ['more'] },
  async () => {
    await using data = await makeDataDir()
    await using service = await startService(data.path)
    await using nginx = await startNginx(service.port)

    const plain = await fetch(`http://127.0.0.1:${nginx.httpPort}/login?next=%2F`, {
      redirect: 'manual',
      headers: { host: SITE_HOST },
    })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      301,
      expect.stringMatching(/^https:\/\/.*\/login\?next=%2F$/),
    ])

    const page = await nginx.ask('/login')
    expect(page.status).toBe(200)
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000')

    const api = { 'x-appwrite-project': 'blog', origin: `https://${SITE_HOST}` }
    const json = { ...api, 'content-type': 'application/json' }
    const account = await nginx.ask('/v1/account', {
      method: 'POST',
      headers: json,
      body: JSON.stringify(PERSON),
    })
    expect(account.status).toBe(201)
    const session = await nginx.ask('/v1/account/sessions/email', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: PERSON.email, password: PERSON.password }),
    })
    expect(session.status).toBe(201)
    const cookies = [session.headers['set-cookie'] ?? []].flat()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Secure/)

    const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
    const spoofed = await nginx.ask('/v1/account/sessions/current', {
      headers: { ...api, cookie, 'x-forwarded-for': '203.0.113.9' },
    })
    expect(JSON.parse(spoofed.body)).toMatchObject({ userId: 'ann', ip: '127.0.0.1' })

    const tooLarge = await nginx.ask('/v1/account', {
      method: 'POST',
      headers: json,
      body: Buffer.alloc(8 * 1024 * 1024, ' '),
    })
    expect(tooLarge.status).toBe(413)
  },
)
