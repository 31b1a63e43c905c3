// A browser that refuses a site all it could store in it.

/** What the router says when the page is left; some versions of Chromium still show it then. */
export const SCROLL_IS_LOST = /Failed to save scroll positions in sessionStorage/

/** Runs in the page, before anything of it. */
export function blockSiteData(): void {
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'BroadcastChannel'])
    Object.defineProperty(window, name, { get: refuse })
  Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: refuse })
  LockManager.prototype.request = async () => refuse()
  LockManager.prototype.query = async () => refuse()
}
