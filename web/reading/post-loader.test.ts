import { AppwriteException } from 'appwrite'
import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import type { CommentsQuery } from '#contract/post-url.ts'
import type { Api } from '../api/client.ts'
import { makePostLoader } from './post-loader.ts'

const COMMENTS = { page: 1, thread: '', comments: [] }
const ADJACENT = { previous: null, next: null, others: [] }

/** Loads as the server does: there is no document here. */
function load(
  findPost: () => Promise<unknown>,
  params: Record<string, string> = { slug: 'blog1l' },
  findComments: (query: CommentsQuery) => Promise<unknown> = async () => COMMENTS,
) {
  const client = {
    config: { endpoint: 'http://blog.example/v1' },
    call: async (_method: string, { pathname }: URL, _headers: object, query: CommentsQuery) => {
      if (pathname.endsWith('/around')) return ADJACENT
      return pathname.endsWith('/comments') ? findComments(query) : findPost()
    },
  }
  const api = { client, settings: {} } as unknown as Api
  const url = new URL(params.path ?? '/post/blog1l', 'http://blog.example')
  const pattern = '/post/:slug/:words?'
  const context = new RouterContextProvider()
  return makePostLoader(() => api)({ request: new Request(url), url, pattern, params, context })
}

test('the post is loaded before the page is rendered', async () => {
  expect(await load(async () => ({ $id: 'blog1l' }))).toMatchObject({
    data: { post: { $id: 'blog1l' }, adjacent: ADJACENT },
    init: { status: 200 },
  })
})

test.each([404, 400])('a refusal with %d becomes a page with status 404', async (code) => {
  const result = await load(() =>
    Promise.reject(new AppwriteException('no', code, 'document_not_found')),
  )
  expect(result).toMatchObject({ data: { post: null, adjacent: null }, init: { status: 404 } })
})

test.each([
  [new AppwriteException('down', 500, 'general_unknown'), 500],
  [new TypeError('Failed to fetch'), 503],
])('any other failure leads to the error screen: %s', async (error, status) => {
  await expect(load(() => Promise.reject(error))).rejects.toMatchObject({
    data: { hasNoResponse: status === 503 },
    init: { status },
  })
})

test('without a slug it redirects home and makes no call', async () => {
  let calls = 0
  const result = load(async () => {
    calls += 1
  }, {})
  await expect(result).rejects.toMatchObject({ status: 302 })
  expect(calls).toBe(0)
})

test.each([
  ['night-trains', '/post/blog1l/night-trains', undefined],
  ['old-words', '/post/blog1l/old-words', '/post/blog1l/night-trains'],
  ['NIGHT-TRAINS', '/post/blog1l/NIGHT-TRAINS', '/post/blog1l/night-trains'],
  [undefined, '/post/blog1l', undefined],
])('the words %j after the id at %s redirect to %j', async (words, path, current) => {
  const result = load(async () => ({ $id: 'blog1l', title: 'Night trains!' }), {
    slug: 'blog1l',
    ...(words === undefined ? {} : { words }),
    path,
  })
  if (!current) return expect(await result).toMatchObject({ init: { status: 200 } })
  const redirection = await result.then(
    () => undefined,
    (redirect: Response) => [redirect.status, redirect.headers.get('location')],
  )
  expect(redirection).toEqual([301, current])
})

test('words after the id of a missing post reveal nothing about its title', async () => {
  const refusal = new AppwriteException('no', 404, 'document_not_found')
  const result = await load(() => Promise.reject(refusal), { slug: 'blog1l', words: 'x' })
  expect(result).toMatchObject({ data: { post: null }, init: { status: 404 } })
})

const POST = { $id: 'blog1l', title: 'A lamp', status: 'active' }
const loadWith = (query: string, findComments?: (query: CommentsQuery) => Promise<unknown>) =>
  load(async () => POST, { slug: 'blog1l', path: `/post/blog1l${query}` }, findComments)

test('comments are loaded with their post; null means that they could not be loaded', async () => {
  expect(await loadWith('')).toMatchObject({ data: { comments: COMMENTS } })
  const failing = () => Promise.reject(new AppwriteException('down', 500, 'general_unknown'))
  expect(await loadWith('', failing)).toMatchObject({ data: { comments: null } })
  const none = async () => ({ ...POST, status: 'inactive' })
  expect(await load(none)).toMatchObject({ data: { comments: undefined } })
})

test.each([
  ['?comment=c1', { page: 2, comments: [{ $id: 'c1', replyList: [] }] }, '?comments=2#c-c1'],
  [
    '?comment=c1',
    { thread: 't1', comments: [{ $id: 't1', replyList: [{ $id: 'c1' }] }] },
    '?thread=t1#c-c1',
  ],
  ['?comment=c9', {}, ''],
  ['?comments=9', {}, ''],
  ['?thread=c9', {}, ''],
])(
  '%s redirects to the address of the comments that were found',
  async (query, comments, canonicalQuery) => {
    const result = loadWith(query, async () => ({ ...COMMENTS, ...comments })).catch(
      (thrown) => thrown,
    )
    const response: Response = await result
    expect(response.headers.get('location')).toBe(`/post/blog1l${canonicalQuery}`)
  },
)
