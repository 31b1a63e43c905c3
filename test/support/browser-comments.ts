// Signs up people and writes comments for browser tests, by the calls that the app makes.
import type { APIRequestContext } from '@playwright/test'
import { expect, type Visitor } from './browser-blog.ts'
import { makeNewcomer, type Newcomer } from './people.ts'
import { DOCUMENTS } from './write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const COMMENTS = '/v1/databases/blogdb/collections/comments/documents'

/** Signs a new person up and in. @returns the person */
export async function signUpByApi(
  { context }: Visitor,
  name: string,
): Promise<Newcomer & { id: string }> {
  const { request } = context
  const newcomer = makeNewcomer(name)
  const { email, password } = newcomer
  const data = { userId: 'unique()', email, password, name }
  const response = await request.post('/v1/account', { headers: HEADERS, data })
  expect(response.status()).toBe(201)
  const login = { headers: HEADERS, data: { email, password } }
  expect((await request.post('/v1/account/sessions/email', login)).status()).toBe(201)
  return { ...newcomer, id: (await response.json()).$id }
}

/** @param request of the post's author, whose comments need no approval. @returns the id */
export async function writeComment(
  request: APIRequestContext,
  postId: string,
  content: string,
  parentId = '',
): Promise<string> {
  const data = { documentId: 'unique()', data: { postId, content, parentId } }
  const response = await request.post(COMMENTS, { headers: HEADERS, data })
  expect(response.status()).toBe(201)
  return (await response.json()).$id
}

export async function countComments(request: APIRequestContext, postId: string): Promise<number> {
  const answer = await request.get(`${DOCUMENTS}/${postId}/comments`, { headers: HEADERS })
  return (await answer.json()).total
}
