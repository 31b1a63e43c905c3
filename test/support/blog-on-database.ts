// A blog on SQLite or PostgreSQL with alice, bob and short document calls.
import { makeTestBlog } from './blog.ts'
import { type DatabaseKind, makePostgresDatabase } from './databases.ts'
import { makeDocuments } from './documents.ts'

export async function openBlogOn(kind: DatabaseKind, env: Record<string, string> = {}) {
  const postgres = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
  const blog = await makeTestBlog({
    ...(postgres ? { BLOG_DATABASE_URL: postgres.url } : {}),
    ...env,
  })
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  return {
    ...blog,
    ...makeDocuments(blog),
    alice,
    bob,
    /** The address of the PostgreSQL database; undefined for SQLite. */
    databaseUrl: postgres?.url,
    asKey: { headers: { 'x-appwrite-key': blog.apiKey } },
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await postgres?.drop()
    },
  }
}
