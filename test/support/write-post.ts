// Writes posts by the calls that the form makes, for tests about reading.
import { type APIRequestContext, expect } from '@playwright/test'
import { drawPhoto } from './images.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const FILES = '/v1/storage/buckets/content/files'
export const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'

export type WrittenText = { title: string; content: string; status?: 'active' | 'inactive' }

export type WrittenPost = Omit<WrittenText, 'content'> & {
  /** HTML, or a function that makes it from the address of an image of this site. */
  content: string | ((image: string) => string)
}

/** @param request of a person who is signed in. @returns the id of the post */
export async function writePost(
  request: APIRequestContext,
  { title, content, status = 'active' }: WrittenPost,
): Promise<string> {
  const { $id: userid } = await (await request.get('/v1/account', { headers: HEADERS })).json()
  const file = { name: 'river.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto('jpeg') }
  const stored = await request.post(FILES, {
    headers: HEADERS,
    multipart: { fileId: 'unique()', file },
  })
  const { $id: featuredImage } = await stored.json()
  const html =
    typeof content === 'string' ? content : content(`${FILES}/${featuredImage}/view?project=blog`)
  // Two workers may write to one blog in the same millisecond.
  const documentId = `blog${Date.now()}${process.pid}l`
  const response = await request.post(DOCUMENTS, {
    headers: HEADERS,
    data: { documentId, data: { title, content: html, featuredImage, status, userid } },
  })
  expect(response.status()).toBe(201)
  return documentId
}

/** Writes a post without an image, which is much faster. @returns its id */
export async function writeText(
  request: APIRequestContext,
  { title, content, status = 'active' }: WrittenText,
): Promise<string> {
  const { $id: userid } = await (await request.get('/v1/account', { headers: HEADERS })).json()
  const data = { title, content, featuredImage: '', status, userid }
  const response = await request.post(DOCUMENTS, {
    headers: HEADERS,
    data: { documentId: 'unique()', data },
  })
  expect(response.status()).toBe(201)
  return (await response.json()).$id
}

export async function changePost(
  request: APIRequestContext,
  id: string,
  data: object,
): Promise<void> {
  const answer = await request.patch(`${DOCUMENTS}/${id}`, { headers: HEADERS, data: { data } })
  expect(answer.status()).toBe(200)
}

export type PostValues = {
  id: string
  title: string
  content: string
  status?: 'active' | 'inactive'
  tags?: string[]
  permissions?: string[]
}

/** Writes posts with the image and author of an existing post, without another upload. */
export async function writeMorePosts(
  request: APIRequestContext,
  sourceId: string,
  posts: PostValues[],
): Promise<void> {
  const answer = await request.get(`${DOCUMENTS}/${sourceId}`, { headers: HEADERS })
  const { featuredImage, userid } = await answer.json()
  for (const { id: documentId, permissions, ...values } of posts) {
    const data = { status: 'active', ...values, featuredImage, userid }
    const response = await request.post(DOCUMENTS, {
      headers: HEADERS,
      data: { documentId, data, permissions },
    })
    expect(response.status(), documentId).toBe(201)
  }
}

/** Stores an image for a text, as the editor does. @returns its address */
export async function storeBodyImage(request: APIRequestContext): Promise<string> {
  const buffer = await drawPhoto('png', { width: 64, height: 36 })
  const file = { name: 'roof.png', mimeType: 'image/png', buffer }
  const stored = await request.post(FILES, {
    headers: HEADERS,
    multipart: { fileId: 'unique()', file },
  })
  expect(stored.status()).toBe(201)
  const { $id } = await stored.json()
  return `${FILES}/${$id}/view?project=blog`
}
