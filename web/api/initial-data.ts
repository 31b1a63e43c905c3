// What the server loaded for the page that a document was opened with, so that the browser need not
// ask again. Every later page loads in the browser.
import { useLoaderData } from 'react-router'
import type { Result } from './client.ts'

/**
 * The answer of a route's loader on the server (page-loaders.ts); null when it took too long.
 * `userId` is empty for visitors.
 */
export type InitialData<Value> = { userId: string; result: Result<Value> } | null

/**
 * @param userId the viewer: what was loaded for another person is not used
 * @returns undefined when nothing was loaded for this page
 */
export function useInitialData<Value>(userId: string | undefined): Result<Value> | undefined {
  const found = useLoaderData() as InitialData<Value> | undefined
  return found && found.userId === userId ? found.result : undefined
}
