// Who finds which post where: each address, for a guest, another user and the author, for a post in
// each state, with both settings of who may read the lists. A new address is one more row.
import { expect, test } from 'vitest'
import { readBuiltPages } from '#backend/pages/built-pages.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'

const PROJECT = { 'x-appwrite-project': 'blog' }
const COLLECTION = '/v1/databases/blogdb/collections/posts'
const DOCUMENTS = `${COLLECTION}/documents`
const DAY_MS = 24 * 60 * 60 * 1000
const READING = ['everyone', 'members'] as const
const VIEWERS = ['guest', 'other', 'owner'] as const
const STATES = ['active', 'inactive', 'scheduled', 'hidden', 'narrowed', 'blocked'] as const

type Reading = (typeof READING)[number]
type Viewer = (typeof VIEWERS)[number]
type State = (typeof STATES)[number]
type Post = {
  id: string
  authorId: string
  title: string
  tag: string
  /** Of its preview link; empty for a post that cannot have one. */
  previewSecret: string
}
type Sees = Record<State, readonly Viewer[]>
type Address = {
  method?: 'POST'
  path: (post: Post) => string
  /** The text by which an answer shows the post; without it any success counts. */
  sign?: (post: Post) => string
  /** Who sees the post with `BLOG_READING=everyone`. */
  sees: Sees
  /** With `BLOG_READING=members`: the same, nothing for guests, or nothing for anybody. */
  underMembers: 'same' | 'no guests' | 'nothing'
}

/** Every viewer sees what a guest sees. */
const GUESTS_VIEW: Sees = {
  active: VIEWERS,
  inactive: [],
  scheduled: [],
  hidden: [],
  narrowed: [],
  blocked: [],
}
/** Published posts that the viewer may read. */
const PUBLISHED: Sees = { ...GUESTS_VIEW, hidden: ['owner'], narrowed: ['other', 'owner'] }
/** The same, and the viewer's own drafts. */
const OWN_TOO: Sees = { ...PUBLISHED, inactive: ['owner'], scheduled: ['owner'] }
const NOBODY: Sees = { ...GUESTS_VIEW, active: [] }

