// Pages whose code is loaded when they are opened. When it does not load, the error screen says so
// and tries again.
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
      throw data({ isUnanswered: true, isCode: true }, { status: 503 })
    }
  }
}

export type ReloadOptions = {
  /** Whether the server answers for the page's own address. */
  isServerThere: () => Promise<boolean>
  /** Whether this address may reload by itself; true once. */
  claimReload: () => boolean
  /** Reloads the document. */
  reload: () => void
}

const REAL: ReloadOptions = { isServerThere, claimReload, reload: () => window.location.reload() }

/**
 * A server that answers without having the code has another version of the app: then the document
 * is reloaded. Call it where the page would be: it is about the present address.
 *
 * @param isAsked "Try again" was pressed
 */
export async function reloadIfOutdated(
  isAsked: boolean,
  needs: ReloadOptions = REAL,
): Promise<void> {
  if ((await needs.isServerThere()) && (isAsked || needs.claimReload())) needs.reload()
}

const RELOADED_KEY = 'reloaded-for'

async function isServerThere(): Promise<boolean> {
  if (!navigator.onLine) return false
  return await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
}

/** False where storage is blocked: the second time would look like the first. */
function claimReload(): boolean {
  if (findStored(RELOADED_KEY, 'sessionStorage') === location.pathname) return false
  return store(RELOADED_KEY, location.pathname, 'sessionStorage')
}

/** After a page has loaded: the next one that does not may reload by itself again. */
function resetReload(): void {
  store(RELOADED_KEY, undefined, 'sessionStorage')
}
