// Pictures, links, addresses, people and comments of imported posts.
import { expect, test } from 'vitest'
import { invite } from '#backend/accounts/invitations.ts'
import { signUp } from '#backend/accounts/sign-in.ts'
import { addNewUser, makeUserRow } from '#backend/accounts/users.ts'
import { findMovedTo } from '#backend/archive/old-addresses.ts'
import { readCommentPage } from '#backend/comments/comment-page.ts'
import { GUEST } from '#backend/http/viewer.ts'
import { setSiteValues } from '#backend/operator/site-values.ts'
import { drawPhoto } from '../../../test/support/images.ts'
import { checkExport, importExport, openImportBlog, undo } from '../../../test/support/imports.ts'

async function openBlog() {
  const blog = await openImportBlog()
  const { db } = blog.context
  const ada = { id: 'ada', email: 'ada@blog.example', name: 'Ada', passwordHash: 'x' }
  await addNewUser(db, { ...makeUserRow(ada, new Date()), isVerified: 1 })
  const contents = async () =>
    (await db.selectFrom('post').select('content').orderBy('title').execute()).map(
      ({ content }) => content,
    )
  return { ...blog, db, contents, [Symbol.asyncDispose]: blog[Symbol.asyncDispose] }
}

const OWN = { ownerId: 'ada' }

test('a picture that is shown in several sizes, by several posts, is stored once', async () => {
  await using blog = await openBlog()
  const photo = await drawPhoto('jpeg', { width: 64, height: 36 })
  const img = (name: string) =>
    `<p><img src="https://old.example/wp-content/uploads/2019/05/${name}"></p>`
  const exported = {
    posts: [
      { key: '1', title: 'A', html: img('sea-300x200.jpg') },
      { key: '2', title: 'B', html: img('sea.jpg') + img('gone.jpg') },
    ],
    pictures: [
      {
        url: 'https://old.example/wp-content/uploads/2019/05/sea.jpg',
        alt: 'The sea',
        caption: '',
      },
    ],
    files: { 'uploads/2019/05/sea.jpg': photo, 'uploads/2018/01/sea.jpg': 'another' },
  }

  const fetching = { resolve: async () => ['10.0.0.1'] }
  const { imported, check } = await importExport(blog, exported, { ...OWN, fetching })

  expect(check.found.pictures).toBe(2)
  expect(imported.pictures).toBe(1)
  const files = await blog.db.selectFrom('file').select(['id', 'name', 'userId']).execute()
  expect(files).toMatchObject([{ name: 'sea.jpg', userId: 'ada' }])
  const [first = '', second = ''] = await blog.contents()
  const address = `/v1/storage/buckets/${blog.context.contentBucketId}/files/${files[0]?.id}/view`
  expect(first).toContain(`src="${address}?project=`)
  expect(first).toContain('width="64" height="36"')
  expect(second).toContain(address)
  // What could not be had stays as a link.
  expect(second).toContain('href="https://old.example/wp-content/uploads/2019/05/gone.jpg"')
  const references = await blog.db.selectFrom('postFile').select('place').execute()
  expect(references).toEqual([{ place: 'body' }, { place: 'body' }])
})

test('a picture of two authors is stored for each of them, counted once, and counted meanwhile', async () => {
  await using blog = await openBlog()
  const photo = await drawPhoto('jpeg', { width: 64, height: 36 })
  const html = '<p><img src="https://old.example/uploads/sea.jpg"></p>'
  const exported = {
    posts: ['ada', 'bo'].map((author) => ({ key: author, html, authors: [author] })),
    files: { 'uploads/sea.jpg': photo },
  }
  const counts: number[][] = []

  const { imported } = await importExport(blog, exported, {
    choices: { people: { ada: 'ada', bo: 'new' } },
    onProgress: ({ imported: { posts, pictures } }) => counts.push([posts, pictures]),
  })

  const files = await blog.db.selectFrom('file').select('userId').execute()
  expect(new Set(files.map(({ userId }) => userId)).size).toBe(2)
  expect(counts[0]).toEqual([0, 1])
  expect(imported.pictures).toBe(1)
})

