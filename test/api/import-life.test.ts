// A whole import over the API with its real child process: from the upload of a WordPress file to
// the posts, and back.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  CHOICES,
  makeRunCalls,
  makeWordpressExport,
  type Prefix,
} from '#test/support/archive-runs.ts'
import type { CallOptions } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'

const POSTS = 30

type Blog = Awaited<ReturnType<typeof openBlogWithRoles>>

/** Checks and imports a file. @returns the run, and the calls of its owner */
async function importFile(blog: Blog, prefix: Prefix, as: CallOptions) {
  const calls = makeRunCalls(blog, prefix, as)
  const { $id } = await calls.upload(makeWordpressExport(POSTS))
  await calls.step($id, 'check', {})
  const { check } = await calls.until($id, 'checked')
  await calls.step($id, 'start', CHOICES)
  return { calls, id: $id, check, done: await calls.until($id, 'done') }
}

async function countPosts(blog: Blog, as: CallOptions): Promise<number> {
  return (await blog.call('GET', `${DOCUMENTS}?total=true`, as)).body.total
}

for (const [kind, tags] of DATABASES)
  test(`a person imports their own posts, and takes them back, on ${kind}`, { tags }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const as = { cookie: blog.bob.cookie }
    const { calls, id, check, done } = await importFile(blog, '/account', as)
    expect(check).toMatchObject({ kind: 'wordpress', found: { posts: POSTS, drafts: 1 } })
    expect(done).toMatchObject({ state: 'done', problem: '', progress: { done: POSTS + 1 } })
    expect(done.progress.imported).toMatchObject({ posts: POSTS, drafts: 1 })
    const { body } = await blog.call('GET', DOCUMENTS, as)
    expect(body.documents[0]).toMatchObject({ userid: blog.bob.id, status: 'active' })
    expect(await countPosts(blog, as)).toBe(POSTS + 1)
    await expect.poll(() => readdir(join(blog.dataDir, 'archives'))).toEqual([])
    const again = await importFile(blog, '/account', as)
    expect(again.check?.willImport).toMatchObject({ posts: 0, drafts: 0 })
    expect(await countPosts(blog, as)).toBe(POSTS + 1)
    await calls.step(id, 'undo')
    expect(await calls.until(id, 'undone')).toMatchObject({ kept: 0 })
    expect(await countPosts(blog, as)).toBe(0)
  })

test('an operator imports a blog, whose author is made or chosen', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const calls = makeRunCalls(blog, '/operator', blog.asAlice)
  const { $id } = await calls.upload(makeWordpressExport(POSTS))
  await calls.step($id, 'check', {})
  const { check } = await calls.until($id, 'checked')
  const key = check?.people[0]?.key ?? ''
  await calls.step($id, 'start', { ...CHOICES, people: { [key]: blog.bob.id } })
  await calls.until($id, 'done')
  const { body } = await blog.call('GET', DOCUMENTS, blog.asAlice)
  expect(new Set(body.documents.map(({ userid }: { userid: string }) => userid))).toEqual(
    new Set([blog.bob.id]),
  )
})

test('a file that is no export is refused with a sentence, and changes nothing', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const calls = makeRunCalls(blog, '/account', { cookie: blog.bob.cookie })
  const { $id } = await calls.upload(Buffer.from('%PDF-1.7 no export'), { fileName: 'a.pdf' })
  await calls.step($id, 'check', {})
  expect((await calls.until($id, 'failed')).problem).toContain('This is no export')
  await expect.poll(() => readdir(join(blog.dataDir, 'archives'))).toEqual([])
})
