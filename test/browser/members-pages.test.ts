// Post pages for members: they contain no data about other members, and show changes at once.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type APIRequestContext, expect, test } from '@playwright/test'
import { writeComment } from '#test/support/browser-comments.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeNewcomer } from '#test/support/people.ts'
import { makeDataDir, readErrorEntries, setUpFolder, startServer } from '#test/support/process.ts'
import { DOCUMENTS, writeMorePosts, writePost } from '#test/support/write-post.ts'

const PROJECT = { 'x-appwrite-project': 'blog' }
/** Only pages that all members share contain it. */
const VIEWER_DATA = 'id="viewer-data"'
const COMMENTS = DOCUMENTS.replace('/posts/', '/comments/')
type Member = { request: APIRequestContext; id: string; name: string; email: string }

async function openBlog(newContext: (baseURL: string) => Promise<APIRequestContext>) {
  const data = await makeDataDir()
  await setUpFolder(data.path)
  const server = await startServer(data.path, { BLOG_READING: 'everyone' })
  const key = (await readFile(join(data.path, 'api-key'), 'utf8')).trim()
  const asKey = { ...PROJECT, 'x-appwrite-key': key }
  const openGuest = () => newContext(server.url)
  const hide = async (id: string, hidden: boolean) => {
    const options = { headers: asKey, data: { hidden } }
    const answer = await (await openGuest()).patch(`${DOCUMENTS}/${id}/hidden`, options)
    expect(answer.status()).toBe(200)
  }
  const enter = async (name: string, prefs?: object): Promise<Member> => {
    const request = await newContext(server.url)
    const { email, password } = makeNewcomer(`Member ${Math.random()}`)
    const body = { userId: 'unique()', name, email, password }
    const answer = await request.post('/v1/account', { headers: PROJECT, data: body })
    const session = { headers: PROJECT, data: { email, password } }
    expect((await request.post('/v1/account/sessions/email', session)).status()).toBe(201)
    if (prefs) await request.patch('/v1/account/prefs', { headers: PROJECT, data: { prefs } })
    return { request, id: (await answer.json()).$id, name, email }
  }
  return {
    server,
    asKey,
    openGuest,
    hide,
    enter,
    async [Symbol.asyncDispose]() {
      expect(await server.stop()).toBe(0)
      expect(readErrorEntries(server), 'the server log').toEqual([])
      await data[Symbol.asyncDispose]()
    },
  }
}

/**
 * Reads a page as HTML and parsed data, without its nonce. A page shared by all members has the
 * data of the viewer in a separate element, and names nobody who likes the post.
 */
async function view({ request }: Member, path: string) {
  const answer = await request.get(path)
  const html = (await answer.text()).replace(/nonce="[^"]+"/g, 'nonce')
  const [, data = '{}'] = /<script id="page-data"[^>]*>(.*?)<\/script>/.exec(html) ?? []
  const [, viewerData = '{}'] = /<script id="viewer-data"[^>]*>(.*?)<\/script>/.exec(html) ?? []
  const page = { ...JSON.parse(data), ...JSON.parse(viewerData) }
  // The page says only whether the viewer likes the post.
  let likers: string[] = []
  for (const loaded of Object.values<{ post?: { likeId?: string[] } }>(page.loaderData ?? {}))
    if (loaded?.post) {
      likers = loaded.post.likeId ?? []
      delete loaded.post.likeId
    }
  return {
    likers,
    status: answer.status(),
    html: html.replace(data, '').replace(viewerData, ''),
    page,
  }
}

async function setPost({ request }: Member, id: string, data: object): Promise<void> {
  const answer = await request.patch(`${DOCUMENTS}/${id}`, { headers: PROJECT, data: { data } })
  expect(answer.status()).toBe(200)
}

