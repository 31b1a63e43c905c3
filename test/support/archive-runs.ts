// Imports and exports over the API: calls, and work whose outcome a test decides.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { expect } from 'vitest'
import type { Outcome, Progress, RunTask, Task } from '#backend/archive/runs/run-process.ts'
import { makeStoredName } from '#backend/files/blob-store.ts'
import { makeId, secondsAfter } from '#backend/process/ids.ts'
import {
  EXPORT_DAYS,
  type ImportCheck,
  type ImportChoices,
  type ImportCounts,
  type ImportRun,
} from '#contract/archive.ts'
import { IMPORT_PIECE_BYTES } from '#contract/archive-limits.ts'
import type { Answer, CallOptions, TestBlog } from './blog.ts'

export const COUNTS: ImportCounts = {
  posts: 0,
  drafts: 0,
  pages: 0,
  pictures: 0,
  comments: 0,
  people: 0,
  tags: 0,
  addresses: 0,
}

export const CHECK: ImportCheck = {
  kind: 'wordpress',
  program: 'WordPress 6.8',
  siteName: 'Old lamps',
  siteDescription: '',
  siteUrl: 'https://old.example',
  found: { ...COUNTS, posts: 3, drafts: 1 },
  willImport: { ...COUNTS, posts: 3, drafts: 1 },
  oldest: '',
  newest: '',
  pictureBytes: 0,
  roomBytes: null,
  people: [
    {
      key: 'ann',
      name: 'Ann',
      email: 'ann@old.example',
      posts: 4,
      proposal: '',
      isAmbiguous: false,
    },
  ],
  issues: [],
  issueCount: 0,
}

export const CHOICES: ImportChoices = {
  status: 'active',
  pages: 'none',
  hasPictures: true,
  hasComments: false,
  hasSiteName: false,
  people: {},
}

export type Job = {
  task: Task
  report(progress: Progress): void
  end(outcome: Outcome): void
  /** Resolves once the work has been told to stop, and has. */
  stopped: Promise<void>
}

/** Work that ends when a test says so, or when it is told to stop. */
export function makeJobs() {
  const jobs: Job[] = []
  const waiting: ((job: Job) => void)[] = []
  const runTask: RunTask = (task, { stop, kill, onProgress }) => {
    const ended = Promise.withResolvers<Outcome>()
    const stopped = Promise.withResolvers<void>()
    for (const signal of [stop, kill])
      signal.addEventListener('abort', () => {
        ended.resolve('stopped')
        stopped.resolve()
      })
    const job = { task, report: onProgress, end: ended.resolve, stopped: stopped.promise }
    const next = waiting.shift()
    if (next) next(job)
    else jobs.push(job)
    return ended.promise
  }
  return {
    runTask,
    /** The next work that is begun. */
    next(): Promise<Job> {
      const job = jobs.shift()
      return job ? Promise.resolve(job) : new Promise((resolve) => void waiting.push(resolve))
    },
    /** Work that has begun, and that no test has asked for. */
    begun: () => jobs.length,
  }
}

export type Prefix = '/account' | '/operator'

export function makeRunCalls(blog: TestBlog, prefix: Prefix, as: CallOptions) {
  const path = (id: string, step = '') => `${prefix}/imports/${id}${step && `/${step}`}`
  const calls = {
    create: (sizeBytes: number, more: object = {}) =>
      blog.call('POST', `${prefix}/imports`, {
        ...as,
        body: { fileName: 'old.xml', sizeBytes, oldAddress: '', ...more },
      }),
    list: () => blog.call('GET', `${prefix}/imports`, as),
    read: (id: string) => blog.call('GET', path(id), as),
    step: (id: string, step: string, body?: object) =>
      blog.call('POST', path(id, step), { ...as, ...(body && { body }) }),
    discard: (id: string) => blog.call('DELETE', path(id), as),
    issues: (id: string) => blog.call('GET', path(id, 'issues.csv'), as),
    put: (id: string, number: number, bytes: Uint8Array<ArrayBuffer>) =>
      putBytes(blog, path(id, `pieces/${number}`), as, bytes),
    /** Uploads a file in pieces. @returns its run */
    async upload(bytes: Uint8Array<ArrayBuffer>, more: object = {}): Promise<ImportRun> {
      const { status, body } = await calls.create(bytes.length, more)
      expect([status, body.message]).toEqual([201, undefined])
      const pieces = Math.ceil(bytes.length / IMPORT_PIECE_BYTES)
      let run: ImportRun = body
      for (let number = 0; number < pieces; number++) {
        const start = number * IMPORT_PIECE_BYTES
        const piece = bytes.subarray(start, start + IMPORT_PIECE_BYTES)
        run = (await calls.put(run.$id, number, piece)).body
      }
      return run
    },
    /** Waits for a state. */
    async until(id: string, state: string): Promise<ImportRun> {
      const current = async () => (await calls.read(id)).body.state
      await expect.poll(current, { timeout: 180_000, interval: 50 }).toBe(state)
      return (await calls.read(id)).body
    },
  }
  return calls
}

