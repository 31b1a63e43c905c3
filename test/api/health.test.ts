// Health over real HTTP: the answers to a load balancer and to the API key.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { probeDatabase } from '#backend/database/probe-database.ts'
import { HEALTH_PROBE_EVERY_MS } from '#backend/http/health.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

beforeEach(() => void vi.mocked(probeDatabase).mockClear())
vi.mock('#backend/database/probe-database.ts', { spy: true })

const healthzStatus = async (blog: TestBlog) => (await fetch(`${blog.url}/healthz`)).status
const getHealth = (blog: TestBlog, path = '/health') =>
  blog.call('GET', path, { headers: { 'x-appwrite-key': blog.apiKey } })

for (const [kind, tags] of DATABASES)
  describe(`a healthy blog on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogOn(kind))

    test('answers a load balancer with 200', async () => {
      const answer = await fetch(`${(await share()).url}/healthz`)
      expect([answer.status, await answer.text()]).toEqual([200, 'ok'])
    })

    test('lists its parts, all of which pass', async () => {
      expect((await getHealth(await share())).body).toEqual({
        name: 'http',
        ping: 0,
        status: 'pass',
        total: 3,
        statuses: ['db', 'local', 'storage'].map((part) => ({
          name: part,
          ping: expect.any(Number),
          status: 'pass',
        })),
      })
    })

    test.each(['db', 'cache', 'storage', 'storage/local'])('passes as %s', async (name) => {
      const { body } = await getHealth(await share(), `/health/${name}`)
      expect(body).toMatchObject({ name, status: 'pass' })
    })

    test('has no mails in its queue', async () => {
      expect((await getHealth(await share(), '/health/queue/mails')).body).toEqual({ size: 0 })
    })
  })

test.each(['/health', '/health/db', '/health/queue/mails'])(
  'allows only the API key to read %s',
  async (path) => {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    expect((await blog.call('GET', path)).status).toBe(401)
    expect((await blog.call('GET', path, { cookie })).status).toBe(401)
  },
)

describe('a failing part', { tags: ['more'] }, () => {
  test.each([
    {
      part: 'db',
      fault: 'the database file is gone',
      breakPart: (dir: string) => rename(join(dir, 'blog.sqlite'), join(dir, 'moved')),
      repair: (dir: string) => rename(join(dir, 'moved'), join(dir, 'blog.sqlite')),
    },
    {
      part: 'db',
      fault: 'another file is in its place',
      async breakPart(dir: string) {
        await rename(join(dir, 'blog.sqlite'), join(dir, 'moved'))
        await writeFile(join(dir, 'blog.sqlite'), '')
      },
      repair: (dir: string) => rename(join(dir, 'moved'), join(dir, 'blog.sqlite')),
    },
    {
      part: 'storage',
      fault: 'the folder of files is gone',
      breakPart: (dir: string) => rename(join(dir, 'files'), join(dir, 'moved')),
      repair: (dir: string) => rename(join(dir, 'moved'), join(dir, 'files')),
    },
    {
      part: 'local',
      fault: 'the folder of uploads is gone',
      breakPart: (dir: string) => rename(join(dir, 'uploads'), join(dir, 'moved')),
      repair: (dir: string) => rename(join(dir, 'moved'), join(dir, 'uploads')),
    },
    {
      part: 'storage',
      fault: 'another folder is in the place of the files',
      async breakPart(dir: string) {
        await rename(join(dir, 'files'), join(dir, 'moved'))
        await mkdir(join(dir, 'files'))
      },
      async repair(dir: string) {
        await rm(join(dir, 'files'), { recursive: true })
        await rename(join(dir, 'moved'), join(dir, 'files'))
      },
    },
  ])('$part: $fault', async ({ part, breakPart, repair }) => {
    await using blog = await makeTestBlog()
    expect(await healthzStatus(blog)).toBe(200)
    await breakPart(blog.dataDir)
    await expect.poll(() => healthzStatus(blog)).toBe(503)
    const { status, body, headers } = await getHealth(blog)
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('5')
    expect(body).toMatchObject({ code: 503, type: 'general_service_disabled', status: 'fail' })
    const failing = body.statuses.filter(({ status }: { status: string }) => status === 'fail')
    expect(failing).toMatchObject([{ name: part, reason: expect.any(String) }])
    expect((await fetch(`${blog.url}/healthz`)).headers.get('cache-control')).toBe('no-store')
    expect(
      blog.log.some(({ event, route }) => event === 'unavailable' && route === '/healthz'),
    ).toBe(true)
    await repair(blog.dataDir)
    await expect.poll(() => healthzStatus(blog)).toBe(200)
  })
})

test('fifty concurrent requests share one probe of the database, and those a second later share another', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using blog = await makeTestBlog()
  for (let probes = 1; probes < 3; probes++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => healthzStatus(blog)))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(probeDatabase).toHaveBeenCalledTimes(probes)
    vi.advanceTimersByTime(HEALTH_PROBE_EVERY_MS)
  }
})
