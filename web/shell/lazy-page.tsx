// Pages whose code is loaded when they are opened. If it does not load, the error screen says so
// and retries.
import type { ComponentType } from 'react'
import { data } from 'react-router'
import { findStored, store } from '../head/device-storage.ts'
import { loadCode } from '../ui/load-code.ts'

/** The `lazy` of a route. */
export function lazyPage(
  load: () => Promise<ComponentType>,
): () => Promise<{ Component: ComponentType }> {
  return async () => {
    if (typeof document === 'undefined') return { Component: await load() }
    try {
      const Component = await load().catch(() => loadCode(load))
      resetReload()
      return { Component }
    } catch {
      throw data({ hasNoResponse: true, isCode: true }, { status: 503 })
    }
  }
}

export type ReloadOptions = {
  /** Whether the server responds at the page's address. */
  isServerThere: () => Promise<boolean>
  /** Whether the page may be reloaded without the user; true once for each address. */
  claimReload: () => boolean
  /** Reloads the document. */
  reload: () => void
}

const DEFAULTS: ReloadOptions = {
  isServerThere,
  claimReload,
  reload: () => window.location.reload(),
}

/**
 * Reloads the document if the server responds but the code is missing: then the server has another
 * version of the app. Call it from the screen in place of the page: it uses the current address.
 *
 * @param isPressed whether the user pressed "Try again"
 */
export async function reloadIfOutdated(
  isPressed: boolean,
  options: ReloadOptions = DEFAULTS,
): Promise<void> {
  if ((await options.isServerThere()) && (isPressed || options.claimReload())) options.reload()
}

const RELOADED_KEY = 'reloaded-for'

async function isServerThere(): Promise<boolean> {
  if (!navigator.onLine) return false
  return await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
}

/** False if storage is blocked, because a second failure would look like the first. */
function claimReload(): boolean {
  if (findStored(RELOADED_KEY, 'sessionStorage') === location.pathname) return false
  return store(RELOADED_KEY, location.pathname, 'sessionStorage')
}

/** Called when a page has loaded: the next failure may again reload without the user. */
function resetReload(): void {
  store(RELOADED_KEY, undefined, 'sessionStorage')
}
