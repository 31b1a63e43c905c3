// `npm run doctor`: one line for each thing, what to do, and the exit code; nothing changes.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { examine } from '#backend/doctor/doctor.ts'
import { readConfig } from '#backend/settings/config.ts'
import { backUp, makeFolders } from '#test/support/backups.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { findMigratedSqlite } from '#test/support/find-servers.ts'
import { findPort } from '#test/support/free-port.ts'
import { drawPhoto } from '#test/support/images.ts'
import { runScript } from '#test/support/run-script.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { makeSmtpSink } from '#test/support/smtp-sink.ts'

const DAY_MS = 24 * 3600 * 1000
const PAGE_BYTES = 4096

const share = shareBlog()

/** The lines about one thing: level and text. */
async function ask(
  about: string,
  env: Record<string, string>,
  now = () => new Date(),
): Promise<[level: string, text: string][]> {
  const findings: [string, string][] = []
  for await (const finding of examine({ ...readConfig(env), env, now }))
    if (finding.about === about) findings.push([finding.level, finding.text])
    else if (findings.length > 0) break
  return findings
}

const envOf = (blog: TestBlog) => ({
  BLOG_DATA_DIR: blog.dataDir,
  PORT: new URL(blog.url).port,
})

/** A blog that has been stopped again, with a person and a file. */
async function makeStopped() {
  const folders = await makeFolders()
  const dataDir = folders.restored
  await mkdir(dataDir)
  await copyFile(await findMigratedSqlite(), join(dataDir, 'blog.sqlite'))
  const blog = await makeTestBlog({ BLOG_DATA_DIR: dataDir })
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const id: string = (await upload(blog, await blog.makePerson('alice'), photo)).body.$id
  await blog[Symbol.asyncDispose]()
  return {
    ...folders,
    dataDir,
    id,
    env: { BLOG_DATA_DIR: dataDir, PORT: String(await findPort()) },
  }
}

async function fingerprint(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir, { recursive: true })).toSorted()
  return await Promise.all(
    names.map(async (name) => {
      const path = join(dataDir, name)
      if ((await stat(path)).isDirectory()) return name
      return `${name} ${createHash('md5')
        .update(await readFile(path))
        .digest('hex')}`
    }),
  )
}

test('a healthy blog, running or stopped, gets a line for each subject and exit code 0, and is not changed', async () => {
  await using stopped = await makeStopped()
  const before = await fingerprint(stopped.dataDir)
  const off = await runScript('doctor.ts', [], stopped.env)
  expect([off.code, off.err]).toEqual([0, ''])
  expect(
    off.out
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(8, 20).trim()),
  ).toEqual([
    'settings',
    'folder',
    'secrets',
    'space',
    'database',
    'version',
    'clock',
    'files',
    'mail',
    'backups',
    'server',
  ])
  expect(off.out).not.toContain('fault ')
  expect(off.out).toMatch(
    /sound: \d+ people, \d+ posts, \d+ stored versions, \d+ deleted posts, \d+ comments$/m,
  )
  expect(off.out).toMatch(/^warning server {6}does not run at /m)
  expect(await fingerprint(stopped.dataDir)).toEqual(before)

  const blog = await share()
  const server = await ask('server', envOf(blog))
  const proxy = await ask('proxy', envOf(blog))
  expect(server).toEqual([['ok', expect.stringMatching(/^runs at /)]])
  expect(proxy).toEqual([['ok', expect.stringMatching(/^none in front of /)]])
  expect((await blog.call('GET', '/healthz')).status).toBe(404)
})

test('a fault gives exit code 1', async () => {
  const { code, out } = await runScript('doctor.ts', [], { BLOG_PUBLIC_URL: 'nonsense' })
  expect([code, out]).toEqual([
    1,
    'fault   settings    BLOG_PUBLIC_URL: Invalid endpoint URL: nonsense: the server does not start with it\n',
  ])
})

test('an unknown setting is a warning', { tags: ['more'] }, async () => {
  await using blog = await makeTestBlog()
  expect(await ask('settings', { ...envOf(blog), BLOG_BACKUPS_DIR: '/b' })).toEqual([
    ['warning', expect.stringContaining('there is no setting BLOG_BACKUPS_DIR')],
  ])
})

test('a missing data folder and a damaged secret are faults', {
  tags: ['more'],
}, async () => {
  await using stopped = await makeStopped()
  const missing = { ...stopped.env, BLOG_DATA_DIR: join(stopped.dataDir, 'none') }
  expect(await ask('folder', missing)).toEqual([['fault', expect.stringContaining('none')]])
  expect(await ask('database', missing)).toEqual([
    ['fault', expect.stringContaining('cannot be opened')],
  ])
  await writeFile(join(stopped.dataDir, 'api-key'), 'cut')
  expect(await ask('secrets', stopped.env)).toEqual([['fault', expect.stringContaining('api-key')]])
})

