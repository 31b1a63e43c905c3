import { AppwriteException } from 'appwrite'
import type { LoaderFunctionArgs } from 'react-router'
import { expect, test } from 'vitest'
import type { Api } from '../api/client.ts'
import { makePostLoader } from './post-loader.ts'

const AROUND = { previous: null, next: null, others: [] }

/** Loads as the server does: there is no document here. */
function load(
  getDocument: () => Promise<unknown>,
  params: Record<string, string> = { slug: 'blog1l' },
) {
  const client = { config: { endpoint: 'http://blog.example/v1' }, call: async () => AROUND }
  const api = { databases: { getDocument }, client, settings: {} } as unknown as Api
  return makePostLoader(api)({ params } as unknown as LoaderFunctionArgs)
}

test('a post is there before the page is rendered', async () => {
  expect(await load(async () => ({ $id: 'blog1l' }))).toMatchObject({
    data: { post: { $id: 'blog1l' }, around: AROUND },
    init: { status: 200 },
  })
})

test.each([404, 400])('a refusal with %d is a page that says so, with status 404', async (code) => {
  const answer = await load(() =>
    Promise.reject(new AppwriteException('no', code, 'document_not_found')),
  )
  expect(answer).toMatchObject({ data: { post: null, around: null }, init: { status: 404 } })
})

test.each([
  [new AppwriteException('down', 500, 'general_unknown'), 500],
  [new TypeError('Failed to fetch'), 503],
])('any other failure goes to the error screen: %s', async (error, status) => {
  await expect(load(() => Promise.reject(error))).rejects.toMatchObject({
    data: { isUnanswered: status === 503 },
    init: { status },
  })
})

test('without a slug the way leads home, and nothing is asked', async () => {
  let asked = 0
  const answer = load(async () => {
    asked += 1
  }, {})
  await expect(answer).rejects.toMatchObject({ status: 302 })
  expect(asked).toBe(0)
})
