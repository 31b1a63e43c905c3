// Starting, stopping and surviving: the server as a process, with a separate data folder.
import { once } from 'node:events'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeLog } from '#backend/process/log.ts'
import { makeDataFolder } from '#backend/process/secrets.ts'
import { readConfig } from '#backend/settings/config.ts'
import {
  makeDataDir,
  runServer,
  type ServerProcess,
  spawnServer,
  startServer,
} from '#test/support/process.ts'
import { sampled } from '#test/support/sampled.ts'

const WRITERS = 2

const WRONG: { name: string; env: Record<string, string>; says: string }[] = [
  { name: 'PORT', env: { PORT: 'eighty' }, says: 'PORT' },
  {
    name: 'BLOG_PUBLIC_URL',
    env: { BLOG_PUBLIC_URL: 'ftp://blog.example' },
    says: 'Invalid endpoint URL',
  },
  {
    name: 'BLOG_PUBLIC_URL',
    env: { BLOG_PUBLIC_URL: 'blog.example' },
    says: 'Invalid endpoint URL',
  },
  {
    name: 'BLOG_ALLOWED_ORIGINS',
    env: { BLOG_ALLOWED_ORIGINS: 'nonsense' },
    says: 'Invalid endpoint URL',
  },
  {
    name: 'BLOG_DATABASE_URL',
    env: { BLOG_DATABASE_URL: 'mysql://blog.example/blog' },
    says: 'postgres://',
  },
  { name: 'BLOG_PROJECT_ID', env: { BLOG_PROJECT_ID: '-blog' }, says: 'is not an id' },
  {
    name: 'BLOG_RATE_LIMITS',
    env: { BLOG_RATE_LIMITS: 'off', HOST: '0.0.0.0' },
    says: 'refused where others can reach the blog',
  },
  { name: 'BLOG_LOG_LEVEL', env: { BLOG_LOG_LEVEL: 'loud' }, says: 'is none of' },
  { name: 'BLOG_PROCESSES', env: { BLOG_PROCESSES: 'many' }, says: 'nor auto' },
  { name: 'BLOG_PROCESSES', env: { BLOG_PROCESSES: '2', PORT: '0' }, says: 'need a PORT' },
]

test.each(WRONG)('a wrong $name is refused with its name: $env', ({ name, env, says }) => {
  const read = () => readConfig(env)
  expect(read).toThrow(name)
  expect(read).toThrow(says)
})

for (const [tags, { name, env, says }] of sampled(WRONG, WRONG.length))
  test(`a wrong ${name} stops the start with code 1 (${JSON.stringify(env)})`, {
    tags,
  }, async () => {
    await using data = await makeDataDir()
    const { code, output } = await runServer({
      BLOG_DATA_DIR: join(data.path, 'never-made'),
      ...env,
    })
    expect(code).toBe(1)
    expect(output).toContain(name)
    expect(output).toContain(says)
    expect(output).not.toContain('    at ')
    expect(await readdir(data.path)).toEqual([])
  })

test('a port in use stops the start with the name of the setting, before any file is created', async () => {
  await using data = await makeDataDir()
  await using other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, output } = await runServer({
    PORT: String(port),
    BLOG_DATA_DIR: join(data.path, 'never-made'),
  })
  expect([code, output]).toEqual([
    1,
    `PORT: another program uses port ${port} of this machine. Choose another one: PORT=${port + 1}\n`,
  ])
  expect(await readdir(data.path)).toEqual([])
})

test('a first start creates a private data folder and secrets and prints its address; acknowledged writes survive kill -9, and SIGTERM stops the next server', async () => {
  await using data = await makeDataDir()
  const folder = join(data.path, 'data')
  const server = await startServer(folder)
  expect(server.output()).toContain(server.url)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const secret = await stat(join(folder, 'api-key'))
  expect(secret.mode & 0o777).toBe(0o600)
  const acknowledged = await killAmidWrites(server)
  const next = await startServer(folder)
  expect(await findLost(next, acknowledged)).toEqual([])
  expect(await next.stop('SIGTERM')).toBe(0)
  expect([server, next].map((one) => readWarnings(one.output()))).toEqual([[], []])
})