test.each(['session', 'postVersion'])(
  'a damaged table is named: %s',
  { tags: ['more'] },
  async (table) => {
    await using stopped = await makeStopped()
    const path = join(stopped.dataDir, 'blog.sqlite')
    const file = new SqliteFile(path)
    const page = file
      .prepare(`select rootpage from sqlite_master where name = '${table}'`)
      .pluck()
      .get() as number
    file.close()
    await using handle = await open(path, 'r+')
    await handle.write(Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
    const findings = await ask('database', stopped.env)
    expect(findings).toEqual([
      ['fault', expect.stringContaining(`the table "${table}" is damaged`)],
    ])
    // Doctor reports nothing that it cannot check then.
    expect([await ask('version', stopped.env), await ask('files', stopped.env)]).toEqual([[], []])
  },
)

test('a database of a newer version is a fault', async () => {
  await using stopped = await makeStopped()
  const file = new SqliteFile(join(stopped.dataDir, 'blog.sqlite'))
  file.exec(`insert into kysely_migration values ('9999-from-tomorrow', '2030')`)
  file.close()
  expect(await ask('version', stopped.env)).toEqual([
    ['fault', expect.stringContaining('9999-from-tomorrow')],
  ])
})

test('a database that an older version must migrate first is a fault', async () => {
  await using stopped = await makeStopped()
  const file = new SqliteFile(join(stopped.dataDir, 'blog.sqlite'))
  file.exec(`delete from kysely_migration;
    insert into kysely_migration values ('0001-people-posts-files', '2026')`)
  file.close()
  expect(await ask('version', stopped.env)).toEqual([
    ['fault', expect.stringContaining('Start that version once, then this one')],
  ])
})

test('damaged and missing files are faults, and files without a row are a warning', {
  tags: ['more'],
}, async () => {
  await using stopped = await makeStopped()
  const folder = join(stopped.dataDir, 'files')
  const [name = ''] = await readdir(folder)
  const stray = join(folder, `${'0'.repeat(20)}-${'0'.repeat(16)}`)
  await writeFile(stray, 'stray')
  const young = [
    'warning',
    expect.stringMatching(/^no row names 1 file: .* when they are a day old$/),
  ]
  expect(await ask('files', stopped.env)).toEqual([young])
  const old = new Date(Date.now() - 10 * DAY_MS)
  await utimes(stray, old, old)
  const warning = ['warning', expect.stringContaining('should have removed them')]
  expect(await ask('files', stopped.env)).toEqual([warning])
  await truncate(join(folder, name), 10)
  const cut = ['fault', expect.stringContaining(`${name} (damaged)`)]
  expect(await ask('files', stopped.env)).toContainEqual(cut)
  await rm(join(folder, name))
  const fault = ['fault', expect.stringContaining(`${name} (missing)`)]
  expect(await ask('files', stopped.env)).toContainEqual(fault)
})

test('the mail server is contacted but gets no mail', async () => {
  const blog = await share()
  const env = envOf(blog)
  await using sink = await makeSmtpSink()
  expect(await ask('mail', { ...env, ...sink.env })).toEqual([
    ['ok', expect.stringContaining('answers')],
  ])
  expect(sink.mails).toEqual([])
  const away = `smtp://127.0.0.1:${await findPort()}`
  expect(await ask('mail', { ...env, ...sink.env, BLOG_SMTP_URL: away })).toEqual([
    ['fault', expect.stringContaining('ECONNREFUSED')],
  ])
})

test('a clock that is behind the newest row is a fault', {
  tags: ['more'],
}, async () => {
  await using stopped = await makeStopped()
  const earlier = () => new Date(Date.now() - DAY_MS)
  expect(await ask('clock', stopped.env, earlier)).toEqual([
    ['fault', expect.stringMatching(/differs by 86\d{3}/)],
  ])
})

test('a missing or old backup is a warning, then a fault, and a damaged one is a fault', {
  tags: ['more'],
}, async () => {
  await using stopped = await makeStopped()
  const env = { ...stopped.env, BLOG_BACKUP_DIR: stopped.backups }
  const look = (now?: () => Date) => ask('backups', env, now)
  expect(await ask('backups', stopped.env)).toEqual([['ok', expect.stringContaining('none yet')]])
  expect(await look()).toEqual([['warning', expect.stringContaining('there is none in')]])
  await backUp(stopped, stopped.backups)
  expect(await look()).toEqual([['ok', expect.stringContaining('0 hours old')]])
  for (const [days, level] of [
    [3, 'warning'],
    [8, 'fault'],
  ] as const) {
    const later = () => new Date(Date.now() + days * DAY_MS)
    expect(await look(later)).toEqual([[level, expect.stringContaining('hours old')]])
  }
  const [name = ''] = (await readdir(stopped.backups)).filter((one) => one.endsWith('Z'))
  await truncate(join(stopped.backups, name, 'blog.sqlite'), 10)
  expect(await look()).toEqual([['fault', expect.stringContaining('blog.sqlite')]])
})

describe('the proxy in front', () => {
  type Headers = Record<string, string | string[] | undefined>

  /** Starts a proxy on a separate port; `change` turns the received headers into those it sends. */
  async function makeProxied(trusted: string) {
    const proxy = { change: (headers: Headers) => headers }
    const port = await findPort()
    const publicUrl = `http://localhost:${port}`
    const settings = { BLOG_PUBLIC_URL: publicUrl, BLOG_TRUSTED_PROXIES: trusted }
    const blog = await makeTestBlog(settings)
    const server: Server = createServer((incoming, outgoing) => {
      const { hostname, port: to } = new URL(blog.url)
      const headers = proxy.change(incoming.headers)
      const passed = request({ hostname, port: to, path: incoming.url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(passed)
    })
    await once(server.listen(port), 'listening')
    return {
      proxy,
      env: { ...envOf(blog), ...settings },
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await blog[Symbol.asyncDispose]()
      },
    }
  }
  const sets = (headers: Headers) => ({ ...headers, 'x-forwarded-for': '198.51.100.9' })
  const local = (headers: Headers) => ({ ...headers, 'x-forwarded-for': '127.0.0.1' })
  const without = ({ 'x-forwarded-for': _, ...headers }: Headers) => headers

  type Case = [change: (headers: Headers) => Headers, level: string, says: string]
  const TRUSTED: Record<string, Case> = {
    'sets the header': [sets, 'ok', 'is trusted'],
    'is on this machine, as the visitor is': [local, 'ok', 'is trusted'],
    'sends no header': [without, 'fault', 'sends no X-Forwarded-For'],
    'hands on what visitors send': [(all) => all, 'fault', 'any address'],
  }
  const NOT_TRUSTED: Record<string, Case> = {
    'sets the header': [sets, 'fault', 'set BLOG_TRUSTED_PROXIES='],
    'is on this machine': [local, 'fault', 'set BLOG_TRUSTED_PROXIES='],
  }

  test.each([
    ['is trusted', 'loopback', TRUSTED],
    ['is not trusted', '', NOT_TRUSTED],
  ])('the doctor judges a proxy that %s by the headers it sends', async (_name, trusted, cases) => {
    await using proxied = await makeProxied(trusted)
    for (const [name, [change, level, says]] of Object.entries(cases)) {
      proxied.proxy.change = change
      const findings = await ask('proxy', proxied.env)
      expect([name, findings]).toEqual([name, [[level, expect.stringContaining(says)]]])
    }
  })

  test('/healthz/proxy answers 404 without the key', async () => {
    const blog = await share()
    for (const query of ['', `?at=${Date.now()}`, `?at=${Date.now()}&proof=${'0'.repeat(64)}`])
      expect((await fetch(`${blog.url}/healthz/proxy${query}`)).status).toBe(404)
  })
})

test('with PostgreSQL the doctor checks the database, its clock, and rows against files', {
  tags: ['more'],
}, async () => {
  const database = await makePostgresDatabase({ isEmpty: true })
  const settings = { BLOG_DATABASE_URL: database.url }
  const blog = await makeTestBlog(settings)
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const { body } = await upload(blog, await blog.makePerson('alice'), photo)
  const env = { ...envOf(blog), ...settings }
  expect(await ask('database', env)).toEqual([['ok', expect.stringContaining('PostgreSQL 18')]])
  expect(await ask('clock', env)).toEqual([['ok', 'agrees with the database server']])
  expect(await ask('files', env)).toEqual([['ok', expect.stringContaining('all 1 files')]])
  const [name = ''] = await readdir(join(blog.dataDir, 'files'))
  await rm(join(blog.dataDir, 'files', name))
  expect(await ask('files', env)).toEqual([['fault', expect.stringContaining(name)]])
  expect((await blog.call('GET', `${CONTENT}/${body.$id}/view`)).status).toBe(404)
  await blog[Symbol.asyncDispose]()
  await database.drop()
  expect(await ask('database', env)).toEqual([
    ['fault', expect.stringContaining('check BLOG_DATABASE_URL')],
  ])
})
