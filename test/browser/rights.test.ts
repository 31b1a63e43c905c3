// Who finds which post where: each address, for a guest, another person and the author, for a post
// in each state, under both settings of who may read the lists. A new address is one more row.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type APIRequestContext, expect, test } from '@playwright/test'
import { makeNewcomer } from '#test/support/people.ts'
import { makeDataDir, readErrorEntries, setUpFolder, startServer } from '#test/support/process.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const PROJECT = { 'x-appwrite-project': 'blog' }
const COLLECTION = '/v1/databases/blogdb/collections/posts'
const READING = ['everyone', 'members'] as const
const VIEWERS = ['guest', 'other', 'owner'] as const
const STATES = ['active', 'inactive', 'hidden', 'narrowed', 'blocked'] as const

type Reading = (typeof READING)[number]
type Viewer = (typeof VIEWERS)[number]
type State = (typeof STATES)[number]
type Post = { id: string; authorId: string; title: string; tag: string }
type Sees = Record<State, readonly Viewer[]>
type Address = {
  method?: 'POST'
  path: (post: Post) => string
  /** What an answer holds that shows the post; without it any success does. */
  sign?: (post: Post) => string
  /** Under `everyone`. */
  sees: Sees
  /** Under `members`: less for guests, or nothing for anybody, unless it is the same. */
  underMembers: 'same' | 'no guests' | 'nothing'
}

/** What a guest sees, whoever asks. */
const GUESTS_VIEW: Sees = { active: VIEWERS, inactive: [], hidden: [], narrowed: [], blocked: [] }
/** Posts that are published, as far as the viewer may read them. */
const PUBLISHED: Sees = { ...GUESTS_VIEW, hidden: ['owner'], narrowed: ['other', 'owner'] }
/** The same with one's own drafts. */
const OWN_TOO: Sees = { ...PUBLISHED, inactive: ['owner'] }
const NOBODY: Sees = { ...GUESTS_VIEW, active: [] }

const title = (post: Post) => post.title
const id = (post: Post) => `/${post.id}/`
const list = { sign: title, sees: PUBLISHED, underMembers: 'no guests' } as const
const feed = { sign: title, sees: GUESTS_VIEW, underMembers: 'nothing' } as const

