// Access to the browser's storage that never throws. Reading `localStorage` throws when the browser
// blocks site data, and storage may be missing or full: in these cases nothing is stored.

export type StorageName = 'localStorage' | 'sessionStorage'

export function findStorage(name: StorageName): Storage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : (window[name] ?? undefined)
  } catch {
    return undefined
  }
}

export function findStored(key: string, name: StorageName = 'localStorage'): string | null {
  try {
    return findStorage(name)?.getItem(key) ?? null
  } catch {
    return null
  }
}

/**
 * @param value undefined removes the key
 * @returns whether the storage now has this value
 */
export function store(
  key: string,
  value: string | undefined,
  name: StorageName = 'localStorage',
): boolean {
  try {
    const storage = findStorage(name)
    if (value === undefined) storage?.removeItem(key)
    else storage?.setItem(key, value)
    return storage !== undefined
  } catch {
    return false
  }
}

/** Sets a cookie for the whole site, which the server reads. Sandboxed pages cannot set cookies. */
export function storeCookie(cookie: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
    document.cookie = cookie
  } catch {
    // The choice applies to this page, but is not stored.
  }
}

/** A channel to the other windows of this site. Firefox throws when site data is blocked. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

/** The keys of `localStorage` that begin with this prefix. */
export function findStoredKeys(prefix: string): string[] {
  try {
    return Object.keys(findStorage('localStorage') ?? {}).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}
