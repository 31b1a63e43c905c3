// Exports of this program, and a project of the hosted API, read for a blog that has posts.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { changeArchive, exportTo, fillBlog, folderEnv } from '#test/support/archives.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { makeDataDir } from '#test/support/process.ts'
import { readExportAt } from '#test/support/read-export.ts'
import { openFileTree } from './file-tree.ts'
import { findSource } from './find-source.ts'

let root: Awaited<ReturnType<typeof makeDataDir>>
beforeAll(async () => {
  root = await makeDataDir()
  return () => root[Symbol.asyncDispose]()
})

test('posts, drafts, people, comments and tags of an archive are read', async () => {
  const env = folderEnv(root.path, 'blog')
  const { alice, bob, lamp } = await fillBlog(env)
  const folder = join(root.path, 'archive')
  await exportTo(folder, env, { hasPeople: true })
  const found = await readExportAt(folder)
  expect(found.kind).toBe('archive')
  expect(found.people.map(({ key }) => key).toSorted()).toEqual([alice.id, bob.id].toSorted())
  const posts = new Map(found.posts.map((post) => [post.title, post]))
  expect([...posts.values()].map(({ status }) => status)).toEqual(['published', 'draft', 'draft'])
  expect(posts.get('👩🏽‍🚀 “lamp”, again')).toMatchObject({
    key: lamp,
    html: '<p>Other</p>',
    authors: [alice.id],
    tags: ['Öl', 'light'],
    excerpt: 'About lamps',
  })
  expect(
    found.comments.map(({ postKey, isApproved, isHtml }) => [postKey, isApproved, isHtml]),
  ).toEqual([
    [lamp, true, false],
    // It waits for approval.
    [lamp, false, false],
  ])
  expect(found.issues.map(({ what, reason }) => [what, reason])).toEqual([
    ['post', 'notAPost'],
    ['comment', 'postMissing'],
    ['comment', 'postMissing'],
  ])
  const noRow = join(root.path, 'no-row')
  await changeArchive(folder, noRow, 'data/post.jsonl', () => '{"id":\n')
  await expect(readExportAt(noRow)).rejects.toThrow('Line 1 of data/post.jsonl is no row.')
  await writeFile(join(folder, 'data/post.jsonl'), '')
  await expect(readExportAt(folder)).rejects.toThrow('data/post.jsonl is damaged')
})

test('a project of the API is read page by page, from the command line only', async () => {
  await using blog = await makeTestBlog(folderEnv(root.path, 'project'))
  const ann = await blog.makePerson('Ann')
  const documents = makeDocuments(blog)
  for (let number = 1; number <= 12; number++)
    await documents.post(ann, {
      title: `Post ${number}`,
      content: '<p>x</p>',
      status: number > 11 ? 'inactive' : 'active',
    })
  const path = join(root.path, 'project.json')
  const project = {
    endpoint: `${blog.url}/v1`,
    project: 'blog',
    key: blog.apiKey,
    database: 'blogdb',
    collection: 'posts',
    bucket: 'content',
  }
  await writeFile(path, JSON.stringify(project))
  const found = await readExportAt(path)
  expect(found.kind).toBe('api')
  expect(found.posts.map(({ title }) => title)).toEqual(
    Array.from({ length: 12 }, (_, at) => `Post ${at + 1}`),
  )
  expect(found.posts.filter(({ status }) => status === 'draft')).toHaveLength(1)
  expect(found.people.map(({ key, name }) => [key, name])).toEqual([[ann.id, 'Ann']])
  await writeFile(path, JSON.stringify({ ...project, collection: 'none' }))
  await expect(readExportAt(path)).rejects.toThrow('refuses with 404')
  const tree = await openFileTree(path)
  expect(await findSource(tree)).toBe(undefined)
})
