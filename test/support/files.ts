// Files over real HTTP: one upload request, what it left behind, and what a refusal looks like.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlogWithStore } from './blob-stores.ts'
import type { Answer, Person, TestBlog } from './blog.ts'

export const CONTENT = '/storage/buckets/content/files'
export const AVATARS = '/storage/buckets/avatars/files'

type UploadOptions = {
  bucket?: string
  id?: string
  name?: string
  permissions?: string[]
  headers?: Record<string, string>
}

/** Uploads in one request; a person who is undefined is a guest, or whoever `headers` name. */
export async function upload(
  blog: TestBlog,
  person: Person | undefined,
  bytes: Buffer,
  options: UploadOptions = {},
): Promise<Answer> {
  const {
    bucket = CONTENT,
    id = 'unique()',
    name = 'photo.png',
    permissions,
    headers = {},
  } = options
  const body = new FormData()
  body.append('fileId', id)
  body.append('file', new File([new Uint8Array(bytes)], name))
  for (const one of permissions ?? []) body.append('permissions[]', one)
  return await blog.call('POST', bucket, {
    body,
    headers,
    ...(person ? { cookie: person.cookie } : {}),
  })
}

/** The names of all finished files, and of received bytes that wait. */
export async function storedFiles(blog: BlogWithStore): Promise<string[]> {
  return [
    ...(await blog.storedNames()),
    ...(await readdir(join(blog.dataDir, 'uploads')).catch(() => [])),
  ]
}

export function refusal(code: number, type: string) {
  return { status: code, body: { code, type, version: '1.4.13' } }
}
