// A blog with an operator (alice), an author (bob), a reader and a blocked operator, and its
// Activity.
import type { Activity } from '#contract/operator.ts'
import { openBlogOn } from './blog-on-database.ts'
import type { DatabaseKind } from './databases.ts'

export async function openBlogWithRoles(kind: DatabaseKind, env: Record<string, string> = {}) {
  const blog = await openBlogOn(kind, env)
  const { alice, asKey } = blog
  const reader = await blog.makePerson('rita')
  const blocked = await blog.makePerson('otto')
  const setRole = (id: string, role: string) =>
    blog.call('PATCH', `/users/${id}/role`, { ...asKey, body: { role } })
  await setRole(alice.id, 'operator')
  await setRole(reader.id, 'reader')
  await setRole(blocked.id, 'operator')
  await blog.call('PATCH', `/users/${blocked.id}/status`, { ...asKey, body: { status: false } })
  const activity = async (query = ''): Promise<Activity[]> =>
    (await blog.call('GET', `/operator/activity${query}`, asKey)).body.list
  let authorCount = 0
  return {
    ...blog,
    reader,
    blocked,
    setRole,
    activity,
    asAlice: { cookie: alice.cookie },
    /** The id of the newest activity, as a number. */
    count: async () => Number((await activity())[0]?.$id ?? 0),
    /** A new person with a post. */
    async makeAuthor() {
      const person = await blog.makePerson(`author${++authorCount}`)
      const post = await blog.create(person, { title: 'A post', content: '<p>text</p>' })
      return { person, post: String(post.body.$id) }
    },
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}