test('pictures whose names end like a size stay apart, and those that no post shows are listed', async () => {
  await using blog = await openBlog()
  const address = (name: string) => `https://old.example/wp-content/uploads/${name}`
  const picture = (name: string) => ({ url: address(name), alt: name, caption: '' })
  const names = ['wall-580x300.png', 'wall-150x150.png', 'lonely.png']
  const elsewhere = 'https://pictures.example/sea.png?w=2'
  const html = [...names.slice(0, 2).map(address), address('wall-580x300-80x40.png'), elsewhere]
  const files: Record<string, Buffer> = {}
  for (const [at, name] of names.entries())
    files[`uploads/${name}`] = await drawPhoto('png', { width: 40 + at, height: 30 })
  const exported = {
    posts: [{ key: '1', html: html.map((src) => `<p><img src="${src}"></p>`).join('') }],
    pictures: [...names.map(picture), { ...picture(''), url: elsewhere }],
    files,
  }

  const { imported, check } = await importExport(blog, exported, OWN)

  expect(imported.pictures).toBe(2)
  expect(check.found.pictures).toBe(4)
  expect(check.willImport.pictures).toBe(2)
  expect(check.issues).toMatchObject([
    { what: 'picture', reason: 'pictureRefused', names: [elsewhere] },
    { what: 'picture', reason: 'unused', names: [address('lonely.png')] },
  ])
  const [text = ''] = await blog.contents()
  expect([...text.matchAll(/alt="([^"]*)" width="(\d+)"/g)].map(([, , width]) => width)).toEqual([
    '40',
    '41',
    '40',
  ])
})

test('further authors of a post are listed by their names', async () => {
  await using blog = await openBlog()
  const people = ['bo', 'cy'].map((key) => ({ key, name: `${key} the writer`, email: '' }))
  const exported = { people, posts: [{ key: '1', authors: ['bo', 'cy', 'di'] }] }
  const { check, issues } = await checkExport(blog, exported)
  expect(check.issues).toMatchObject([{ what: 'post', reason: 'tooManyAuthors', count: 1 }])
  expect(issues).toMatchObject([{ detail: 'cy the writer, di' }])
})

test('the words of a picture that is nowhere stay', async () => {
  await using blog = await openBlog()
  const posts = [
    {
      key: '1',
      html: '<p>A <img src="/img/sea.jpg" alt="The sea">, <img src="sky.jpg" alt="sky">.</p>',
      url: 'tree:a.md',
    },
  ]
  const exported = { site: { url: '' }, posts }
  const { check } = await importExport(blog, exported, OWN)
  expect(check.issues).toMatchObject([{ reason: 'pictureMissing', count: 2 }])
  expect(await blog.contents()).toEqual(['<p>A The sea, sky.</p>'])
})

test('a cover, a picture in the text itself, and a webp are stored; no image stays a link', async () => {
  await using blog = await openBlog()
  const photo = await drawPhoto('png', { width: 40, height: 30 })
  const { default: sharp } = await import('sharp')
  const webp = await sharp(photo).webp().toBuffer()
  const exported = {
    posts: [
      {
        key: '1',
        html: `<p><img src="tree:in.webp" alt="W"><img src="data:image/png;base64,${photo.toString('base64')}"><img src="tree:bad.png"></p>`,
        cover: { url: 'tree:cover.png', alt: '', caption: '' },
      },
    ],
    files: { 'in.webp': webp, 'cover.png': photo, 'bad.png': '<svg onload=alert(1)>' },
  }

  const { imported } = await importExport(blog, exported, OWN)

  expect(imported.pictures).toBe(3)
  const types = await blog.db.selectFrom('file').select('mimeType').orderBy('mimeType').execute()
  expect(types.map(({ mimeType }) => mimeType)).toEqual(['image/jpeg', 'image/png', 'image/png'])
  const [post] = await blog.db.selectFrom('post').select('featuredImage').execute()
  expect(post?.featuredImage).not.toBe('')
})

test('an undone import gives the blog its name back, unless that was changed since', async () => {
  await using blog = await openBlog()
  const readName = async () => {
    const { siteName, about } = await blog.context.site.read()
    return [siteName, about]
  }
  const [name, about] = await readName()
  await importExport(blog, { posts: [{ key: '1' }] }, { choices: { hasSiteName: true } })
  expect(await readName()).toEqual(['The old blog', 'Before the move'])
  await setSiteValues(blog.context, { role: 'key' }, { about: 'After the move' })
  await undo(blog)
  expect(await readName()).toEqual([name, 'After the move'])
  expect(about).not.toBe('Before the move')
  expect(await blog.db.selectFrom('importedItem').selectAll().execute()).toEqual([])
})

