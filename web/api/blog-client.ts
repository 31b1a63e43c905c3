// The client of the `appwrite` package with a `call` of our own: the package's `call` reads
// `window.localStorage`, which throws if the browser blocks site data. Requests and failures are
// the same as the package's.
import { AppwriteException, Client, type Payload } from 'appwrite'
import { findStored, store } from '../head/device-storage.ts'

const FALLBACK_COOKIE_KEY = 'cookieFallback'

export class BlogClient extends Client {
  override async call(
    method: string,
    url: URL,
    headers: Record<string, string> = {},
    params: Payload = {},
  ): Promise<unknown> {
    const isGet = method.toUpperCase() === 'GET'
    if (isGet) addQuery(url, params)
    const send = globalThis.__dispatch ?? globalThis.fetch
    const { 'content-type': type, ...others } = headers
    // A request without a content type has no body. For a form, the browser sets the content type,
    // because it contains the boundary.
    const isForm = type === 'multipart/form-data'
    try {
      const response = await send(url.toString(), {
        method: method.toUpperCase(),
        headers: { ...this.headers, ...(isForm ? others : headers), ...fallbackCookies() },
        credentials: 'include',
        body: isGet ? null : toBody(type, params),
      })
      const isJson = response.headers.get('content-type')?.includes('application/json')
      const data = isJson ? await response.json() : { message: await response.text() }
      if (response.status >= 400)
        throw new AppwriteException(data?.message, response.status, data?.type, data)
      const fallback = response.headers.get('X-Fallback-Cookies')
      if (fallback) store(FALLBACK_COOKIE_KEY, fallback)
      return data
    } catch (error) {
      if (error instanceof AppwriteException) throw error
      throw new AppwriteException(error instanceof Error ? error.message : String(error))
    }
  }
}

/** The header that replaces cookies if the API is on another site than the page. */
export function fallbackCookies(): Record<string, string> {
  if (typeof window === 'undefined') return {}
  return { 'X-Fallback-Cookies': findStored(FALLBACK_COOKIE_KEY) ?? '' }
}

function toBody(type: string | undefined, values: Payload): BodyInit | null {
  if (type === 'multipart/form-data') return toForm(values)
  return type === 'application/json' ? JSON.stringify(values) : null
}

function toForm(values: Payload): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) for (const item of value) form.append(`${name}[]`, item)
    else form.append(name, value)
  }
  return form
}

function addQuery(url: URL, values: Payload, prefix = ''): void {
  for (const [key, value] of Object.entries(values)) {
    const name = prefix ? `${prefix}[${key}]` : key
    if (Array.isArray(value)) addQuery(url, value, name)
    else url.searchParams.append(name, value)
  }
}
