// The app's only `appwrite` client with its services, and the result of a call, so that other files
// need not know the client's exception. Calls whose failure a screen handles return a `Result`, so
// that the compiler requires the failure to be handled; the screen shows it and the console stays
// clean (product.md §8, §O33). Calls made by forms (sign-in, sign-up, recovery, the settings of an
// account) reject instead, and the form shows why.
import { Account, AppwriteException, Avatars, type Client, Storage } from 'appwrite'
import { createContext, useContext } from 'react'
import { BlogClient } from './blog-client.ts'
import type { SiteSettings } from './page-data.ts'

export type Api = {
  settings: SiteSettings
  client: Client
  account: Account
  avatars: Avatars
  storage: Storage
}

/**
 * In the browser, calls carry the session cookie; on the server, they run as the page's viewer.
 *
 * @param origin the site's own origin; the API is under its `/v1`
 */
export function makeApi(settings: SiteSettings, { origin }: { origin: string }): Api {
  const client = new BlogClient().setEndpoint(`${origin}/v1`).setProject(settings.projectId)
  return {
    settings,
    client,
    account: new Account(client),
    avatars: new Avatars(client),
    storage: new Storage(client),
  }
}

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('useApi needs an ApiContext above it')
  return api
}

/**
 * An address made by the client (`getFilePreview`, `getInitials`…) as a path of this site, so that
 * the page is the same under each host name of the server.
 */
export function pathOf(address: URL): string {
  return address.pathname + address.search
}

/** A call that failed. `code` is the HTTP status; 0 when there was no response. */
export type Failure = { message: string; code: number; type: string }

export type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

export const NO_RESPONSE: Failure = { message: '', code: 0, type: '' }

export function succeed<Value>(value: Value): Result<Value> {
  return { ok: true, value }
}

export function fail(failure: Failure): Result<never> {
  return { ok: false, failure }
}

/** Converts an error thrown by a call. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppwriteException)
    return { message: error.message, code: error.code, type: error.type }
  return { message: error instanceof Error ? error.message : String(error), code: 0, type: '' }
}

/** A call for which the client package has no method. */
export function callPath<Value>(
  { client }: Api,
  method: string,
  path: string,
  values: object = {},
): Promise<Result<Value>> {
  const address = new URL(client.config.endpoint + path)
  return resultOf(
    client.call(method, address, { 'content-type': 'application/json' }, { ...values }),
  )
}

export async function resultOf<Value>(call: Promise<Value>): Promise<Result<Value>> {
  try {
    return succeed(await call)
  } catch (error) {
    return fail(failureOf(error))
  }
}