test('a page for one member names no other member', { tag: '@more' }, async ({ playwright }) => {
  await using blog = await openBlog((baseURL) => playwright.request.newContext({ baseURL }))
  const author = await blog.enter('Olivia Author')
  const id = await writePost(author.request, { title: 'A lamp', content: '<p>Light.</p>' })
  const avatarFile = { name: 'face.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto('jpeg') }
  const memberWithAvatar = await blog.enter('Fay "the" Face')
  const stored = await memberWithAvatar.request.post('/v1/storage/buckets/avatars/files', {
    headers: PROJECT,
    multipart: { fileId: 'unique()', file: avatarFile },
  })
  const prefs = { avatar: (await stored.json()).$id, about: 'Has a face' }
  await memberWithAvatar.request.patch('/v1/account/prefs', { headers: PROJECT, data: { prefs } })
  const members = [
    await blog.enter('Plain Person'),
    await blog.enter(`<b>Bold & "quoted" 'name'</b> $& $1`),
    memberWithAvatar,
    await blog.enter('', { theme: 'light' }),
    await blog.enter('Lena Light', { theme: 'light', bottomBar: 'hidden' }),
    await blog.enter('Many Prefs', { notes: 'x'.repeat(2000) }),
    await blog.enter('No Avatar', { avatar: '' }),
    await blog.enter('Odd Avatar', { avatar: '../x?"<&' }),
    author,
  ]
  const liker = await blog.enter('Lucy Liker')
  await setPost(liker, id, { like: 1, likeId: [liker.id] })
  const pagesByMember = new Map<Member, string>()
  for (const member of [liker, ...members]) {
    const { likers, ...response } = await view(member, `/post/${id}/a-lamp`)
    expect(likers, member.name).toEqual([])
    expect(response.page.likesPost, member.name).toBe(member === liker)
    expect(response.page.account.email).toBe(member.email)
    pagesByMember.set(member, JSON.stringify(response))
  }
  for (const [member, page] of pagesByMember)
    for (const other of pagesByMember.keys())
      if (other !== member && other !== author) {
        expect(page, `${member.name} sees ${other.name}`).not.toContain(other.email)
        expect(page).not.toContain(other.id)
      }
})

test('invalid preferences that a program stored break no page', { tag: '@more' }, async ({
  playwright,
}) => {
  await using blog = await openBlog((baseURL) => playwright.request.newContext({ baseURL }))
  const author = await blog.enter('Olivia Author')
  const id = await writePost(author.request, { title: 'A lamp', content: '<p>Light.</p>' })
  // An object that cannot be converted to a string.
  const textless = { toString: 1, valueOf: 1 }
  for (const odd of [textless, {}, [], ['a'], 5, true, null]) {
    const prefs = { avatar: odd, about: odd, theme: odd, bottomBar: odd, dateLanguage: odd }
    const member = await blog.enter('Odd Prefs', prefs)
    for (const path of [`/post/${id}/a-lamp`, '/post', '/dashboard', '/settings']) {
      const { status, html } = await view(member, path)
      expect(status, `${path} with ${JSON.stringify(odd)}`).toBe(200)
      if (path === '/dashboard') expect(html).toContain('/avatars/initials?name=Odd')
    }
  }
})

test('a change shows in the next page of every member', { tag: '@more' }, async ({
  playwright,
}) => {
  await using blog = await openBlog((baseURL) => playwright.request.newContext({ baseURL }))
  const author = await blog.enter('Olivia Author')
  const firstMember = await blog.enter('One Member')
  const secondMember = await blog.enter('Two Members')
  const id = await writePost(author.request, { title: 'First words', content: '<p>Light.</p>' })
  const pages = async () => [
    await view(firstMember, `/post/${id}`),
    await view(secondMember, `/post/${id}`),
  ]
  const expectAll = async (text: string) => {
    for (const { html } of await pages()) expect(html).toContain(text)
  }
  const setPermissions = async (id: string, permissions: string[]) => {
    const options = { headers: PROJECT, data: { permissions } }
    expect((await author.request.patch(`${DOCUMENTS}/${id}`, options)).status()).toBe(200)
  }
  await expectAll('First words')
  await setPost(author, id, { title: 'Second words' })
  await expectAll('Second words')
  await setPost(secondMember, id, { like: 1, likeId: [secondMember.id] })
  await expectAll('1 like')
  expect((await view(secondMember, `/post/${id}`)).page.likesPost).toBe(true)
  expect((await view(firstMember, `/post/${id}`)).page.likesPost).toBe(false)
  const name = { headers: PROJECT, data: { name: 'Olivia Renamed' } }
  expect((await author.request.patch('/v1/account/name', name)).status()).toBe(200)
  await expectAll('Olivia Renamed')
  // A post for members only.
  const postId = 'for-members'
  const membersPost = {
    id: postId,
    title: 'For members',
    content: '<p>More.</p>',
    permissions: ['read("users")'],
  }
  await writeMorePosts(author.request, id, [membersPost])
  await expectAll('For members')
  await setPost(author, postId, { title: 'For all members' })
  await expectAll('For all members')
  await setPermissions(postId, [])
  for (const { html } of await pages()) expect(html).not.toContain('For all members')
  await blog.hide(id, true)
  for (const { status } of await pages()) expect(status).toBe(404)
  await blog.hide(id, false)
  await expectAll('Second words')
  await setPost(author, id, { status: 'inactive' })
  for (const { status } of await pages()) expect(status).toBe(404)
})

test('authors get the page that all members share, unless a comment is visible only to them', {
  tag: '@more',
}, async ({ playwright }) => {
  await using blog = await openBlog((baseURL) => playwright.request.newContext({ baseURL }))
  const author = await blog.enter('Olivia Author')
  const member = await blog.enter('One Member')
  const id = await writePost(author.request, { title: 'For all', content: '<p>Light.</p>' })
  const other = await blog.enter('Two Members')
  const pagesWith = async (text: string) => {
    const pages = [author, member, other].map((reader) => view(reader, `/post/${id}`))
    return (await Promise.all(pages)).map(({ html }) => html.includes(text))
  }
  expect(await pagesWith(VIEWER_DATA)).toEqual([true, true, true])
  // The comment waits for the approval of the author.
  const commentId = await writeComment(member.request, id, 'A word')
  for (const [status, isForAll] of [
    ['waiting', false],
    ['shown', true],
    ['hidden', false],
    ['shown', true],
  ] as const) {
    if (status !== 'waiting') {
      const options = { headers: PROJECT, data: { data: { status } } }
      const answer = await author.request.patch(`${COMMENTS}/${commentId}`, options)
      expect(answer.status()).toBe(200)
    }
    expect(await pagesWith(VIEWER_DATA), status).toEqual([isForAll, isForAll, true])
    expect(await pagesWith('A word'), status).toEqual([true, true, isForAll])
  }
})

test('after signing out a page contains no account', { tag: '@more' }, async ({ playwright }) => {
  await using blog = await openBlog((baseURL) => playwright.request.newContext({ baseURL }))
  const author = await blog.enter('Olivia Author')
  const member = await blog.enter('One Member')
  const id = await writePost(author.request, { title: 'For all', content: '<p>Light.</p>' })
  expect((await view(member, `/post/${id}`)).page.account.name).toBe('One Member')
  await member.request.delete('/v1/account/sessions', { headers: PROJECT })
  expect((await view(member, `/post/${id}`)).page.account).toBeUndefined()
})

test('a page requested with the API key shows what a guest sees', { tag: '@more' }, async ({
  playwright,
}) => {
  await using blog = await openBlog((baseURL) => playwright.request.newContext({ baseURL }))
  const author = await blog.enter('Olivia Author')
  const member = await blog.enter('One Member')
  const guest = await blog.openGuest()
  const draft = { title: 'Not yet', content: '<p>Dark.</p>', status: 'inactive' } as const
  const id = await writePost(author.request, draft)
  for (const { request } of [member, { request: guest }]) {
    const answer = await request.get(`/post/${id}`, { headers: blog.asKey })
    expect(answer.status()).toBe(404)
    expect(await answer.text()).not.toContain('Not yet')
  }
})
