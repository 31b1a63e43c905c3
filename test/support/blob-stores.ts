// The two blob stores, disk and S3, for tests that must pass on both:
// `for (const [place, openBlobStore, tags] of BLOB_STORES) describe('…', { tags }, …)`, or for a
// whole blog the same with BLOGS_BY_STORE.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import type { BlobStore } from '#backend/files/blob-store.ts'
import { makeDisk } from '#backend/files/disk.ts'
import { makeS3 } from '#backend/files/s3.ts'
import type { S3Config } from '#backend/settings/read-settings.ts'
import { makeTestBlog, type TestBlog } from './blog.ts'
import { findS3 } from './find-servers.ts'
import { S3_ACCOUNT } from './swift.ts'

/** The blob store is removed at the end of its scope; `folder` is the folder it uses on disk. */
export type TestBlobStore = AsyncDisposable & { blobStore: BlobStore; folder: string }
/** `storedNames` lists finished files; `replace` overwrites the bytes of one of them. */
export type BlogWithStore = TestBlog & {
  storedNames: () => Promise<string[]>
  replace: (name: string, bytes: Buffer) => Promise<void>
}

const WAIT_MS = 60_000

type Case<Open> = [name: string, open: Open, tags: string[]]
type OpenBlobStore = () => Promise<TestBlobStore>
type MakeBlogWithStore = (env?: Record<string, string>) => Promise<BlogWithStore>

export const BLOB_STORES: Case<OpenBlobStore>[] = [
  ['disk', openDisk, []],
  ...only<Case<OpenBlobStore>>([['S3', openS3, ['more']]]),
]

export const BLOGS_BY_STORE: Case<MakeBlogWithStore>[] = [
  ['disk', makeBlogOnDisk, []],
  ...only<Case<MakeBlogWithStore>>([['S3', makeBlogOnS3, ['more']]]),
]

function only<One>(cases: One[]): One[] {
  return inject('hasS3') ? cases : []
}

/** A new, empty bucket on the test server. */
export async function makeBucket(): Promise<S3Config> {
  const endpoint = await findS3()
  const bucket = `test-${randomUUID()}`
  const config = { endpoint, ...S3_ACCOUNT, region: 'us-east-1', bucket }
  const { region, accessKey, secretKey } = config
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  })
  const deadlineMs = performance.now() + WAIT_MS
  for (;;) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: config.bucket }))
      client.destroy()
      return config
    } catch (error) {
      // The server may still be starting.
      if (performance.now() > deadlineMs) throw error
      await delay(100)
    }
  }
}

/** The names of all stored blobs, sorted. */
export async function listNames(blobStore: BlobStore): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of blobStore.list()) names.push(name)
  return names.sort()
}

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-blobStore-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

export async function openDisk(): Promise<TestBlobStore> {
  const folder = await makeFolder()
  return { ...folder, blobStore: makeDisk(join(folder.folder, 'made', 'when needed')) }
}

async function openS3(): Promise<TestBlobStore> {
  const folder = await makeFolder()
  return { ...folder, blobStore: makeS3(await makeBucket(), { spool: makeDisk(folder.folder) }) }
}

async function makeBlogOnDisk(env: Record<string, string> = {}): Promise<BlogWithStore> {
  const blog = await makeTestBlog(env)
  return Object.assign(blog, {
    storedNames: () => readdir(join(blog.dataDir, 'files')).catch(() => []),
    replace: (name: string, bytes: Buffer) => writeFile(join(blog.dataDir, 'files', name), bytes),
  })
}

async function makeBlogOnS3(env: Record<string, string> = {}): Promise<BlogWithStore> {
  const config = await makeBucket()
  const { endpoint, bucket, accessKey, secretKey } = config
  const blog = await makeTestBlog({
    BLOG_S3_ENDPOINT: endpoint,
    BLOG_S3_BUCKET: bucket,
    BLOG_S3_ACCESS_KEY: accessKey,
    BLOG_S3_SECRET_KEY: secretKey,
    ...env,
  })
  const blobStore = makeS3(config, { spool: makeDisk(join(blog.dataDir, 'uploads')) })
  return Object.assign(blog, {
    storedNames: () => listNames(blobStore),
    async replace(name: string, bytes: Buffer) {
      await blobStore.put(name, [bytes], bytes.length)
    },
  })
}
