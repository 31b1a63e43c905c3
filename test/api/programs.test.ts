// Whole programs, written like the blogs of other developers, work with each setting made for them.
// The programs are in test/programs.
import * as webNewest from 'appwrite-newest'
import { expect, test } from 'vitest'
import type { Program, ProgramConfig } from '#test/programs/program.ts'
import { openRowsBlog } from '#test/programs/rows-blog.ts'
import { openServerBlog } from '#test/programs/server-blog.ts'
import { openSlugBlog } from '#test/programs/slug-blog.ts'
import type { TestBlog } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { loadOlderClient } from '#test/support/client-packages.ts'
import type { DatabaseKind } from '#test/support/databases.ts'
import { drawPhoto } from '#test/support/images.ts'

const MARKDOWN = '# Tides\n\nLow, *then* high.\n\n- one\n- two\n\n```js\nconst a = 1\n```\n'
const EXTRAS = { BLOG_EXTRA_ATTRIBUTES: 'on' }
const PROGRAMS = {
  'slug as id, userId, uploaded cover (appwrite, newest)': (config: ProgramConfig) =>
    openSlugBlog(webNewest, config),
  'slug as id, userId, uploaded cover (appwrite 16)': (config: ProgramConfig) =>
    openSlugBlog(loadOlderClient('appwrite-16'), config),
  'rows with attributes of their own (appwrite, newest)': openRowsBlog,
  'rendered on its server, authorId (node-appwrite, newest)': openServerBlog,
}
type Name = keyof typeof PROGRAMS
const [SLUG, SLUG_16, ROWS, SERVER] = Object.keys(PROGRAMS) as [Name, Name, Name, Name]

type Run = {
  name: Name
  env: Record<string, string>
  kind?: DatabaseKind
  tags?: string[]
}
const MORE = { tags: ['more'] }
const RUNS: Run[] = [
  { name: SLUG, env: {} },
  ...[{}, EXTRAS].map((env) => ({ name: SLUG_16, env, ...MORE })),
  { name: SLUG_16, env: EXTRAS, kind: 'PostgreSQL', ...MORE },
  { name: ROWS, env: EXTRAS },
  { name: ROWS, env: EXTRAS, kind: 'PostgreSQL', ...MORE },
  { name: SERVER, env: {}, ...MORE },
  { name: SERVER, env: EXTRAS },
]

for (const run of RUNS)
  test(`${run.name}: two users sign up, write, read, change, hide and delete (${titleOf(run)})`, {
    tags: run.tags ?? [],
  }, async () => {
    const { name, env, kind = 'SQLite' } = run
    await using blog = await openBlogOn(kind, env)
    await runProgram(blog, PROGRAMS[name], env)
  })

function titleOf({ env, kind = 'SQLite' }: Run): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return [kind, ...settings].join(' ')
}

async function runProgram(
  blog: TestBlog,
  open: (config: ProgramConfig) => Program,
  env: Record<string, string>,
) {
  const config: ProgramConfig = {
    endpoint: `${blog.url}/v1`,
    projectId: 'blog',
    databaseId: 'blogdb',
    collectionId: 'posts',
    bucketId: 'content',
    apiKey: blog.apiKey,
  }
  const alice = open(config)
  const bob = open(config)
  expect(await alice.currentUser()).toBeNull()
  expect(await alice.feed()).toEqual([])
  const login = (name: string) => ({ name, email: `${name}@blog.test`, password: 'lamps4two' })
  await alice.signUp(login('Alice'))
  await bob.signUp(login('Bob'))
  const author = await alice.currentUser()
  expect(author).toMatchObject({ name: 'Alice' })

  const image = { name: 'a.png', type: 'image/png', bytes: await drawPhoto('png') }
  const withoutImage = await alice.publish({ title: 'Bare', slug: 'bare-post', markdown: MARKDOWN })
  const tags = env.BLOG_EXTRA_ATTRIBUTES ? ['sea', 'moon'] : []
  const withImage = await alice.publish({
    title: 'Full',
    slug: 'full-post',
    markdown: MARKDOWN,
    image,
    tags,
  })
  const draft = { title: 'Draft', slug: 'a-draft', markdown: 'Later.', isDraft: true }
  const hidden = await alice.publish(draft)

  expect((await bob.feed()).map(({ title }) => title)).toEqual(['Full', 'Bare'])
  expect((await alice.mine()).map(({ title }) => title).sort()).toEqual(['Bare', 'Draft', 'Full'])
  expect(await bob.mine()).toEqual([])
  expect(await bob.read(hidden)).toBeNull()
  expect(await alice.read(hidden)).toMatchObject({ title: 'Draft' })
  const post = await bob.read(withImage)
  expect(post).toMatchObject({ title: 'Full', authorId: author?.id })
  // Texts are stored as HTML, so characters of Markdown that look like HTML may change.
  expect(post?.markdown).toContain('Low, *then* high.')
  const oldCover = post?.cover ?? ''
  expect((await fetch(oldCover)).headers.get('content-type')).toBe('image/png')
  expect(await bob.read(withoutImage)).toMatchObject({ cover: undefined })

  await expect(bob.edit(withImage, { title: 'Mine now' })).rejects.toMatchObject({ code: 401 })
  await expect(bob.remove(withImage)).rejects.toMatchObject({ code: 401 })
  await alice.edit(withImage, { title: 'Fuller', image })
  const edited = await alice.read(withImage)
  expect(edited).toMatchObject({ title: 'Fuller', markdown: post?.markdown })
  expect(edited?.cover).not.toBe(oldCover)
  expect((await fetch(edited?.cover ?? '')).status).toBe(200)
  await expect.poll(async () => (await fetch(oldCover)).status).toBe(404)
  await alice.edit(withoutImage, { isDraft: true })
  expect((await bob.feed()).map(({ title }) => title)).toEqual(['Fuller'])

  await alice.remove(withImage)
  expect(await alice.read(withImage)).toBeNull()
  await expect.poll(async () => (await fetch(edited?.cover ?? '')).status).toBe(404)
  await alice.signOut()
  expect(await alice.currentUser()).toBeNull()
  expect(await alice.feed()).toEqual([])
}
