// A real server on a free port with its own data folder, for API tests: `await using blog =
// await makeTestBlog()`.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HashCost } from '#backend/accounts/passwords.ts'
import { type App, makeApp } from '#backend/app.ts'
import type { RunTask } from '#backend/archive/runs/run-process.ts'
import { openDatabase } from '#backend/database/database.ts'
import type { Pages } from '#backend/pages/context.ts'
import { makeLog } from '#backend/process/log.ts'
import { type Config, readConfig } from '#backend/settings/config.ts'
import { findPort } from '#scripts/processes.ts'
import { findMigratedSqlite } from './find-servers.ts'

export type TestBlog = AsyncDisposable & {
  /** `http://localhost:PORT` */
  url: string
  dataDir: string
  apiKey: string
  /** Log entries written so far. */
  log: Record<string, unknown>[]
  /** Advances the server's clock by this many milliseconds. */
  passTime(ms: number): void
  /**
   * One API call with the project header and, if given, the cookie of a user.
   * A body that is not FormData goes as JSON; `origin` is not set.
   */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** The setup code that the start prints; undefined if none is needed. */
  makeSetupCode(): Promise<string | undefined>
  readSite: App['readSite']
  /** Signs a new user up and in. @returns the account and its cookie header */
  makePerson(name: string, email?: string): Promise<Person>
}

/** Secrets for several blogs on one database. */
export const SAME_SECRETS = {
  BLOG_API_KEY: 'the-key-of-all-machines',
  BLOG_BROWSER_KEY: 'a1'.repeat(32),
  BLOG_PROVIDER_TOKEN_KEY: 'b2'.repeat(32),
}

export type CallOptions = {
  cookie?: string
  body?: unknown
  /** A JSON body as a string, sent unchanged instead of `body`. */
  json?: string
  headers?: Record<string, string>
}
/** `body` is parsed JSON or else the text; a PNG is only in `bytes`. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by matchers
export type Answer = { status: number; headers: Headers; body: any; bytes: Buffer }
export type Person = { id: string; name: string; email: string; password: string; cookie: string }

type BlogOptions = {
  startsAt?: Date
  pages?: Pages
  pregeneratesPreviews?: boolean
  isNew?: boolean
  hashesSlowly?: boolean
  runTask?: RunTask
}

/** Cheap on purpose: the cost of production takes 20 ms of processor time per hash. */
const HASH_COST: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

const HOUR_MS = 3_600_000

/** Rate limit windows end on the hour: a test that starts there does not run into the next one. */
function initialClockMs({ hasRateLimits }: Config): number {
  return hasRateLimits ? Math.ceil(Date.now() / HOUR_MS) * HOUR_MS : Date.now()
}

/**
 * @param env settings on top of a test's defaults (rate limits are off, the log is kept in memory)
 * @param options `startsAt` is the initial time of the server's clock; the default is now, or the
 *   next full hour if requests are limited. `pages` renders the HTML pages; without it there are
 *   none. `isNew` leaves the blog without an operator. `hashesSlowly` hashes passwords at the cost
 *   of production.
 */
export async function makeTestBlog(
  env: Record<string, string> = {},
  {
    startsAt,
    pages,
    pregeneratesPreviews = false,
    isNew = false,
    hashesSlowly = false,
    runTask,
  }: BlogOptions = {},
): Promise<TestBlog> {
  const dataDir = await makeMigratedFolder()
  const port = await findPort()
  const read = readConfig({ PORT: String(port), BLOG_DATA_DIR: dataDir, ...env })
  // Set here because a configuration that is reachable from other hosts refuses "off".
  const config = { ...read, hasRateLimits: env.BLOG_RATE_LIMITS === 'on' }
  if (isNew) await forgetSetUp(config)
  const log: Record<string, unknown>[] = []
  let shiftMs = (startsAt?.getTime() ?? initialClockMs(config)) - Date.now()
  const appLog = makeLog('info', { write: (line) => void log.push(JSON.parse(line)) })
  const app: App = await makeApp(config, appLog, {
    now: () => new Date(Date.now() + shiftMs),
    pages,
    onFatal: () => {},
    pregeneratesPreviews,
    hashCost: hashesSlowly ? undefined : HASH_COST,
    runTask,
  })
  await app.listen()
  const url = `http://localhost:${port}`
  const blog: TestBlog = {
    url,
    dataDir,
    apiKey: app.apiKey,
    makeSetupCode: app.makeSetupCode,
    readSite: app.readSite,
    log,
    passTime: (ms) => {
      shiftMs += ms
    },
    async call(method, path, { cookie, body, json, headers = {} } = {}) {
      const isForm = body instanceof FormData
      const text = json ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          'x-appwrite-project': config.projectId,
          ...(isForm || text === undefined ? {} : { 'content-type': 'application/json' }),
          ...(cookie ? { cookie } : {}),
          ...headers,
        },
        ...(text === undefined ? {} : { body: isForm ? body : text }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const type = response.headers.get('content-type') ?? ''
      const isJson = type.includes('application/json')
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(bytes.toString()) : type === 'image/png' ? '' : bytes.toString(),
        bytes,
      }
    },
    async makePerson(name, email = `${name}@example.test`) {
      const password = `${name} likes lamps`
      const answer = await blog.call('POST', '/account', {
        body: { userId: 'unique()', email, password, name },
      })
      const session = await blog.call('POST', '/account/sessions/email', {
        body: { email, password },
      })
      if (session.status !== 201)
        throw new Error(`${name} could not sign in: ${JSON.stringify([answer.body, session.body])}`)
      const cookie = cookieOf(session)
      return { id: answer.body.$id, name, email, password, cookie }
    },
    async [Symbol.asyncDispose]() {
      await app.close({ graceMs: 0 })
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return blog
}

/** The cookies that an answer sets, in the form in which a request sends them. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): string {
  return headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

async function forgetSetUp(config: Config): Promise<void> {
  const db = await openDatabase(config)
  await db.deleteFrom('siteValue').execute()
  await db.destroy()
}

/** Copying a migrated database is much faster than migrating one. */
async function makeMigratedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-test-'))
  await copyFile(await findMigratedSqlite(), join(folder, 'blog.sqlite'))
  return folder
}
