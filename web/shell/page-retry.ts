// What to do about a page whose code did not come: the network is gone, or the site was deployed
// anew and the old files are no more. Knows nothing of how it looks.
import type { ComponentType } from 'react'

export type LoadPage = () => Promise<ComponentType>

export type RetryNeeds = {
  load: LoadPage
  /** The server answers for the page's own address. */
  isServerThere: () => Promise<boolean>
  /** Whether this address may load itself anew without being asked; true once. */
  claimReload: () => boolean
  /** Loads the whole document anew. */
  reload: () => void
}

/**
 * Asks for the code once more. A server that is there without it has another version of the app:
 * then the whole page is loaded.
 *
 * @param isAsked somebody pressed "Try again"
 * @returns the page, or undefined when it is still not to be had
 */
export async function retryPage(
  { load, isServerThere, claimReload, reload }: RetryNeeds,
  isAsked: boolean,
): Promise<ComponentType | undefined> {
  try {
    return await load()
  } catch {
    if ((await isServerThere()) && (isAsked || claimReload())) reload()
    return undefined
  }
}

const RELOADED_KEY = 'reloaded-for'

export async function isServerThere(): Promise<boolean> {
  if (!navigator.onLine) return false
  return await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
}

/** Where storage is blocked nobody could tell the second time from the first. */
export function claimReload(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === location.pathname) return false
    sessionStorage.setItem(RELOADED_KEY, location.pathname)
    return true
  } catch {
    return false
  }
}

/** A page has come: the next one that does not may load itself anew again. */
export function resetReload(): void {
  try {
    sessionStorage.removeItem(RELOADED_KEY)
  } catch {
    // Blocked: nothing was kept either.
  }
}
