// What to do about a page whose code did not load: the network is down, or a new version of the
// site was deployed and the old files are gone. Knows nothing of how it looks.
import type { ComponentType } from 'react'

export type LoadPage = () => Promise<ComponentType>

export type RetryNeeds = {
  load: LoadPage
  /** Whether the server answers for the page's own address. */
  isServerThere: () => Promise<boolean>
  /** Whether this address may reload by itself; true once. */
  claimReload: () => boolean
  /** Reloads the document. */
  reload: () => void
}

/**
 * Loads the code once more. A server that answers without having it has another version of the app:
 * then the document is reloaded.
 *
 * @param isAsked "Try again" was pressed
 * @returns the page, or undefined when it still could not be loaded
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

/** False where storage is blocked: the second time would look like the first. */
export function claimReload(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === location.pathname) return false
    sessionStorage.setItem(RELOADED_KEY, location.pathname)
    return true
  } catch {
    return false
  }
}

/** After a page has loaded: the next one that does not may reload by itself again. */
export function resetReload(): void {
  try {
    sessionStorage.removeItem(RELOADED_KEY)
  } catch {
    // Blocked: nothing was stored either.
  }
}
