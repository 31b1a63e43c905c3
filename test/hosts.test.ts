// The set-up of docs/operating.md "Several hosts": two processes with separate data folders,
// PostgreSQL, a bucket, and nginx in front. Either process may fail at any moment.
// @module-tag more
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { call, findLost, type Person, signUp, startWriting } from './faults/writing.ts'
import { makeBucket } from './support/blob-stores.ts'
import { SAME_SECRETS } from './support/blog.ts'
import { findDebianPostgres, startDebianPostgres } from './support/debian-postgres.ts'
import { drawNoise } from './support/images.ts'
import { hasNginx, startNginx } from './support/nginx.ts'
import { makeDataDir, type ServerProcess, startServer } from './support/process.ts'
import { openSocket } from './support/realtime.ts'
import { readZip } from './support/zip.ts'

const POSTS = '/v1/databases/blogdb/collections/posts/documents'
const FILES = '/v1/storage/buckets/content/files'
const CHUNK = 5 * 1024 * 1024
const WRITERS = 4
const AFTER_KILL_WRITES = 20
const GUESSES = 30
const GUESSES_MAX = 10

const programs = await findDebianPostgres()
const isPossible = programs !== undefined && inject('hasS3') && hasNginx()

describe.skipIf(!isPossible)('two hosts', () => {
  const stack = new AsyncDisposableStack()
  let env: Record<string, string>
  let [here, there]: ServerProcess[] = []
  /** Of nginx. */
  let url: string
  let alice: Person

  async function startMachine(more: Record<string, string> = {}): Promise<ServerProcess> {
    const data = stack.use(await makeDataDir())
    const server = await startServer(data.path, { ...env, ...more })
    stack.defer(async () => void (await server.stop()))
    return server
  }
  const both = (): [ServerProcess, ServerProcess] => {
    if (!here || !there) throw new Error('They have not started')
    return [here, there]
  }

  beforeAll(async () => {
    // The certificate is self-signed.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const postgres = stack.use(await startDebianPostgres(programs ?? ''))
    const bucket = await makeBucket()
    env = {
      ...SAME_SECRETS,
      BLOG_DATABASE_URL: await postgres.makeDatabase('blog'),
      BLOG_S3_ENDPOINT: bucket.endpoint,
      BLOG_S3_BUCKET: bucket.bucket,
      BLOG_S3_ACCESS_KEY: bucket.accessKey,
      BLOG_S3_SECRET_KEY: bucket.secretKey,
      // With any other address the writers would be limited.
      BLOG_PUBLIC_URL: 'http://localhost',
      BLOG_TRUSTED_PROXIES: 'loopback',
      BLOG_READING: 'everyone',
    }
    ;[here, there] = await Promise.all([startMachine(), startMachine()])
    const ports = both().map((server) => new URL(server.url).port)
    const site = stack.use(await startNginx(...ports))
    url = `https://127.0.0.1:${site.httpsPort}`
    alice = await signUp(both()[0].url, 'alice')
  }, 180_000)
  afterAll(async () => {
    await stack.disposeAsync()
    vi.unstubAllEnvs()
  })

  test('a session of one host works on the other, and a new post is at once visible on both', async () => {
    const [first, second] = both()
    for (let round = 0; round < 20; round++) {
      const [writes, reads] = round % 2 === 0 ? [first, second] : [second, first]
      const id = `turn${round}`
      const data = { title: id, content: `<p>${id}</p>`, status: 'active' }
      const body = { documentId: id, data }
      const answer = await call(writes.url, POSTS, { method: 'POST', ...alice, body })
      expect(answer.status).toBe(201)
      const answers = await Promise.all([
        call(reads.url, `${POSTS}/${id}`, alice),
        call(reads.url, `${POSTS}/${id}`),
        call(url, `${POSTS}/${id}`, alice),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }
  })

  test('chunks of one upload may be sent to different hosts', async () => {
    const large = await drawNoise(12_000_000)
    const servers = both()
    for (let index = 0; index * CHUNK < large.length; index++) {
      const start = index * CHUNK
      const end = Math.min((index + 1) * CHUNK, large.length)
      const form = new FormData()
      form.append('fileId', 'attic')
      form.append('file', new File([new Uint8Array(large.subarray(start, end))], 'attic.png'))
      const response = await fetch(`${servers[index % 2]?.url}${FILES}`, {
        method: 'POST',
        headers: {
          'x-appwrite-project': 'blog',
          'x-appwrite-id': 'attic',
          'content-range': `bytes ${start}-${end - 1}/${large.length}`,
          'x-appwrite-session': alice.session,
        },
        body: form,
      })
      expect([response.status, await response.json()]).toMatchObject([
        201,
        { chunksUploaded: index + 1 },
      ])
    }
    for (const server of [...servers, { url }]) {
      const view = await call(server.url, `${FILES}/attic/view`, alice)
      expect(view.bytes.equals(large)).toBe(true)
    }
  })

  test('concurrent likes on both hosts are all counted, and both hosts publish them', async () => {
    const servers = both()
    using sockets = new DisposableStack()
    const connections = servers.map((server) => sockets.use(openSocket(server)))
    for (const socket of connections) expect((await socket.next()).type).toBe('connected')
    const people = ['bob', 'carla', 'dora', 'emil', 'finn', 'gwen']
    const signedIn = await Promise.all(people.map((name) => signUp(url, name)))
    await Promise.all(
      signedIn.map((person, at) => {
        const body = { data: { likeId: [people[at]] } }
        const server = servers[at % 2] ?? { url }
        return call(server.url, `${POSTS}/turn0`, { method: 'PATCH', ...person, body })
      }),
    )
    for (const server of servers) {
      const { bytes } = await call(server.url, `${POSTS}/turn0`)
      expect(JSON.parse(bytes.toString()).like).toBe(people.length)
    }
    const likes = async (socket: (typeof connections)[number]) => {
      for (;;) {
        const { data } = await socket.next()
        if (data.payload?.$id === 'turn0' && data.payload.like === people.length) return true
      }
    }
    expect(await Promise.all(connections.map(likes))).toEqual([true, true])
  })

  test('pieces of an import may be sent to either host, and either one reads them', async () => {
    const servers = both()
    const bytes = Buffer.alloc(2 * CHUNK + 1, 'no export ')
    const json = async (at: number, method: string, path: string, body?: unknown) => {
      const server = servers[at % 2] ?? { url }
      const answer = await call(server.url, `/v1/account/imports${path}`, {
        method,
        ...alice,
        body,
      })
      return JSON.parse(answer.bytes.toString())
    }
    const fileName = 'old.xml'
    const request = { fileName, sizeBytes: bytes.length, oldAddress: '' }
    const { $id } = await json(0, 'POST', '', request)
    for (let index = 0; index * CHUNK < bytes.length; index++) {
      const response = await fetch(
        `${servers[index % 2]?.url}/v1/account/imports/${$id}/pieces/${index}`,
        {
          method: 'PUT',
          headers: {
            'x-appwrite-project': 'blog',
            'content-type': 'application/octet-stream',
            'x-appwrite-session': alice.session,
          },
          body: bytes.subarray(index * CHUNK, (index + 1) * CHUNK),
        },
      )
      expect(await response.json()).toMatchObject({ pieces: index + 1 })
    }
    await json(1, 'POST', `/${$id}/check`, {})
    const state = async () => (await json(0, 'GET', `/${$id}`)).state
    await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe('failed')
    expect((await json(1, 'GET', `/${$id}`)).problem).toContain('This is no export')
  })

  test('an export is downloaded from either host, also when the one that made it is killed', async () => {
    const [one, other] = both()
    const path = '/v1/account/exports'
    const created = await call(one.url, path, {
      method: 'POST',
      ...alice,
      body: { parts: ['data'] },
    })
    const { $id } = JSON.parse(created.bytes.toString())
    const state = async () => {
      const { exports } = JSON.parse((await call(other.url, path, alice)).bytes.toString())
      return exports[0].state
    }
    await expect.poll(state, { timeout: 60_000, interval: 50 }).not.toBe('waiting')
    await one.stop('SIGKILL')
    await expect.poll(state, { timeout: 120_000, interval: 200 }).toBe('done')
    const zip = (await call(other.url, `${path}/${$id}/download`, alice)).bytes
    expect((await readZip(zip)).map(({ path }) => path)).toContain('manifest.json')
    here = await startMachine()
  })

  test('when one host is killed under load, no acknowledged write is lost and the other continues', async () => {
    const [one, other] = both()
    using socket = openSocket(other)
    expect((await socket.next()).type).toBe('connected')
    const writing = await startWriting(url, alice, { writers: WRITERS, prefix: 'load' })
    await expect.poll(() => writing.written.length, { timeout: 30_000 }).toBeGreaterThan(20)
    await one.stop('SIGKILL')
    const before = writing.written.length
    await expect
      .poll(() => writing.written.length, { timeout: 30_000 })
      .toBeGreaterThan(before + AFTER_KILL_WRITES)
    await writing.stop()
    // At most one request of each writer: the one sent to the killed host.
    const refused = [...writing.refused]
    for (const [status] of refused) expect([0, 502, 504]).toContain(status)
    expect(refused.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(WRITERS)
    expect(await findLost(other.url, alice, writing.written)).toEqual([])
    const last = writing.written.findLast(({ kind }) => kind === 'post')
    await expect
      .poll(() => socket.messages.map(({ data }) => data.payload?.$id), { timeout: 30_000 })
      .toContain(last?.id)
    here = await startMachine()
    expect(await findLost(here.url, alice, writing.written)).toEqual([])
  })

  test('while one host is frozen under load, the other continues and no acknowledged write is lost', async () => {
    const [one, other] = both()
    const [frozen, free] = await Promise.all(
      [one, other].map(({ url: own }, at) =>
        startWriting(own, alice, { writers: WRITERS, images: false, prefix: `freeze${at}` }),
      ),
    )
    if (!frozen || !free) throw new Error('The writers have not started')
    await expect.poll(() => frozen.written.length, { timeout: 30_000 }).toBeGreaterThan(20)
    one.child.kill('SIGSTOP')
    const before = free.written.length
    await expect
      .poll(() => free.written.length, { timeout: 30_000 })
      .toBeGreaterThan(before + AFTER_KILL_WRITES)
    one.child.kill('SIGCONT')
    await Promise.all([frozen.stop(), free.stop()])
    const written = [...frozen.written, ...free.written]
    for (const server of [one, other])
      expect(await findLost(server.url, alice, written)).toEqual([])
  })

  test('rate limits that protect accounts count both hosts together', async () => {
    const limited = await Promise.all([0, 1].map(() => startMachine({ BLOG_RATE_LIMITS: 'on' })))
    const statuses: number[] = []
    for (let guess = 0; guess < GUESSES; guess++) {
      const body = { email: 'alice@example.test', password: `a wrong guess ${guess}` }
      const server = limited[guess % 2] ?? { url }
      const path = '/v1/account/sessions/email'
      statuses.push((await call(server.url, path, { method: 'POST', body })).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(GUESSES_MAX)
    expect(statuses.filter((status) => status === 429)).toHaveLength(GUESSES - GUESSES_MAX)
  })
})
