// Blogs with content of every kind, their archives, and archives with one part changed.
import { createHash } from 'node:crypto'
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GuestPages } from '#backend/archive/export/export-options.ts'
import { writeArchive } from '#backend/archive/export/write-archive.ts'
import { restoreArchive } from '#backend/archive/import/restore-archive.ts'
import { openFileTree } from '#backend/archive/sources/file-tree.ts'
import { openContexts } from '#backend/contexts.ts'
import { makeLog } from '#backend/process/log.ts'
import { readConfig } from '#backend/settings/config.ts'
import { uploadPhoto } from './backup-writes.ts'
import { makeTestBlog } from './blog.ts'
import { makeDocuments } from './documents.ts'
import { findMigratedSqlite } from './find-servers.ts'
import { runScript } from './run-script.ts'

export type Env = Record<string, string>

/** The settings of a blog in a folder of its own that does not exist yet. */
export function folderEnv(root: string, name: string): Env & { BLOG_DATA_DIR: string } {
  return { BLOG_DATA_DIR: join(root, name) }
}

/** Two people with posts, drafts, versions, deleted posts, comments, likes, tags and files. */
export async function fillBlog(env: ReturnType<typeof folderEnv>) {
  await mkdir(env.BLOG_DATA_DIR)
  if (env.BLOG_DATABASE_URL === undefined)
    await copyFile(await findMigratedSqlite(), join(env.BLOG_DATA_DIR, 'blog.sqlite'))
  await using blog = await makeTestBlog(env)
  const alice = await blog.makePerson('Alice')
  const bob = await blog.makePerson('bob')
  const asKey = { headers: { 'x-appwrite-key': blog.apiKey } }
  await blog.call('PATCH', `/users/${alice.id}/role`, { ...asKey, body: { role: 'operator' } })
  await blog.call('POST', '/invitations', { ...asKey, body: { email: 'carla@example.test' } })
  const documents = makeDocuments(blog)
  const lamp = await documents.post(alice, {
    title: '👩🏽‍🚀 “lamp” \\ \' " $1',
    content: `<p>𝔏ight ${'und Öl '.repeat(4000)}</p>`,
    tags: ['Öl', 'light'],
    excerpt: 'About lamps',
  })
  await documents.patch(alice, lamp, { title: '👩🏽‍🚀 “lamp”, again', content: '<p>Other</p>' })
  const gone = await documents.post(bob, { title: 'Gone', content: '<p>soon</p>' })
  await documents.post(bob, { title: 'Draft', content: '<p>not yet</p>', status: 'inactive' })
  await documents.post(alice, { title: 'Next', content: '<p>x</p>', status: 'inactive' })
  for (const person of [alice, bob]) {
    await documents.like(person, lamp, [person.id], 1)
    for (const postId of [lamp, gone])
      await blog.call('POST', '/databases/blogdb/collections/comments/documents', {
        body: { documentId: 'unique()', data: { postId, content: `${postId} 🕯️` } },
        cookie: person.cookie,
      })
  }
  await documents.remove(bob, gone)
  for (let count = 0; count < 3; count++) await uploadPhoto(blog, bob)
  return { url: blog.url, alice, bob, lamp }
}

type ExportOptions = { hasPeople?: boolean; ownerId?: string }

/** Writes the data part in this process. */
export async function exportTo(
  folder: string,
  env: Env,
  { hasPeople = false, ownerId }: ExportOptions = {},
): Promise<void> {
  const log = makeLog('silent')
  const options = { now: () => new Date(), pages: undefined, onFatal: () => {} }
  await using contexts = await openContexts(readConfig(env), log, options)
  await writeArchive(
    contexts.archive,
    // Only the site asks for pages.
    { folder, parts: ['data'], hasPeople, ownerId, ...({} as GuestPages) },
    { signal: new AbortController().signal, onProgress: () => {} },
  )
}

/** Imports in this process. */
export async function importFrom(path: string, env: Env): Promise<void> {
  const tree = await openFileTree(path)
  await restoreArchive(readConfig(env), tree, { onProgress: () => {} })
  await tree.close()
}

export const runExport = (args: string[], env: Env) => runScript('export.ts', args, env)
export const runImport = (path: string, env: Env) => runScript('import.ts', [path], env)

/** Every file of the data part, by its name. */
export async function readDataOf(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const part of ['data', 'files'])
    for (const name of await readdir(join(folder, part)))
      files[`${part}/${name}`] = (await readFile(join(folder, part, name))).toString('base64')
  return files
}

export async function readRowsOf(
  folder: string,
  table: string,
): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, 'data', `${table}.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** A copy of an archive in which one file is another, with checksums as an attacker would write. */
export async function changeArchive(
  from: string,
  to: string,
  path: string,
  change: (bytes: Buffer) => Buffer | string,
): Promise<void> {
  await cp(from, to, { recursive: true })
  await writeFile(join(to, path), change(await readFile(join(to, path)).catch(() => Buffer.of())))
  const sums = new Map(
    (await readFile(join(to, 'SHA256SUMS'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
  if (path.includes('/')) sums.set(path, sha256(await readFile(join(to, path))))
  const text = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('')
  if (path === 'manifest.json' || path === 'SHA256SUMS') return
  await writeFile(join(to, 'SHA256SUMS'), text)
  const manifest = JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8'))
  manifest.files.count = sums.size
  manifest.files.checksumsSha256 = sha256(await readFile(join(to, 'SHA256SUMS')))
  await writeFile(join(to, 'manifest.json'), JSON.stringify(manifest, null, 2))
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
