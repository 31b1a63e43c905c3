// What the tests of one file share: an author and their posts, written once for all of them.
import type { APIRequestContext } from '@playwright/test'
import type { Visitor } from './browser-blog.ts'
import { type makeNewcomer, signUp } from './people.ts'

/** @param prepare is called as the author. @returns what a file gives to `beforeEach` */
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
