// Exports that somebody made to harm the blog which imports them.
import { expect, test } from 'vitest'
import { addNewUser, makeUserRow } from '#backend/accounts/users.ts'
import { IMPORT_PEOPLE_MAX } from '#contract/archive.ts'
import { checkExport, importExport, openImportBlog } from '../../../test/support/imports.ts'

async function openBlog() {
  const blog = await openImportBlog()
  const { db } = blog.context
  const ada = { id: 'ada', email: 'ada@blog.example', name: 'Ada', passwordHash: 'x' }
  await addNewUser(db, { ...makeUserRow(ada, new Date()), isVerified: 1 })
  return { ...blog, db, [Symbol.asyncDispose]: blog[Symbol.asyncDispose] }
}

const OWN = { ownerId: 'ada' }

test('very many authors with very long names make a short result', async () => {
  await using blog = await openBlog()
  const posts = Array.from({ length: IMPORT_PEOPLE_MAX + 50 }, (_, number) => ({
    key: `${number}`,
    authors: [`${number} ${'x'.repeat(10_000)}`],
  }))
  const own = await checkExport(blog, { posts }, OWN)
  expect(own.check.people).toEqual([])
  const whole = await checkExport(blog, { posts })
  expect(whole.check.people).toHaveLength(IMPORT_PEOPLE_MAX)
  expect(whole.check.found.people).toBe(posts.length)
  expect(JSON.stringify(whole.check).length).toBeLessThan(400 * IMPORT_PEOPLE_MAX)
})

test.for([
  ['a property of objects', 'constructor'],
  ['their prototype', '__proto__'],
  ['thousands of letters', 'k'.repeat(5000)],
  ['a NUL', 'a\0b'],
  ['half a character', '\ud800'],
] as const)('a post, an author and a comment with %s as key are imported once', async ([, key]) => {
  await using blog = await openBlog()
  const exported = {
    people: [{ key, name: 'Ann', email: '' }],
    posts: [{ key, authors: [key], html: '<img src="\0x.png">' }],
    comments: [{ key, postKey: key }],
  }
  const { imported, issues } = await importExport(blog, exported)
  expect(imported).toMatchObject({ posts: 1, comments: 1, people: 1 })
  expect(JSON.stringify(issues)).not.toContain('\\u0000')
  const again = await importExport(blog, exported, { runId: 'run-2' })
  expect(again.imported).toMatchObject({ posts: 0, comments: 0, people: 0 })
  const items = await blog.db.selectFrom('importedItem').select('key').execute()
  for (const { key } of items) expect(Buffer.byteLength(key)).toBeLessThan(600)
})
