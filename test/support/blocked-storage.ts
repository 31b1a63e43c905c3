// A browser that blocks all storage of a site.

/** The router's warning when a page is left; some versions of Chromium still log it then. */
export const SCROLL_IS_LOST = /Failed to save scroll positions in sessionStorage/

/** Runs in the page before its own scripts. */
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