const ADDRESSES: Record<string, Address> = {
  'the list': { ...list, path: () => '/post' },
  'the page of its author': { ...list, path: ({ authorId }) => `/author/${authorId}` },
  'the page of its tag': { ...list, path: ({ tag }) => `/tag/${tag}` },
  search: { ...list, path: ({ tag }) => `/search?q=${tag}`, sees: OWN_TOO },
  'its page': {
    path: (post) => `/post/${post.id}`,
    sign: title,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'its readable address': {
    path: (post) => `/post/${post.id}/the-title-of-${post.tag}`,
    sign: title,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'the list of the API': {
    path: () => `${DOCUMENTS}?total=true`,
    sign: title,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'the query of the API for its tag': {
    path: ({ tag }) => `${DOCUMENTS}?queries[]=contains("tags",["${tag}"])`,
    sign: title,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'search of the API': {
    ...list,
    path: ({ tag }) => `${COLLECTION}/search?q=${tag}`,
    sees: OWN_TOO,
  },
  'tags of the API': {
    ...list,
    path: ({ tag }) => `${COLLECTION}/tags?startsWith=${tag}`,
    sign: ({ tag }) => `"${tag}"`,
    sees: { ...PUBLISHED, hidden: [] },
  },
  'telling of a read': {
    method: 'POST',
    path: (post) => `${DOCUMENTS}/${post.id}/reads`,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'the feed': { ...feed, path: () => '/feed.xml' },
  'the feed as JSON': { ...feed, path: () => '/feed.json' },
  'the feed of its author': { ...feed, path: ({ authorId }) => `/author/${authorId}/feed.xml` },
  'the feed of its author as JSON': {
    ...feed,
    path: ({ authorId }) => `/author/${authorId}/feed.json`,
  },
  'the feed of its tag': { ...feed, path: ({ tag }) => `/tag/${tag}/feed.xml` },
  'the feed of its tag as JSON': { ...feed, path: ({ tag }) => `/tag/${tag}/feed.json` },
  'the sitemap': { ...feed, path: () => '/sitemap-posts-1.xml', sign: id },
  'tags of the sitemap': {
    ...feed,
    path: () => '/sitemap-tags-1.xml',
    sign: ({ tag }) => `/tag/${tag}<`,
  },
  'its card': {
    path: (post) => `/post/${post.id}/card.png`,
    sees: GUESTS_VIEW,
    underMembers: 'same',
  },
  'its small card': {
    path: (post) => `/post/${post.id}/card-600.png`,
    sees: GUESTS_VIEW,
    underMembers: 'same',
  },
  'what other sites embed': {
    path: (post) => `/oembed?url=ORIGIN${encodeURIComponent(`/post/${post.id}`)}`,
    sign: title,
    sees: GUESTS_VIEW,
    underMembers: 'same',
  },
}

/** The pages of an author alone say by their status what became of them. */
async function readOwnPages(request: APIRequestContext, { id }: Post): Promise<number[]> {
  const asked = await request.get(`${DOCUMENTS}/${id}/versions`, { headers: PROJECT })
  const [version] = (await asked.json()).versions ?? []
  const { $id = 'none' } = version ?? {}
  const versions = `/edit-post/${id}/versions`
  const paths = [`/edit-post/${id}`, versions, `${versions}/compare?old=${$id}&new=${$id}`]
  const answers = await Promise.all(paths.map((path) => request.get(path, { maxRedirects: 0 })))
  return answers.map((answer) => answer.status())
}

function viewersOf({ sees, underMembers }: Address, reading: Reading): Sees {
  if (reading === 'everyone' || underMembers === 'same') return sees
  if (underMembers === 'nothing') return NOBODY
  const known = { ...sees }
  for (const state of STATES) known[state] = sees[state].filter((viewer) => viewer !== 'guest')
  return known
}

async function signUp(request: APIRequestContext, name: string): Promise<string> {
  const { email, password } = makeNewcomer(name)
  const data = { userId: 'unique()', name, email, password }
  const made = await request.post('/v1/account', { headers: PROJECT, data })
  const session = { headers: PROJECT, data: { email, password } }
  expect((await request.post('/v1/account/sessions/email', session)).status()).toBe(201)
  return (await made.json()).$id
}

async function write(request: APIRequestContext, authorId: string, state: State): Promise<Post> {
  const tag = `word${state}`
  const title = `The title of ${tag}`
  const content = `<p>Light.</p><p>#${tag}</p>`
  const status = state === 'inactive' ? 'inactive' : 'active'
  return { id: await writePost(request, { title, content, status }), authorId, title, tag }
}

for (const reading of READING)
  test(`under ${reading} each address shows a post to exactly those who may read it`, async ({
    playwright,
  }) => {
    await using data = await makeDataDir()
    await setUpFolder(data.path)
    const server = await startServer(data.path, { BLOG_READING: reading })
    const open = () => playwright.request.newContext({ baseURL: server.url, maxRedirects: 2 })
    const [guest, other, owner, blocked] = [await open(), await open(), await open(), await open()]
    await signUp(other, 'Otto Other')
    const ownerId = await signUp(owner, 'Olivia Owner')
    const blockedId = await signUp(blocked, 'Bert Blocked')
    const posts = {} as Record<State, Post>
    for (const state of STATES)
      posts[state] =
        state === 'blocked'
          ? await write(blocked, blockedId, state)
          : await write(owner, ownerId, state)
    const narrowed = await owner.patch(`${DOCUMENTS}/${posts.narrowed.id}`, {
      headers: PROJECT,
      data: { permissions: ['read("users")'] },
    })
    expect(narrowed.status()).toBe(200)
    const key = (await readFile(join(data.path, 'api-key'), 'utf8')).trim()
    const asOperator = { ...PROJECT, 'x-appwrite-key': key }
    const changes: [path: string, data: object][] = [
      [`${DOCUMENTS}/${posts.hidden.id}/hidden`, { hidden: true }],
      [`/v1/users/${blockedId}/status`, { status: false }],
    ]
    const operator = await open()
    for (const [path, data] of changes)
      expect((await operator.patch(path, { headers: asOperator, data })).status()).toBe(200)

    const found: string[] = []
    const expected: string[] = []
    for (const [name, address] of Object.entries(ADDRESSES))
      for (const [viewer, request] of Object.entries({ guest, other, owner }))
        for (const state of STATES) {
          const post = posts[state]
          const cell = `${name}, ${viewer}, ${state}`
          const path = address.path(post).replace('ORIGIN', encodeURIComponent(server.url))
          const { method = 'GET' } = address
          const answer = await request.fetch(path, { method, headers: PROJECT })
          expect(answer.status(), cell).toBeLessThan(500)
          const text = answer.headers()['content-type']?.includes('image')
            ? ''
            : await answer.text()
          if (address.sign ? text.includes(address.sign(post)) : answer.ok()) found.push(cell)
          if (viewersOf(address, reading)[state].includes(viewer as Viewer)) expected.push(cell)
        }
    expect(found.toSorted()).toEqual(expected.toSorted())

    const missing = { ...posts.active, id: 'blog0l' }
    for (const [state, post] of Object.entries({ ...posts, missing })) {
      const isThere = (who: Viewer) => state in OWN_TOO && OWN_TOO[state as State].includes(who)
      expect(await readOwnPages(guest, post), `guest, ${state}`).toEqual([302, 302, 302])
      const ofOther = isThere('other') ? 403 : 404
      expect(await readOwnPages(other, post), `other, ${state}`).toEqual(Array(3).fill(ofOther))
      const ofOwner = isThere('owner') ? 200 : 404
      expect(await readOwnPages(owner, post), `owner, ${state}`).toEqual(Array(3).fill(ofOwner))
    }
    const versions = `/edit-post/${posts.active.id}/versions`
    const gone = await owner.get(`${versions}/compare?old=none&new=none`)
    expect(gone.status()).toBe(404)
    const foreign = await other.get(versions)
    expect(await foreign.text()).toContain('403 Forbidden')
    expect(await server.stop()).toBe(0)
    expect(readErrorEntries(server), 'the server log').toEqual([])
  })
