// One blog for those tests of a file that need nothing of it but people, posts and files of their
// own: a start costs as much as thirty calls.
import { afterAll } from 'vitest'
import { makeTestBlog, type TestBlog } from './blog.ts'

/**
 * Is called once for a file or a `describe`, outside of its tests.
 * @returns gives the blog to a test; each person made in it has an address that nobody else has
 */
export function shareBlog(): () => Promise<TestBlog>
export function shareBlog<Blog extends TestBlog>(start: () => Promise<Blog>): () => Promise<Blog>
export function shareBlog(start: () => Promise<TestBlog> = makeTestBlog) {
  let starting: Promise<TestBlog> | undefined
  let people = 0
  afterAll(async () => {
    await (await starting)?.[Symbol.asyncDispose]()
  })
  return async () => {
    starting ??= start()
    const blog = await starting
    const makePerson: TestBlog['makePerson'] = (name) => {
      people++
      return blog.makePerson(name, `${name}.${people}@example.test`)
    }
    return { ...blog, makePerson }
  }
}