test('links between posts, old addresses and feeds lead to the posts here', async () => {
  await using blog = await openBlog()
  const exported = {
    posts: [
      {
        key: '1',
        title: 'First',
        html: '<p><a href="https://www.old.example/2019/05/second/#more">next</a> <a href="/?p=2">id</a> <a href="https://else.example/x">else</a></p>',
        url: 'https://old.example/2019/05/first/',
      },
      {
        key: '2',
        title: 'Second',
        html: '<p><a href="/2019/05/missing/">gone</a></p>',
        url: 'https://old.example/2019/05/second/',
        addresses: ['/?p=2', '/post/second-one', '/posts/sea/second', '/settings/x', '/v1/x'],
      },
      { key: '3', title: 'Third', status: 'draft' as const, url: 'https://old.example/third/' },
    ],
  }
  const { imported } = await importExport(blog, exported, OWN)

  const rows = await blog.db.selectFrom('post').select(['id', 'title']).execute()
  const idOf = (title: string) => rows.find((row) => row.title === title)?.id
  const second = `/post/${idOf('Second')}/second`
  const [first = '', other = ''] = await blog.contents()
  expect(first).toContain(`href="${second}#more"`)
  expect(first).toContain(`href="${second}"`)
  expect(first).toContain('href="https://else.example/x"')
  expect(other).toContain('href="https://old.example/2019/05/missing/"')
  expect(imported.addresses).toBe(6)
  const find = (url: string) => findMovedTo(blog.context, GUEST, url)
  for (const url of [
    '/2019/05/second',
    '/2019/05/second/',
    '/2019/05/SECOND/',
    '/2019/05/%73econd/amp',
    '/?p=2',
    '/post/second-one',
    '/posts/sea/second/',
  ])
    expect(await find(url), url).toBe(`/post/${idOf('Second')}`)
  for (const url of [
    '/feed',
    '/feed/',
    '/rss.xml',
    '/atom.xml',
    '/index.xml',
    '/feed/atom',
    '/?feed=rss2',
  ])
    expect(await find(url), url).toBe('/feed.xml')
  // A draft, as if there were none.
  for (const url of [
    '/third',
    '/third/',
    '/settings/x',
    '/v1/x',
    '/2019/05',
    '/?p=3',
    '/%',
    '/%00',
  ])
    expect(await find(url), url).toBeUndefined()
})

test('the feed of the old blog stays the feed, whatever an author’s own posts are named', async () => {
  await using blog = await openBlog()
  const url = 'https://old.example/feed/'
  await importExport(blog, { posts: [{ key: '1', url, addresses: ['/rss.xml'] }] }, OWN)
  for (const path of ['/feed', '/feed/', '/rss.xml'])
    expect(await findMovedTo(blog.context, GUEST, path)).toBe('/feed.xml')
})

test('pages have addresses of their own; one whose address is taken becomes a post', async () => {
  await using blog = await openBlog()
  const page = { kind: 'page' as const, authors: ['bo'] }
  const exported = {
    people: [{ key: 'bo', name: 'Bo', email: '' }],
    posts: [
      { ...page, key: '1', title: 'About', url: 'https://old.example/about/' },
      { ...page, key: '2', title: 'About!', url: 'https://old.example/about-2/' },
      { ...page, key: '3', title: 'Plans', status: 'draft' as const, addresses: ['/plans'] },
    ],
  }
  const choices = { people: { bo: 'ada' } }
  const { imported, check } = await importExport(blog, exported, { choices })

  expect(check).toMatchObject({ oldest: '', newest: '' })
  expect(imported).toMatchObject({ posts: 1, pages: 2, drafts: 0 })
  const pages = await blog.db.selectFrom('pageAddress').select('address').execute()
  expect(pages).toEqual([{ address: 'about' }])
  const key = { role: 'key' } as const
  // The address of a page leads nowhere else, not even while the page is a draft.
  for (const url of ['/about', '/plans'])
    expect(await findMovedTo(blog.context, key, url)).toBeUndefined()
  expect(await findMovedTo(blog.context, GUEST, '/about-2/')).toMatch(/^\/post\/[^/]+$/)
  const again = await checkExport(blog, exported)
  expect(again.check.willImport).toMatchObject({ posts: 0, pages: 0 })
  const own = await checkExport(blog, exported, OWN)
  expect(own.check.willImport).toMatchObject({ posts: 0, pages: 0 })
  await undo(blog)
  const afterUndo = await checkExport(blog, exported, OWN)
  expect(afterUndo.check.willImport).toMatchObject({ posts: 0, drafts: 0, pages: 3 })
})

