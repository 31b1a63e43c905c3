// The form sends a new post as any other API client does.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeApi } from '../api/client.ts'
import { createPost } from './posts-api.ts'

const SETTINGS = { projectId: 'blog', databaseId: 'blogdb', collectionId: 'posts' }
const DATA = { title: 'A', content: '<p>a</p>', status: 'inactive', featuredImage: '', userid: 'u' }
const MISSING = { code: 400, type: 'document_invalid_structure', message: 'Missing "mood"' }
const TAKEN = { code: 409, type: 'document_already_exists', message: 'Taken' }

let sent: unknown[]
let answers: { code: number }[]

beforeEach(() => {
  sent = []
  vi.stubGlobal('window', { localStorage: { getItem: () => null, setItem() {} } })
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    const answer = answers.shift() ?? { code: 500 }
    return new Response(JSON.stringify(answer), {
      status: answer.code,
      headers: { 'content-type': 'application/json' },
    })
  })
})
afterEach(() => vi.unstubAllGlobals())

function create() {
  const api = makeApi(SETTINGS as Parameters<typeof makeApi>[0], { origin: 'https://blog.example' })
  return createPost(api, 'a', DATA)
}

test('a post that the server accepts is sent once, with nothing but id and data', async () => {
  answers = [{ code: 201 }]
  expect((await create()).ok).toBe(true)
  expect(sent).toEqual([{ documentId: 'a', data: DATA }])
})

test('a refusal is returned as the server sent it, and nothing is sent again', async () => {
  for (const refusal of [TAKEN, MISSING]) {
    answers = [refusal]
    expect(await create()).toMatchObject({ ok: false, failure: { type: refusal.type } })
  }
  expect(sent).toHaveLength(2)
})
