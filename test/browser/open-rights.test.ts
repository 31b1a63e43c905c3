// Who finds which post where: each address of an open blog, for a guest, another person and the
// author, for a post in each state. A new address is one more row of the table.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { expect, test as withBlog } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const PROJECT = { 'x-appwrite-project': 'blog' }
const COLLECTION = '/v1/databases/blogdb/collections/posts'
const VIEWERS = ['guest', 'other', 'owner'] as const
const STATES = ['active', 'inactive', 'hidden', 'narrowed', 'blocked'] as const

type Viewer = (typeof VIEWERS)[number]
type State = (typeof STATES)[number]
type Post = { id: string; authorId: string; title: string; tag: string }
type Address = { path: (post: Post) => string; sees: Record<State, readonly Viewer[]> }

/** What a guest sees, whoever asks. */
const GUESTS_VIEW: Address['sees'] = {
  active: VIEWERS,
  inactive: [],
  hidden: [],
  narrowed: [],
  blocked: [],
}
/** Posts that are published, as far as the viewer may read them. */
const LISTS = { ...GUESTS_VIEW, hidden: ['owner'], narrowed: ['other', 'owner'] } as const
/** The same with one's own drafts. */
const OWN_TOO = { ...LISTS, inactive: ['owner'] } as const

const ADDRESSES: Record<string, Address> = {
  'the list': { path: () => '/post', sees: LISTS },
  'the page of its author': { path: ({ authorId }) => `/author/${authorId}`, sees: LISTS },
  'the page of its tag': { path: ({ tag }) => `/tag/${tag}`, sees: LISTS },
  search: { path: ({ tag }) => `/search?q=${tag}`, sees: OWN_TOO },
  'its page': { path: ({ id }) => `/post/${id}`, sees: OWN_TOO },
  'its readable address': {
    path: ({ id, tag }) => `/post/${id}/the-title-of-${tag}`,
    sees: OWN_TOO,
  },
  'the list of the API': { path: () => `${DOCUMENTS}?total=true`, sees: OWN_TOO },
  'search of the API': { path: ({ tag }) => `${COLLECTION}/search?q=${tag}`, sees: OWN_TOO },
  'the feed': { path: () => '/feed.xml', sees: GUESTS_VIEW },
  'the feed as JSON': { path: () => '/feed.json', sees: GUESTS_VIEW },
  'the feed of its author': {
    path: ({ authorId }) => `/author/${authorId}/feed.xml`,
    sees: GUESTS_VIEW,
  },
  'the feed of its tag': { path: ({ tag }) => `/tag/${tag}/feed.xml`, sees: GUESTS_VIEW },
  'the sitemap': { path: () => '/sitemap-posts-1.xml', sees: GUESTS_VIEW },
  'tags of the sitemap': { path: () => '/sitemap-tags-1.xml', sees: GUESTS_VIEW },
  'what other sites embed': {
    path: ({ id }) => `/oembed?url=${`ORIGIN${encodeURIComponent(`/post/${id}`)}`}`,
    sees: GUESTS_VIEW,
  },
}

type Shared = { dataFolder: { path: string } }
const test = withBlog.extend<object, Shared>({
  dataFolder: [
    async ({ browserName: _browserName }, use) => await use({ path: '' }),
    { scope: 'worker' },
  ],
  fillBlog: [
    async ({ dataFolder }, use) =>
      await use(async (path) => {
        dataFolder.path = path
      }),
    { scope: 'worker' },
  ],
})
test.use({ blogEnv: { BLOG_READING: 'everyone' } })

async function findId(request: APIRequestContext): Promise<string> {
  return (await (await request.get('/v1/account', { headers: PROJECT })).json()).$id
}

async function write(request: APIRequestContext, state: State): Promise<Post> {
  const tag = `word${state}`
  const title = `The title of ${tag}`
  const content = `<p>Light.</p><p>#${tag}</p>`
  const status = state === 'inactive' ? 'inactive' : 'active'
  const id = await writePost(request, { title, content, status })
  return { id, authorId: await findId(request), title, tag }
}

test('each address shows a post to exactly those who may read it', async ({
  visit,
  blog,
  dataFolder,
}) => {
  const [owner, other, blocked] = [await visit(), await visit(), await visit()]
  await signUp(owner.page, makeNewcomer('Olivia Owner'))
  await signUp(other.page, makeNewcomer('Otto Other'))
  await signUp(blocked.page, makeNewcomer('Bert Blocked'))
  const posts = {} as Record<State, Post>
  for (const state of STATES)
    posts[state] = await write((state === 'blocked' ? blocked : owner).context.request, state)
  await owner.context.request.patch(`${DOCUMENTS}/${posts.narrowed.id}`, {
    headers: PROJECT,
    data: { permissions: ['read("users")'] },
  })
  const key = (await readFile(join(dataFolder.path, 'api-key'), 'utf8')).trim()
  const asOperator = async (path: string, data: object) => {
    const headers = { ...PROJECT, 'x-appwrite-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify(data)
    expect((await fetch(blog.url + path, { method: 'PATCH', headers, body })).status).toBe(200)
  }
  await asOperator(`${DOCUMENTS}/${posts.hidden.id}/hidden`, { hidden: true })
  await asOperator(`/v1/users/${posts.blocked.authorId}/status`, { status: false })

  const cookies: Record<Viewer, string> = { guest: '', other: '', owner: '' }
  for (const [name, { context }] of [
    ['other', other],
    ['owner', owner],
  ] as const)
    cookies[name] = (await context.cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  const found: string[] = []
  const expected: string[] = []
  for (const [address, { path, sees }] of Object.entries(ADDRESSES))
    for (const viewer of VIEWERS)
      for (const state of STATES) {
        const post = posts[state]
        const cell = `${address}, ${viewer}, ${state}`
        const url = blog.url + path(post).replace('ORIGIN', encodeURIComponent(blog.url))
        const cookie = cookies[viewer]
        const answer = await fetch(url, { headers: { ...PROJECT, ...(cookie && { cookie }) } })
        const text = await answer.text()
        expect(answer.status, cell).toBeLessThan(500)
        // The sitemap has ids and tags, everything else the title.
        const sign = address.includes('sitemap')
          ? address.startsWith('tags')
            ? `/tag/${post.tag}<`
            : `/${post.id}/`
          : post.title
        if (text.includes(sign)) found.push(cell)
        if (sees[state].includes(viewer)) expected.push(cell)
      }
  expect(found.toSorted()).toEqual(expected.toSorted())
})
