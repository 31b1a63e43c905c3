// Files over HTTP: an upload request, the stored files, and the expected body of a refusal.
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

/** Uploads in one request; without a person as a guest or as authenticated by `headers`. */
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

/** The stored names of finished files and of pending uploads. */
export async function storedFiles(blog: BlogWithStore): Promise<string[]> {
  return [
    ...(await blog.storedNames()),
    ...(await readdir(join(blog.dataDir, 'uploads')).catch(() => [])),
  ]
}

export function refusal(code: number, type: string) {
  return { status: code, body: { code, type, version: '1.4.13' } }
}