async function putBytes(
  blog: TestBlog,
  path: string,
  { cookie, headers }: CallOptions,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Pick<Answer, 'status' | 'body'>> {
  const response = await fetch(`${blog.url}/v1${path}`, {
    method: 'PUT',
    headers: {
      'x-appwrite-project': 'blog',
      'content-type': 'application/octet-stream',
      ...(cookie ? { cookie } : {}),
      ...headers,
    },
    body: bytes,
  })
  return { status: response.status, body: await response.json() }
}

/**
 * Stores a finished export of this size.
 *
 * @param userId whose posts it has; by default it is of the whole blog
 * @returns its id
 */
export async function writeFakeExport(
  { dataDir }: TestBlog,
  sizeBytes: number,
  userId: string | null = null,
): Promise<string> {
  const id = makeId()
  const storedName = `${makeStoredName()}.piece`
  await writeFile(join(dataDir, 'uploads', storedName), Buffer.alloc(sizeBytes))
  const at = new Date()
  const file = new SqliteFile(join(dataDir, 'blog.sqlite'))
  file
    .prepare(
      `insert into "archiveRun" (id, kind, "userId", "byId", "byName", state, request, "sizeBytes",
         "aliveUntil", "createdAt", "expiresAt")
       values (?, 'export', ?, '', '', 'done', ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      userId,
      JSON.stringify({ parts: ['data'], hasPeople: false }),
      sizeBytes,
      at.toISOString(),
      at.toISOString(),
      secondsAfter(at, EXPORT_DAYS * 24 * 60 * 60),
    )
  file.prepare(`insert into "archivePiece" values (?, 0, ?, ?)`).run(id, storedName, sizeBytes)
  file.close()
  return id
}

/** Adds failed runs like this one, without their bytes. */
export function copyRuns({ dataDir }: TestBlog, id: string, count: number): void {
  const file = new SqliteFile(join(dataDir, 'blog.sqlite'))
  const copy = file.prepare(
    `insert into "archiveRun" (id, kind, "userId", "byId", "byName", state, request, "sizeBytes",
       "aliveUntil", "createdAt", "endedAt", "expiresAt")
     select id || ?, kind, "userId", "byId", "byName", 'failed', request, "sizeBytes",
       "aliveUntil", "createdAt", "createdAt", "expiresAt" from "archiveRun" where id = ?`,
  )
  for (let number = 1; number <= count; number++) copy.run(String(number), id)
  file.close()
}

/** Writes issues as the work does. */
export function writeIssues({ dataDir }: TestBlog, runId: string, count: number): void {
  const file = new SqliteFile(join(dataDir, 'blog.sqlite'))
  const insert = file.prepare(
    `insert into "importIssue" values (?, ?, 'post', ?, 'noTitle', '', '')`,
  )
  for (let number = 1; number <= count; number++) insert.run(runId, number, `=${number}+1`)
  file.close()
}

/** A WordPress export of this many published posts by one author, and one draft. */
export function makeWordpressExport(posts: number): Buffer<ArrayBuffer> {
  const item = (number: number, status: string) => `<item><title>Lamp ${number}</title>
    <link>https://old.example/2019/05/lamp-${number}/</link><dc:creator>ann</dc:creator>
    <content:encoded><![CDATA[<p>About the lamp ${number}.</p>]]></content:encoded>
    <wp:post_id>${number}</wp:post_id><wp:post_date_gmt>2019-05-03 08:00:00</wp:post_date_gmt>
    <wp:post_name>lamp-${number}</wp:post_name><wp:status>${status}</wp:status>
    <wp:post_type>post</wp:post_type></item>`
  const items = Array.from({ length: posts }, (_, index) => item(index + 1, 'publish'))
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
    <channel><title>Old lamps</title><link>https://old.example</link>
    <generator>https://wordpress.org/?v=6.8.1</generator>
    <wp:author><wp:author_login>ann</wp:author_login>
      <wp:author_email>ann@old.example</wp:author_email>
      <wp:author_display_name>Ann</wp:author_display_name></wp:author>
    ${items.join('')}${item(posts + 1, 'draft')}</channel></rss>`)
}
