// An author and posts that all tests of a file share, created once.
import type { APIRequestContext } from '@playwright/test'
import type { Visitor } from './browser-blog.ts'
import { type makeNewcomer, signUp } from './people.ts'

/** @param prepare is called with the author's session. @returns a function for `beforeEach` */
export function prepareOnce(
  author: ReturnType<typeof makeNewcomer>,
  prepare: (request: APIRequestContext) => Promise<void>,
): (fixtures: { visit: () => Promise<Visitor> }) => Promise<void> {
  let isPrepared = false
  return async ({ visit }) => {
    if (isPrepared) return
    const { page, context } = await visit()
    await signUp(page, author)
    await prepare(context.request)
    isPrepared = true
  }
}
