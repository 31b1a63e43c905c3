// A browser that refuses a site all it could store in it.

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