test('an author’s address belongs to the post that had it first', async () => {
  await using blog = await openBlog()
  const url = 'https://old.example/same/'
  await importExport(blog, { posts: [{ key: '1', title: 'One', url }] }, OWN)
  const site = { url: 'https://second.example/' }
  const other = { site, posts: [{ key: '1', title: 'Two', url: 'https://second.example/same/' }] }
  const later = await importExport(blog, other, { ...OWN, runId: 'run-2' })
  expect(later.imported.addresses).toBe(0)
  const addresses = await blog.db.selectFrom('oldAddress').select('runId').execute()
  expect(addresses).toEqual([{ runId: 'run-1' }])
})

test('an author becomes who is chosen; the address of a new one claims the account', async () => {
  await using blog = await openBlog()
  const exported = {
    people: [
      { key: 'ada', name: 'Ada L', email: 'ada@blog.example' },
      { key: 'bo', name: 'Bo', email: 'bo@old.example' },
      { key: 'cy', name: 'Cy', email: '' },
    ],
    posts: ['ada', 'bo', 'cy', ''].map((key) => ({
      key: `p-${key}`,
      title: `By ${key}`,
      authors: key ? [key] : [],
    })),
  }
  const { check } = await checkExport(blog, exported)
  expect(check.people).toMatchObject([
    { key: 'ada', proposal: 'ada' },
    { key: 'bo', proposal: '' },
    { key: 'cy', proposal: '' },
  ])
  const people = { ada: 'ada', bo: 'new', cy: 'unknown' }
  await importExport(blog, exported, { choices: { people } })

  const authors = await blog.db
    .selectFrom('post')
    .innerJoin('user', 'user.id', 'post.userId')
    .select(['title', 'user.id', 'name', 'email', 'passwordHash'])
    .orderBy('title')
    .execute()
  const [nobody, ada, bo, cy] = authors
  expect(ada?.id).toBe('ada')
  expect(bo).toMatchObject({ name: 'Bo', passwordHash: null })
  expect(bo?.email).not.toContain('old.example')
  expect(cy?.id).toBe(nobody?.id)
  expect(cy?.name).toBe('')

  const { url } = await invite(blog.context, { role: 'key' }, { email: 'bo@old.example' })
  const link = new URL(url)
  const account = await signUp(
    blog.context,
    {
      userId: link.searchParams.get('userId') ?? '',
      secret: link.searchParams.get('secret') ?? '',
      email: 'bo@old.example',
      password: 'correct horse battery',
      name: 'Bo B',
    },
    { requestId: '', address: '192.0.2.1', userAgent: '', browserMark: undefined },
  )
  expect(account.$id).toBe(bo?.id)
  const claimed = await blog.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', account.$id)
    .execute()
  expect(claimed).toMatchObject([{ email: 'bo@old.example', name: 'Bo B' }])
  // A claimed account outlives the undoing.
  await undo(blog)
  const left = await blog.db.selectFrom('user').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id).sort()).toEqual([account.$id, 'ada'].sort())
})

test('comments keep names, dates and threads, with a mark; unapproved ones stay out', async () => {
  await using blog = await openBlog()
  const comment = (key: string, parentKey = '', more = {}) => ({
    key,
    postKey: '1',
    parentKey,
    ...more,
  })
  const exported = {
    posts: [{ key: '1' }],
    comments: [
      comment('c1', '', {
        isHtml: true,
        text: '<p>One &lt;b&gt;</p><blockquote>two</blockquote><script>x</script>',
        authorName: 'Zoë',
      }),
      comment('c2', 'c1', { createdAt: '2019-06-02T08:00:00.000Z' }),
      comment('c3', 'c2', { createdAt: '2019-06-03T08:00:00.000Z', text: 'deep' }),
      comment('c4', 'nowhere', { createdAt: '2019-06-04T08:00:00.000Z' }),
      comment('c5', '', { isApproved: false, text: 'spam' }),
      { key: 'c6', postKey: 'missing' },
      { key: 'c6', postKey: 'missing' },
    ],
  }
  const { imported, check } = await importExport(blog, exported, OWN)
  expect(imported.comments).toBe(4)
  expect(check.issues.map(({ reason }) => reason).sort()).toEqual([
    'conflict',
    'parentMissing',
    'postMissing',
    'spam',
  ])
  const [post] = await blog.db.selectFrom('post').select('id').execute()
  const page = await readCommentPage(blog.context, GUEST, post?.id ?? '', {
    page: undefined,
    order: 'oldest',
    commentId: undefined,
    threadId: undefined,
    texts: 'plain',
  })
  expect(page.total).toBe(4)
  expect(page.comments).toMatchObject([
    {
      userName: 'Zoë',
      imported: true,
      userId: '',
      content: 'One <b>\n\n> two',
      $createdAt: '2019-06-01T08:00:00.000+00:00',
      replies: 2,
      replyList: [{ content: 'Lovely' }, { content: 'deep' }],
    },
    { userName: 'A reader', replies: 0 },
  ])
})

