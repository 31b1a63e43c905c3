// An impossible ID is answered like an unknown one, to everybody and on both databases: PostgreSQL
// fails on texts with NUL, which addresses and bodies can contain.
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'

const FILE = '/storage/buckets/content/files/a%00b'
const AVATAR = '/storage/buckets/avatars/files/a%00b'
const PROOF = { userId: 'a\0b', secret: 'x' }

for (const [database, tags] of DATABASES)
  test(`an ID with NUL is answered like an unknown one on ${database}`, { tags }, async () => {
    const postgres = database === 'PostgreSQL' ? await makePostgresDatabase() : undefined
    await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
    await using blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
    const { cookie } = await blog.makePerson('alice')
    const headers = { 'x-appwrite-key': blog.apiKey }
    const person = { email: 'bob@example.test', password: 'bob likes lamps', ...PROOF }
    for (const [method, path, options, type] of [
      ['POST', '/account/invitation', { body: PROOF }, 'user_invalid_token'],
      ['POST', '/account', { body: person }, 'user_invalid_token'],
      ['DELETE', '/invitations/a%00b', { headers }, 'invitation_not_found'],
      ['DELETE', '/account/identities/a%00b', { cookie }, 'user_identity_not_found'],
      ['GET', FILE, { cookie }, 'storage_file_not_found'],
      ['GET', `${FILE}/view`, {}, 'storage_file_not_found'],
      ['GET', `${FILE}/download`, {}, 'storage_file_not_found'],
      ['GET', `${FILE}/preview`, {}, 'storage_file_not_found'],
      ['PUT', FILE, { cookie, body: { name: 'x' } }, 'storage_file_not_found'],
      ['DELETE', FILE, { cookie }, 'storage_file_not_found'],
      ['DELETE', AVATAR, { headers }, 'storage_file_not_found'],
    ] as const)
      expect((await blog.call(method, path, options)).body.type, `${method} ${path}`).toBe(type)
  })
