// Imports and exports in the processes of a real server: the child process is of low priority, ends
// with the server, and whatever is killed, the work is begun again with the same end.
// @module-tag more
import { readdir, readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import type { ExportRun, ImportRun } from '#contract/archive.ts'
import { CHOICES, makeWordpressExport } from '#test/support/archive-runs.ts'
import { SAME_SECRETS } from '#test/support/blog.ts'
import { makeDataDir, type ServerProcess, setUpFolder, startServer } from '#test/support/process.ts'
import { readZip } from '#test/support/zip.ts'

const NICENESS = 15

async function callAsKey({ url }: ServerProcess, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      'x-appwrite-project': 'blog',
      'x-appwrite-key': SAME_SECRETS.BLOG_API_KEY,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function call<Model>(server: ServerProcess, method: string, path: string, body?: object) {
  return JSON.parse((await callAsKey(server, method, path, body)).bytes.toString()) as Model
}

/** The child processes of a server that work on imports and exports. */
async function findChildren({ child }: ServerProcess): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (parent === child.pid && command.includes('archive-process')) found.push(Number(name))
  }
  return found
}

async function untilChild(server: ServerProcess): Promise<number> {
  let pid: number | undefined
  await expect
    .poll(async () => {
      pid = (await findChildren(server))[0]
      return pid !== undefined
    })
    .toBe(true)
  return pid ?? 0
}

const isRunning = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== ''

async function startExport(server: ServerProcess): Promise<string> {
  const run = await call<ExportRun>(server, 'POST', '/operator/exports', { parts: ['data'] })
  return run.$id
}

/** Waits until the export is done, and reads it. @returns the paths in it */
async function readExport(server: ServerProcess, id: string): Promise<string[]> {
  const state = async () => {
    const { exports } = await call<{ exports: ExportRun[] }>(server, 'GET', '/operator/exports')
    return exports.find(({ $id }) => $id === id)?.state
  }
  await expect.poll(state, { timeout: 120_000, interval: 200 }).toBe('done')
  const { bytes } = await callAsKey(server, 'GET', `/operator/exports/${id}/download`)
  return (await readZip(bytes)).map(({ path }) => path)
}

async function openServer() {
  const stack = new AsyncDisposableStack()
  const data = stack.use(await makeDataDir())
  await setUpFolder(data.path)
  const start = async () => {
    const server = await startServer(data.path, SAME_SECRETS)
    stack.defer(async () => void (await server.stop('SIGKILL')))
    return server
  }
  return { server: await start(), start, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('the work is done by a child process of low priority without settings', async () => {
  await using opened = await openServer()
  const id = await startExport(opened.server)
  const pid = await untilChild(opened.server)
  await expect.poll(() => getPriority(pid)).toBe(NICENESS)
  expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('BLOG_')
  expect(await readExport(opened.server, id)).toContain('manifest.json')
})

test('a child process that is killed is started again', async () => {
  await using opened = await openServer()
  const id = await startExport(opened.server)
  process.kill(await untilChild(opened.server), 'SIGKILL')
  expect(await readExport(opened.server, id)).toContain('manifest.json')
})

test('a killed server takes its child process along, and the next one goes on', async () => {
  await using opened = await openServer()
  const id = await startExport(opened.server)
  const pid = await untilChild(opened.server)
  await opened.server.stop('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
  expect(await readExport(await opened.start(), id)).toContain('manifest.json')
})

/** So many that the import still runs when it is killed. */
const POSTS_IMPORTED = 3000
const DOCUMENTS = '/databases/blogdb/collections/posts/documents'

/** Uploads and checks a WordPress file as operators do, and starts its import. @returns its id */
async function startImport(server: ServerProcess): Promise<string> {
  const bytes = makeWordpressExport(POSTS_IMPORTED)
  const request = { fileName: 'old.xml', sizeBytes: bytes.length, oldAddress: '' }
  const { $id } = await call<ImportRun>(server, 'POST', '/operator/imports', request)
  const response = await fetch(`${server.url}/v1/operator/imports/${$id}/pieces/0`, {
    method: 'PUT',
    headers: {
      'x-appwrite-project': 'blog',
      'x-appwrite-key': SAME_SECRETS.BLOG_API_KEY,
      'content-type': 'application/octet-stream',
    },
    body: bytes,
  })
  expect(response.status).toBe(200)
  await call(server, 'POST', `/operator/imports/${$id}/check`, {})
  await untilState(server, $id, 'checked')
  await call(server, 'POST', `/operator/imports/${$id}/start`, CHOICES)
  return $id
}

const readImport = (server: ServerProcess, id: string) =>
  call<ImportRun>(server, 'GET', `/operator/imports/${id}`)

async function untilState(server: ServerProcess, id: string, state: string): Promise<ImportRun> {
  const current = async () => (await readImport(server, id)).state
  await expect.poll(current, { timeout: 180_000, interval: 100 }).toBe(state)
  return readImport(server, id)
}

const countPosts = async (server: ServerProcess) =>
  (await call<{ total: number }>(server, 'GET', `${DOCUMENTS}?total=true`)).total

/** Waits until the import has made more posts than `before`. @returns their number */
async function untilPosts(server: ServerProcess, before = 0): Promise<number> {
  let posts = 0
  const count = async () => (posts = await countPosts(server))
  await expect.poll(count, { timeout: 120_000, interval: 10 }).toBeGreaterThan(before)
  return posts
}

test('an import goes on after its process, or the server, is killed, and makes each post once', async () => {
  await using opened = await openServer()
  const id = await startImport(opened.server)
  const posts = await untilPosts(opened.server)
  process.kill(await untilChild(opened.server), 'SIGKILL')
  await untilPosts(opened.server, posts)
  await opened.server.stop('SIGKILL')
  const server = await opened.start()
  const { progress } = await untilState(server, id, 'done')
  expect(progress.imported).toMatchObject({ posts: POSTS_IMPORTED, drafts: 1 })
  expect(await countPosts(server)).toBe(POSTS_IMPORTED + 1)
})

test('an import is stopped and undone while it runs, also when the undoing is killed', async () => {
  await using opened = await openServer()
  const { server } = opened
  const id = await startImport(server)
  await untilPosts(server)
  const importing = await untilChild(server)
  await call(server, 'POST', `/operator/imports/${id}/undo`)
  await expect.poll(() => isRunning(importing)).toBe(false)
  process.kill(await untilChild(server), 'SIGKILL')
  expect(await untilState(server, id, 'undone')).toMatchObject({ kept: 0 })
  expect(await countPosts(server)).toBe(0)
})

test('a server that stops ends the work in time, and the next one goes on', async () => {
  await using opened = await openServer()
  const id = await startExport(opened.server)
  const pid = await untilChild(opened.server)
  expect(await opened.server.stop()).toBe(0)
  expect(await isRunning(pid)).toBe(false)
  expect(await readExport(await opened.start(), id)).toContain('manifest.json')
})