test.runIf(process.platform === 'linux')(
  'worker threads have a lower priority than the main thread',
  { tags: ['more'] },
  async () => {
    await using data = await makeDataDir()
    const server = await startServer(data.path)
    const tasks = `/proc/${server.child.pid}/task`
    const threads = await Promise.all(
      (await readdir(tasks)).map(async (id) => ({
        name: (await readFile(`${tasks}/${id}/comm`, 'utf8')).trim(),
        // The name in brackets may hold spaces; the niceness is the 17th field behind it.
        nice: (await readFile(`${tasks}/${id}/stat`, 'utf8')).split(') ')[1]?.split(' ')[16],
      })),
    )
    const niceOf = (name: string) =>
      new Set(threads.filter((it) => it.name === name).map((it) => it.nice))
    expect(niceOf('libuv-worker')).toEqual(new Set(['10']))
    expect(niceOf('node-MainThread')).toEqual(new Set(['0']))
    await server.stop()
  },
)

test('a rendered page and a keep-alive connection do not delay the stop', {
  tags: ['more'],
}, async () => {
  await using data = await makeDataDir()
  const server = await startServer(data.path)
  const page = await fetch(`${server.url}/post/missing`)
  expect(page.status).toBe(404)
  await page.text()
  expect(await server.stop('SIGTERM')).toBe(0)
  // What does not end by itself is cut off in the end, with a warning.
  expect(readWarnings(server.output())).toEqual([])
})

test.each([
  { where: 'the environment', isInFile: false },
  { where: 'the settings file', isInFile: true },
])(
  'a removed setting that is still set in $where has one line in the log, and the blog starts',
  { tags: ['more'] },
  async ({ isInFile }) => {
    await using data = await makeDataDir()
    const env = { BLOG_CONTENT: 'text', BLOG_DATABASE_REPLICA_URL: 'postgres://replica/blog' }
    const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
    if (isInFile) await writeFile(join(data.path, 'settings.env'), lines.join(''))
    const server = await startServer(data.path, isInFile ? {} : env)
    expect(readWarnings(server.output())).toMatchObject([
      {
        event: 'setting gone',
        msg: 'BLOG_CONTENT is no longer used: the text of a post is always HTML',
      },
      {
        event: 'setting gone',
        msg: expect.stringMatching(/BLOG_DATABASE_REPLICA_URL.*operating\.md/),
      },
    ])
    expect(await server.stop('SIGTERM')).toBe(0)
  },
)

test('SIGINT stops the server', { tags: ['more'] }, async () => {
  await using data = await makeDataDir()
  const server = await startServer(data.path)
  expect(await server.stop('SIGINT')).toBe(0)
})

test('the server continues and stops cleanly after its stdout was closed', {
  tags: ['more'],
}, async () => {
  await using data = await makeDataDir()
  const server = await startServer(data.path)
  server.child.stdout?.destroy()
  const alice = await signUp(server.url, 'alice')
  await signUp(server.url, 'bob')
  expect((await call(server.url, 'GET', '/account', { cookie: alice })).status).toBe(200)
  expect(await server.stop('SIGTERM')).toBe(0)
})

test('a restart keeps accounts, sessions and prefs', { tags: ['more'] }, async () => {
  await using data = await makeDataDir()
  const first = await startServer(data.path)
  const alice = await signUp(first.url, 'alice')
  await call(first.url, 'PATCH', '/account/prefs', {
    cookie: alice,
    body: { prefs: { theme: 'light' } },
  })
  await first.stop()

  const second = await startServer(data.path)
  expect(await call(second.url, 'GET', '/account', { cookie: alice })).toMatchObject({
    status: 200,
    body: { email: 'alice@example.test', prefs: { theme: 'light' } },
  })
  expect(await second.stop()).toBe(0)
})

test('an error names a data folder that cannot be created', async () => {
  const path = join(process.execPath, 'data')
  await expect(makeDataFolder(path, makeLog('silent'))).rejects.toThrow(
    `BLOG_DATA_DIR: "${path}" cannot be made`,
  )
})

test('a data folder that cannot be created stops the start with a clear message', {
  tags: ['more'],
}, async () => {
  await using data = await makeDataDir()
  const { code, output } = await runServer({
    PORT: '0',
    BLOG_DATA_DIR: join(process.execPath, 'data'),
  })
  expect(code).toBe(1)
  expect(output).toContain('could not start')
  expect(await readdir(data.path)).toEqual([])
})

