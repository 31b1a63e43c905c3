// Data that the server loaded for the first page of a document, so that the browser does not
// request it again. Every later page loads its data in the browser.
import { useLoaderData } from 'react-router'
import type { Result } from './client.ts'

/**
 * The result of a route's loader on the server (page-loaders.ts); null when it took too long.
 * `userId` is empty for visitors.
 */
export type InitialData<Value> = { userId: string; result: Result<Value> } | null

/**
 * @param userId the viewer: data that was loaded for another user is ignored
 * @returns undefined when nothing was loaded for this page
 */
export function useInitialData<Value>(userId: string | undefined): Result<Value> | undefined {
  const initialData = useLoaderData() as InitialData<Value> | undefined
  return initialData && initialData.userId === userId ? initialData.result : undefined
}
