// Several processes on one host, as an operator starts them: they share all changes, nothing is
// lost when one ends, and limits that protect accounts count all processes together.
// @module-tag more
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { findPort } from '#scripts/processes.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { drawNoise } from '#test/support/images.ts'
import { makeDataDir, runServer, type ServerProcess, startServer } from '#test/support/process.ts'

const POSTS = '/databases/blogdb/collections/posts/documents'
const FILES = '/storage/buckets/content/files'
const CHUNK = 5 * 1024 * 1024
const WORKERS = 2

type Answer = { status: number; body: Record<string, unknown>; bytes: Buffer; cookie: string }
type Sent = { cookie?: string; body?: unknown; headers?: Record<string, string> }

/** One connection, which stays with one worker. */
function connect(server: ServerProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(server.url)
  async function send(
    method: string,
    path: string,
    { cookie = '', body, headers = {} }: Sent = {},
  ): Promise<Answer> {
    const form = body instanceof FormData ? new Response(body) : undefined
    const clientRequest = request({
      agent,
      hostname,
      port,
      method,
      path,
      // A connection handed to a worker at the moment it is killed gets no answer.
      timeout: 10_000,
      headers: {
        'x-appwrite-project': 'blog',
        'content-type': form?.headers.get('content-type') ?? 'application/json',
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
    })
    clientRequest.on('timeout', () => clientRequest.destroy())
    if (form) clientRequest.end(Buffer.from(await form.arrayBuffer()))
    else clientRequest.end(body === undefined ? undefined : JSON.stringify(body))
    const [answer] = await once(clientRequest, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const set = (answer.headers['set-cookie'] ?? []) as string[]
    return {
      status: answer.statusCode,
      body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : {},
      bytes,
      cookie: set.map((one) => one.split(';')[0]).join('; '),
    }
  }
  return {
    api: (method: string, path: string, sent?: Sent) => send(method, `/v1${path}`, sent),
    page: (path: string) => send('GET', path),
    close: () => agent.destroy(),
  }
}
type Connection = ReturnType<typeof connect>

/** New connections go to the workers in turn. */
async function connectToEach(server: ServerProcess): Promise<Connection[]> {
  const connections = Array.from({ length: WORKERS }, () => connect(server))
  for (const one of connections) expect((await one.api('GET', '/ping')).status).toBe(200)
  return connections
}

async function startWorkers(dataDir: string, env: Record<string, string> = {}) {
  const all = { BLOG_PROCESSES: String(WORKERS), BLOG_READING: 'everyone', ...env }
  const server = await startServer(dataDir, all)
  await expect.poll(() => listening(server)).toBe(WORKERS)
  return server
}

function listening(server: ServerProcess): number {
  return server.output().split('Server listening').length - 1
}

async function workersOf({ child }: ServerProcess): Promise<number[]> {
  const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.trim().split(' ').map(Number)
}

async function signUp(connection: Connection, name: string): Promise<string> {
  const login = { email: `${name}@example.test`, password: `${name} likes lamps` }
  const options = { body: { userId: name, name, ...login } }
  expect((await connection.api('POST', '/account', options)).status).toBe(201)
  return (await connection.api('POST', '/account/sessions/email', { body: login })).cookie
}

function post(id: string) {
  const data = { title: `Title of ${id}`, content: '<p>Text</p>', status: 'active' }
  return { documentId: id, data: { ...data, featuredImage: null, userId: 'alice' } }
}

for (const [name, tags] of DATABASES)
  describe(`two processes on ${name}`, { tags }, () => {
    test('share writes, pages, uploads, likes, sockets and rate limits', async () => {
      await using data = await makeDataDir()
      const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      const env = {
        BLOG_RATE_LIMITS: 'on',
        ...(postgres ? { BLOG_DATABASE_URL: postgres.url } : {}),
      }
      const server = await startWorkers(data.path, env)
      const [first, second] = (await connectToEach(server)) as [Connection, Connection]
      const alice = await signUp(first, 'alice')
      const events: Payloads[] = [[], []]
      const sockets = await Promise.all(events.map((payloads) => listen(server, payloads)))
      expect((await second.api('POST', POSTS, { cookie: alice, body: post('first') })).status).toBe(
        201,
      )

      // Both have the page now.
      for (const each of [first, second]) expect((await each.page('/post/first')).status).toBe(200)
      const title = 'Another title'
      const changing = { cookie: alice, body: { data: { title } } }
      expect((await second.api('PATCH', `${POSTS}/first`, changing)).status).toBe(200)
      for (const each of [first, second])
        expect((await each.page('/post/first')).bytes.toString()).toContain(title)
      expect((await first.api('GET', POSTS)).bytes.toString()).toContain(title)
      await expect
        .poll(() => events.map((payloads) => payloads.at(-1)?.title))
        .toEqual([title, title])

      await uploadInTurns([first, second], alice)
      const people = ['bob', 'carla', 'dora', 'emil']
      const cookies = await Promise.all(people.map((person) => signUp(first, person)))
      await Promise.all(
        people.map((person, at) => {
          const liking = { cookie: cookies[at] ?? '', body: { data: { likeId: [person] } } }
          return (at % 2 ? first : second).api('PATCH', `${POSTS}/first`, liking)
        }),
      )
      for (const each of [first, second])
        expect((await each.api('GET', `${POSTS}/first`)).body.like).toBe(people.length)
      for (const payloads of events)
        await expect.poll(() => payloads.some(({ like }) => like === people.length)).toBe(true)

      const wrong = { body: { email: 'alice@example.test', password: 'not the right one' } }
      const statuses = await Promise.all(
        Array.from({ length: 24 }, (_, at) =>
          (at % 2 ? first : second).api('POST', '/account/sessions/email', wrong),
        ),
      )
      expect(statuses.filter(({ status }) => status === 401)).toHaveLength(10)
      expect(statuses.filter(({ status }) => status === 429)).toHaveLength(14)
      for (const socket of sockets) socket.terminate()
      for (const each of [first, second]) each.close()
      expect(await server.stop('SIGTERM')).toBe(0)
      await postgres?.drop()
    })
  })

async function uploadInTurns(connections: Connection[], cookie: string): Promise<void> {
  const image = await drawNoise(12_000_000)
  for (let index = 0; index * CHUNK < image.length; index++) {
    const start = index * CHUNK
    const end = Math.min((index + 1) * CHUNK, image.length)
    const form = new FormData()
    form.append('fileId', 'attic')
    form.append('file', new File([new Uint8Array(image.subarray(start, end))], 'attic.png'))
    const headers = {
      'x-appwrite-id': 'attic',
      'content-range': `bytes ${start}-${end - 1}/${image.length}`,
    }
    const answer = await connections[index % 2]?.api('POST', FILES, { cookie, body: form, headers })
    expect([answer?.status, answer?.body.chunksUploaded]).toEqual([201, index + 1])
  }
  for (const each of connections)
    expect((await each.api('GET', `${FILES}/attic/view`, { cookie })).bytes.equals(image)).toBe(
      true,
    )
}

type Payloads = { title: string; like: number }[]

async function listen(server: ServerProcess, payloads: Payloads): Promise<WebSocket> {
  const address = `${server.url.replace('http', 'ws')}/v1/realtime?project=blog&channels[]=documents`
  const socket = new WebSocket(address)
  const connected = Promise.withResolvers<void>()
  socket.on('message', (message) => {
    const { type, data } = JSON.parse(String(message))
    if (type === 'connected') connected.resolve()
    if (type === 'event') payloads.push(data.payload)
  })
  await connected.promise
  return socket
}

test('a killed worker loses no acknowledged write and is replaced', async () => {
  await using data = await makeDataDir()
  const server = await startWorkers(data.path)
  const first = connect(server)
  const alice = await signUp(first, 'alice')
  const acknowledged: string[] = []
  const [victim = 0] = await workersOf(server)
  const writing = Array.from({ length: 8 }, async (_, writer) => {
    for (let round = 0; round < 15; round++) {
      const id = `w${writer}t${round}`
      const connection = connect(server)
      const opened = await connection
        .api('POST', POSTS, { cookie: alice, body: post(id) })
        .catch(() => undefined)
      connection.close()
      if (opened?.status !== 201) continue
      acknowledged.push(id)
      // Beside the addition, so that the signal is sent once.
      if (acknowledged.length === 20) process.kill(victim, 'SIGKILL')
    }
  })
  await Promise.all(writing)
  expect(acknowledged.length).toBeGreaterThan(60)
  await expect.poll(() => listening(server)).toBe(WORKERS + 1)
  const reading = connect(server)
  for (const id of acknowledged)
    expect((await reading.api('GET', `${POSTS}/${id}`)).status).toBe(200)
  for (const each of [first, reading]) each.close()
  expect(await server.stop('SIGTERM')).toBe(0)
})

test('while a worker is frozen the other continues, and the connection it held is served later', async () => {
  await using data = await makeDataDir()
  const server = await startWorkers(data.path)
  const first = connect(server)
  const alice = await signUp(first, 'alice')
  const [victim = 0] = await workersOf(server)
  process.kill(victim, 'SIGSTOP')
  const ids = Array.from({ length: 12 }, (_, at) => `p${at}`)
  const acknowledged = new Set<string>()
  const writing = ids.map(async (id) => {
    const connection = connect(server)
    const answer = await connection.api('POST', POSTS, { cookie: alice, body: post(id) })
    if (answer.status === 201) acknowledged.add(id)
    connection.close()
  })
  // The frozen worker is handed one connection, and no further one before it has accepted that.
  await expect.poll(() => acknowledged.size).toBe(ids.length - 1)
  process.kill(victim, 'SIGCONT')
  await Promise.all(writing)
  expect([...acknowledged].toSorted()).toEqual(ids.toSorted())
  for (const id of ids) expect((await first.api('GET', `${POSTS}/${id}`)).status).toBe(200)
  first.close()
  expect(await server.stop('SIGTERM')).toBe(0)
})

test('SIGHUP replaces all workers and loses no request, also on keep-alive connections', async () => {
  await using data = await makeDataDir()
  const server = await startWorkers(data.path)
  const before = await workersOf(server)
  let isOver = false
  let answeredCount = 0
  const asking = Array.from({ length: 6 }, async (_, at) => {
    let connection = connect(server)
    while (!isOver) {
      expect((await connection.api('GET', '/health/version')).status).toBe(200)
      answeredCount++
      if (at % 2) {
        connection.close()
        connection = connect(server)
      }
    }
    connection.close()
  })
  server.child.kill('SIGHUP')
  await expect.poll(() => server.output()).toContain('all workers are new')
  const answeredThen = answeredCount
  await expect.poll(() => answeredCount).toBeGreaterThan(answeredThen + 100)
  isOver = true
  await Promise.all(asking)
  await expect
    .poll(async () => (await workersOf(server)).some((id) => before.includes(id)))
    .toBe(false)
  expect(await server.stop('SIGTERM')).toBe(0)
})

test.each([
  { env: { BLOG_PROCESSES: 'many' }, says: 'neither a number from 1 to 64 nor auto' },
  { env: { BLOG_PROCESSES: '2', PORT: '0' }, says: 'need a PORT' },
  { env: { BLOG_PROCESSES: '2', PORT: '1', BLOG_MAIL: 'maybe' }, says: 'BLOG_MAIL' },
])('several processes with a wrong setting end with one line: $says', async ({ env, says }) => {
  await using data = await makeDataDir()
  const { code, output } = await runServer({ BLOG_DATA_DIR: data.path, ...env })
  expect(code).toBe(1)
  expect(output).toContain(says)
  expect(output.trim().split('\n')).toHaveLength(1)
})

test('workers that cannot start all end with code 1 and their reason', async () => {
  const { code, output } = await runServer({
    BLOG_PROCESSES: '2',
    PORT: String(await findPort()),
    BLOG_DATA_DIR: join(process.execPath, 'data'),
  })
  expect(code).toBe(1)
  expect(output).toContain('could not start')
})
