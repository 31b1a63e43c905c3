// The sheets and fonts of a page that is painted without them (decision 0051): at once where they
// cost no time, and behind the page's image where they would hold it up.

/** Of the element that holds the links. */
export const LATER_LINKS_ID = 'later-links'
/** Event of the window: the app is wanted, and with it every rule. */
export const APP_WANTED = 'app-wanted'

export const LATER_LINKS = {
  id: LATER_LINKS_ID,
  appWanted: APP_WANTED,
  /** Where a device keeps which sheets it has had. */
  hadKey: 'sheets',
  /** A line on which the page was asked for no longer ago has the sheets soon, too. */
  quickMs: 150,
}

/**
 * Runs in the head (head-script.ts), behind the <noscript> with the links, which works by itself
 * where there are no scripts. Links that come at once hold up the first paint, so that no font
 * changes under the reader's eyes. A sheet that did not come is asked for again with the app.
 */
export function bringLinks({ id, appWanted, hadKey, quickMs }: typeof LATER_LINKS): void {
  const place = document.getElementById(id)
  const links = place?.textContent ?? ''
  const [sheet = ''] = /[^"]+\.css/.exec(links) ?? []
  if (!place || !sheet) return
  function bring() {
    removeEventListener('load', bring)
    removeEventListener(appWanted, bring)
    place?.insertAdjacentHTML('afterend', links)
    const link = document.querySelector('link[rel=stylesheet]')
    link?.addEventListener('load', () => stored((kept) => kept.setItem(hadKey, sheet)))
    link?.addEventListener('error', () => {
      link.remove()
      addEventListener(appWanted, bring)
    })
  }
  function stored<Value>(use: (kept: Storage) => Value): Value | undefined {
    try {
      return use(localStorage)
    } catch {
      // Storage is forbidden or full: the line decides.
      return undefined
    }
  }
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isQuick = page && performance.now() - page.requestStart <= quickMs
  if (isQuick || stored((kept) => kept.getItem(hadKey)) === sheet) bring()
  else {
    addEventListener('load', bring)
    addEventListener(appWanted, bring)
  }
}