const title = (post: Post) => post.title
const excerpt = ({ tag }: Post) => `In short: ${tag}`
const addressWords = ({ tag }: Post) => `own-words-${tag}`
const DETAILS = 'queries[]=select(["excerpt","metaTitle","addressWords","canonicalUrl"])'
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
  'its readable address, from another one': {
    path: (post) => `/post/${post.id}/other`,
    sign: addressWords,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'its details by the API': {
    path: (post) => `${DOCUMENTS}/${post.id}?${DETAILS}`,
    sign: excerpt,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'the details of the list of the API': {
    path: () => `${DOCUMENTS}?${DETAILS}`,
    sign: excerpt,
    sees: OWN_TOO,
    underMembers: 'same',
  },
  'posts around it': {
    path: (post) => `${DOCUMENTS}/${post.id}/around`,
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
  'counting a read': {
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
  'its preview link': {
    path: (post) => `${DOCUMENTS}/${post.id}/preview-link`,
    sees: {
      active: ['owner'],
      inactive: ['owner'],
      scheduled: ['owner'],
      hidden: ['owner'],
      narrowed: ['owner'],
      blocked: [],
    },
    underMembers: 'same',
  },
  'the page behind its preview link': {
    path: ({ previewSecret }) => `/preview/${previewSecret || 'none'}`,
    sign: title,
    sees: { ...NOBODY, inactive: VIEWERS, scheduled: VIEWERS },
    underMembers: 'same',
  },
  'what its preview link answers': {
    path: ({ previewSecret }) => `/v1/previews/${previewSecret || 'none'}`,
    sign: title,
    sees: { ...NOBODY, inactive: VIEWERS, scheduled: VIEWERS },
    underMembers: 'same',
  },
  'what other sites embed': {
    path: (post) => `/oembed?url=ORIGIN${encodeURIComponent(`/post/${post.id}`)}`,
    sign: title,
    sees: GUESTS_VIEW,
    underMembers: 'same',
  },
}

type Open = (path: string, init?: RequestInit) => Promise<Response>

/** The statuses of the pages that only the author of a post may open. */
async function readOwnPages(open: Open, { id }: Post): Promise<number[]> {
  const answer = await open(`${DOCUMENTS}/${id}/versions`)
  const [version] = (await answer.json()).versions ?? []
  const { $id = 'none' } = version ?? {}
  const versions = `/edit-post/${id}/versions`
  const paths = [`/edit-post/${id}`, versions, `${versions}/compare?old=${$id}&new=${$id}`]
  const answers = await Promise.all(paths.map((path) => open(path, { redirect: 'manual' })))
  return answers.map(({ status }) => status)
}

function viewersOf({ sees, underMembers }: Address, reading: Reading): Sees {
  if (reading === 'everyone' || underMembers === 'same') return sees
  if (underMembers === 'nothing') return NOBODY
  const withoutGuests = { ...sees }
  for (const state of STATES)
    withoutGuests[state] = sees[state].filter((viewer) => viewer !== 'guest')
  return withoutGuests
}

/** @param cookie of a user; without it a guest */
function opener({ url }: TestBlog, cookie?: string): Open {
  const headers = { ...PROJECT, ...(cookie ? { cookie } : {}) }
  return (path, init) => fetch(url + path, { ...init, headers })
}

async function write(
  blog: TestBlog,
  { id: authorId, cookie }: { id: string; cookie: string },
  state: State,
): Promise<Post> {
  const tag = `word${state}`
  const title = `The title of ${tag}`
  const details = { excerpt: `In short: ${tag}`, addressWords: `own-words-${tag}` }
  const content = `<p>Light.</p><p>#${tag}</p>`
  const isInactive = state === 'inactive' || state === 'scheduled'
  const status = isInactive ? 'inactive' : 'active'
  const data = { title, content, status, featuredImage: '', ...details }
  const publishedAt = new Date(Date.now() + DAY_MS).toISOString()
  const answer = await blog.call('POST', DOCUMENTS.replace('/v1', ''), {
    cookie,
    body: {
      documentId: 'unique()',
      data: state === 'scheduled' ? { ...data, publishedAt } : data,
    },
  })
  expect(answer.status).toBe(201)
  const id = answer.body.$id
  const path = `${DOCUMENTS.replace('/v1', '')}/${id}/preview-link`
  const link = await blog.call('POST', path, { cookie, body: {} })
  return { id, authorId, title, tag, previewSecret: link.body.secret ?? '' }
}

/** A post in each state, all by `owner` except that of the blocked author. */
async function writeInEachState(blog: TestBlog, owner: { id: string; cookie: string }) {
  const blocked = await blog.makePerson('blocked')
  const posts = {} as Record<State, Post>
  for (const state of STATES)
    posts[state] = await write(blog, state === 'blocked' ? blocked : owner, state)
  const documents = DOCUMENTS.replace('/v1', '')
  const asOperator = { 'x-appwrite-key': blog.apiKey }
  const changes = [
    await blog.call('PATCH', `${documents}/${posts.narrowed.id}`, {
      cookie: owner.cookie,
      body: { permissions: ['read("users")'] },
    }),
    await blog.call('PATCH', `${documents}/${posts.hidden.id}/hidden`, {
      headers: asOperator,
      body: { hidden: true },
    }),
    await blog.call('PATCH', `/users/${blocked.id}/status`, {
      headers: asOperator,
      body: { status: false },
    }),
  ]
  expect(changes.map(({ status }) => status)).toEqual([200, 200, 200])
  return posts
}

type Cells = 'all' | 'one of four' | 'other than under everyone'

const MATRICES: [reading: Reading, cells: Cells, tags: string[]][] = [
  ['everyone', 'one of four', []],
  ['members', 'other than under everyone', []],
  ['everyone', 'all', ['more']],
  ['members', 'all', ['more']],
]

for (const [reading, cells, tags] of MATRICES)
  test(`with BLOG_READING=${reading}, addresses (${cells}) show a post to exactly those who may read it`, {
    tags,
  }, async () => {
    await using blog = await makeTestBlog(
      { BLOG_READING: reading },
      { pages: await readBuiltPages() },
    )
    const owner = await blog.makePerson('owner')
    const someone = await blog.makePerson('other')
    const posts = await writeInEachState(blog, owner)
    const openAs: Record<Viewer, Open> = {
      guest: opener(blog),
      other: opener(blog, someone.cookie),
      owner: opener(blog, owner.cookie),
    }
    const visible: string[] = []
    const expected: string[] = []
    for (const { name, address, viewer, state, maySee } of cellsOf(reading, cells)) {
      const post = posts[state]
      const cell = `${name}, ${viewer}, ${state}`
      const path = address.path(post).replace('ORIGIN', encodeURIComponent(blog.url))
      const answer = await openAs[viewer](path, { method: address.method ?? 'GET' })
      expect(answer.status, cell).toBeLessThan(500)
      const text = await answer.text()
      if (address.sign ? text.includes(address.sign(post)) : answer.ok) visible.push(cell)
      if (maySee) expected.push(cell)
    }
    expect(visible.toSorted()).toEqual(expected.toSorted())
    if (cells === 'other than under everyone') return

    const missing = { ...posts.active, id: 'blog0l' }
    const owned = cells === 'all' ? { ...posts, missing } : { inactive: posts.inactive, missing }
    for (const [state, post] of Object.entries(owned)) {
      const exists = (who: Viewer) => state in OWN_TOO && OWN_TOO[state as State].includes(who)
      expect(await readOwnPages(openAs.guest, post), `guest, ${state}`).toEqual([302, 302, 302])
      const otherStatus = exists('other') ? 403 : 404
      expect(await readOwnPages(openAs.other, post), `other, ${state}`).toEqual(
        Array(3).fill(otherStatus),
      )
      const ownerStatus = exists('owner') ? 200 : 404
      expect(await readOwnPages(openAs.owner, post), `owner, ${state}`).toEqual(
        Array(3).fill(ownerStatus),
      )
    }
    const versions = `/edit-post/${posts.active.id}/versions`
    const comparison = await openAs.owner(`${versions}/compare?old=none&new=none`)
    expect(comparison.status).toBe(404)
    expect(await (await openAs.other(versions)).text()).toContain('403 Forbidden')
  })

/** The chosen cells: each address for each viewer and state. */
function cellsOf(reading: Reading, cells: Cells) {
  const all = Object.entries(ADDRESSES).flatMap(([name, address]) =>
    VIEWERS.flatMap((viewer) =>
      STATES.map((state) => {
        const maySee = viewersOf(address, reading)[state].includes(viewer)
        return { name, address, viewer, state, maySee }
      }),
    ),
  )
  if (cells === 'all') return all
  if (cells === 'one of four') return all.filter((_cell, index) => index % 4 === 0)
  return all.filter(
    ({ address, viewer, state, maySee }) => address.sees[state].includes(viewer) !== maySee,
  )
}

test('a page of the blog is at its address for everybody, its drafts for operators alone', async () => {
  await using blog = await makeTestBlog(
    { BLOG_READING: 'members' },
    { pages: await readBuiltPages() },
  )
  const operator = await blog.makePerson('operator')
  const other = await blog.makePerson('other')
  await blog.call('PUT', `/users/${operator.id}/labels`, {
    headers: { 'x-appwrite-key': blog.apiKey },
    body: { labels: ['operator'] },
  })
  const write = async (title: string, status: string): Promise<string> => {
    const data = { title, status, page: true, content: '<p>Light.</p>' }
    const body = { documentId: 'unique()', data }
    const answer = await blog.call('POST', DOCUMENTS.replace('/v1', ''), {
      cookie: operator.cookie,
      body,
    })
    return answer.body.$id
  }
  const shown = await write('About', 'active')
  const draft = await write('Thanks', 'inactive')
  const hidden = await write('Formerly', 'active')
  await blog.call('PATCH', `${DOCUMENTS.replace('/v1', '')}/${hidden}`, {
    cookie: operator.cookie,
    body: { data: { title: 'Hidden page' } },
  })
  await blog.call('PATCH', `${DOCUMENTS.replace('/v1', '')}/${hidden}/hidden`, {
    cookie: operator.cookie,
    body: { hidden: true },
  })
  const viewers = { guest: undefined, other: other.cookie, operator: operator.cookie }
  for (const [viewer, cookie] of Object.entries(viewers)) {
    const statusOf = async (path: string) =>
      (await opener(blog, cookie)(path, { redirect: 'manual' })).status
    const own = viewer === 'operator' ? 200 : 404
    const edited = viewer === 'guest' ? 302 : viewer === 'other' ? 403 : 200
    expect(await statusOf('/about'), viewer).toBe(200)
    expect(await statusOf('/About'), viewer).toBe(301)
    expect(await statusOf(`/post/${shown}`), viewer).toBe(301)
    expect(await statusOf('/thanks'), viewer).toBe(404)
    expect(await statusOf(`/post/${draft}`), viewer).toBe(own)
    for (const address of ['hidden-page', 'formerly']) {
      expect(await statusOf(`/${address}`), viewer).toBe(own)
      expect(await statusOf(`${COLLECTION}/pages/${address}`), viewer).toBe(own)
    }
    expect(await statusOf(`${COLLECTION}/pages/about`), viewer).toBe(200)
    expect(await statusOf(`/edit-post/${shown}`), viewer).toBe(edited)
    expect(await statusOf('/admin/pages'), viewer).toBe(own)
  }
})

test('the page of a member names no other member', async () => {
  await using blog = await makeTestBlog({}, { pages: await readBuiltPages() })
  const owner = await blog.makePerson('owner')
  const { id } = await write(blog, owner, 'active')
  const members = [await blog.makePerson('one'), await blog.makePerson('two')]
  const [liker] = members
  const data = { like: 1, likeId: [liker?.id] }
  const answer = await blog.call('PATCH', `${DOCUMENTS.replace('/v1', '')}/${id}`, {
    cookie: liker?.cookie ?? '',
    body: { data },
  })
  expect(answer.status).toBe(200)
  for (const member of members) {
    const page = await (await opener(blog, member.cookie)(`/post/${id}`)).text()
    expect(page).toContain(member.id)
    expect(page).toContain(`"likesPost":${member === liker}`)
    expect(page).toContain('aria-pressed="false"')
    for (const other of members.filter((one) => one !== member)) {
      expect(page).not.toContain(other.email)
      expect(page).not.toContain(other.id)
    }
  }
})