test('drafts, private and scheduled posts keep their state, and everything may become a draft', async () => {
  await using blog = await openBlog()
  const ahead = new Date(Date.now() + 86_400_000).toISOString()
  const posts = [
    { key: '1', title: 'Draft', status: 'draft' as const, publishedAt: '' },
    { key: '2', title: 'Private', status: 'private' as const },
    { key: '3', title: 'Scheduled', status: 'scheduled' as const, publishedAt: ahead },
    { key: '4', title: 'Shown' },
  ]
  const { imported } = await importExport(blog, { posts }, OWN)
  expect(imported).toMatchObject({ posts: 1, drafts: 3 })
  const rows = await blog.db
    .selectFrom('post')
    .leftJoin('postSchedule', 'postSchedule.postId', 'post.id')
    .select(['title', 'status', 'publishedAt', 'publishAt'])
    .orderBy('title')
    .execute()
  const date = '2019-05-04T08:00:00.000Z'
  expect(rows).toEqual([
    { title: 'Draft', status: 'inactive', publishedAt: '', publishAt: null },
    { title: 'Private', status: 'inactive', publishedAt: date, publishAt: null },
    { title: 'Scheduled', status: 'inactive', publishedAt: '', publishAt: ahead },
    { title: 'Shown', status: 'active', publishedAt: date, publishAt: null },
  ])
  await undo(blog)
  await importExport(blog, { posts }, { ...OWN, runId: 'run-2', choices: { status: 'inactive' } })
  const states = await blog.db.selectFrom('post').select('status').distinct().execute()
  expect(states).toEqual([{ status: 'inactive' }])
})

test('a post that was changed, or has a comment of a member, stays when its import is undone', async () => {
  await using blog = await openBlog()
  const posts = [
    { key: '1', title: 'Changed' },
    { key: '2', title: 'Unchanged' },
  ]
  await importExport(blog, { posts }, OWN)
  await blog.db
    .updateTable('post')
    .set({ content: '<p>mine</p>' })
    .where('title', '=', 'Changed')
    .execute()

  expect(await undo(blog)).toEqual({ removed: 1, kept: 1 })

  const left = await blog.db.selectFrom('post').select('title').execute()
  expect(left).toEqual([{ title: 'Changed' }])
})

test('what breaks the limits of a post is cut or left out, and reported', async () => {
  await using blog = await openBlog()
  const posts = [
    { key: '1', title: 'x'.repeat(1_000_000), tags: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    { key: '2', title: '', html: '<p>The first words.</p>' },
    { key: '3', title: 'Too long', html: `<p>${'word '.repeat(300_000)}</p>` },
    { key: '4', title: 'Deep', html: '<div>'.repeat(5000) },
    {
      key: '5',
      title: 'Odd',
      publishedAt: '0000-00-00',
      html: '<img src="javascript:alert(1)"><iframe src="http://169.254.169.254/"></iframe>',
    },
  ]
  const { imported, check } = await importExport(blog, { posts }, OWN)
  expect(imported.posts).toBe(3)
  expect(check.issues.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['tooLong', 'tooManyTags', 'noTitle', 'badDate']),
  )
  const titles = (await blog.db.selectFrom('post').select('title').execute()).map(
    ({ title }) => title,
  )
  expect(titles.map((title) => title.length).sort()).toEqual([3, 16, 255].sort())
  expect((await blog.contents()).join('')).not.toMatch(/javascript|iframe/)
})