test('a data folder on a read-only file system stops the start with its name', {
  tags: ['more'],
}, async () => {
  const { code, output } = await runServer({ PORT: '0', BLOG_DATA_DIR: '/proc/lamplight/data' })
  expect(code).toBe(1)
  expect(output).toContain('BLOG_DATA_DIR: "/proc/lamplight/data" cannot be made')
})

test('a data folder that others could read becomes private', { tags: ['more'] }, async () => {
  await using data = await makeDataDir()
  await chmod(data.path, 0o755)
  const server = await startServer(data.path)
  expect((await stat(data.path)).mode & 0o777).toBe(0o700)
  expect(await server.stop()).toBe(0)
})

test('SIGTERM during the start ends the server', { tags: ['more'] }, async () => {
  await using data = await makeDataDir()
  // A storage that never answers: the start would wait for it, and then fail.
  await using silent = createServer((socket) => socket.on('error', () => {}).resume()).listen(
    0,
    '127.0.0.1',
  )
  await once(silent, 'listening')
  const connection = once(silent, 'connection')
  const starting = spawnServer({
    PORT: '0',
    BLOG_DATA_DIR: data.path,
    BLOG_S3_BUCKET: 'lamps',
    BLOG_S3_ACCESS_KEY: 'key',
    BLOG_S3_SECRET_KEY: 'secret',
    BLOG_S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  })
  await connection
  starting.child.kill('SIGTERM')
  await once(starting.child, 'exit')
  expect(starting.child.exitCode).toBe(0)
})

test('acknowledged writes survive kill -9 three times', { tags: ['more'] }, async () => {
  await using data = await makeDataDir()
  const acknowledged: string[] = []
  for (let round = 0; round < 3; round++)
    acknowledged.push(...(await killAmidWrites(await startServer(data.path), `r${round}`)))
  const server = await startServer(data.path)
  expect(await findLost(server, acknowledged)).toEqual([])
  expect(await server.stop()).toBe(0)
})

/** Kills a server while several write to it. @returns the ids of people that it acknowledged */
async function killAmidWrites(server: ServerProcess, prefix = ''): Promise<string[]> {
  const acknowledged: string[] = []
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let attempt = 0; ; attempt++) {
      const userId = `${prefix}w${writer}t${attempt}`
      const body = {
        userId,
        email: `${userId}@example.test`,
        password: 'a lamp in the window',
        name: userId,
      }
      const answer = await call(server.url, 'POST', '/account', { body }).catch(() => undefined)
      if (answer?.status !== 201) return
      acknowledged.push(userId)
      if (acknowledged.length >= 2 * WRITERS) server.child.kill('SIGKILL')
    }
  })
  await Promise.all(writing)
  await server.stop('SIGKILL')
  expect(acknowledged.length).toBeGreaterThanOrEqual(2 * WRITERS)
  return acknowledged
}

/** @returns the ids of people that the server does not know */
async function findLost({ url }: ServerProcess, userIds: string[]): Promise<string[]> {
  const lost: string[] = []
  for (const userId of userIds)
    if ((await call(url, 'GET', `/users/${userId}`)).status !== 200) lost.push(userId)
  return lost
}

type Sent = { cookie?: string; body?: unknown }

async function call(
  url: string,
  method: string,
  path: string,
  { cookie, body }: Sent = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const answer = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      'x-appwrite-project': 'blog',
      'content-type': 'application/json',
      ...(cookie ? { cookie } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    body: text ? JSON.parse(text) : undefined,
    headers: answer.headers,
  }
}

/** @returns the cookie header of a new person's session */
async function signUp(url: string, name: string): Promise<string> {
  const login = { email: `${name}@example.test`, password: `${name} likes lamps` }
  expect(
    (await call(url, 'POST', '/account', { body: { userId: 'unique()', name, ...login } })).status,
  ).toBe(201)
  const session = await call(url, 'POST', '/account/sessions/email', { body: login })
  expect(session.status).toBe(201)
  return session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

/** Log entries from a warning up. */
function readWarnings(output: string): unknown[] {
  const entries = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number })
  return entries.filter(({ level }) => level >= 40)
}
