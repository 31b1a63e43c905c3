// One blog for all tests of a file that only need people, posts and files of their own: starting a
// blog takes as long as thirty calls.
import { afterAll } from 'vitest'
import { makeTestBlog, type TestBlog } from './blog.ts'

/**
 * Call it once per file or `describe`, outside of the tests.
 * @returns a function that gives a test the blog; each person in it gets a unique address
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
