// The fonts of a page that is painted without them (decision 0051): at once where they cost no
// time, and behind the page's image where they would hold it up.

/** A file with the descriptors of its face, as `FontFace` takes them. */
export type DeferredFont = [href: string, style: string, weight: string, unicodeRange: string]

/** Of the element that holds a list of {@link DeferredFont}. */
export const DEFERRED_FONTS_ID = 'later-fonts'

export const DEFERRED_FONTS = {
  id: DEFERRED_FONTS_ID,
  /** Names of fonts are the same in lower case. */
  family: 'literata variable',
  /** Where a device keeps which fonts it has had. */
  hadKey: 'fonts',
  /** A line on which the page was asked for no longer ago has the fonts soon, too. */
  quickMs: 150,
}

/**
 * Runs in the head (head-script.ts). Fonts that come at once are for this page; those that come
 * behind the image only fill the cache for the next one, so that nothing changes under the reader's
 * eyes.
 */
export function loadDeferredFonts({ id, family, hadKey, quickMs }: typeof DEFERRED_FONTS): void {
  const text = document.getElementById(id)?.textContent
  if (!text) return
  const fonts: DeferredFont[] = JSON.parse(text)
  const names = fonts.map(([href]) => href).join()
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isQuick = page && performance.now() - page.requestStart <= quickMs
  if (isQuick || stored((kept) => kept.getItem(hadKey)) === names) bring(true)
  else addEventListener('load', () => bring(false))

  function bring(isForThisPage: boolean) {
    const loads = fonts.map(([href, style, weight, unicodeRange]) => {
      const how: FontFaceDescriptors = { style, weight, unicodeRange, display: 'optional' }
      const face = new FontFace(family, `url(${href})`, how)
      if (isForThisPage) {
        document.fonts.add(face)
        // The first paint waits a moment for fonts that are named so.
        const preload = { rel: 'preload', as: 'font', crossOrigin: 'anonymous', href }
        const link = Object.assign(document.createElement('link'), preload)
        link.fetchPriority = 'low'
        document.head.append(link)
      }
      return face.load()
    })
    Promise.all(loads).then(
      () => stored((kept) => kept.setItem(hadKey, names)),
      // The fallback stays.
      () => undefined,
    )
  }
  function stored<Value>(use: (kept: Storage) => Value): Value | undefined {
    try {
      return use(localStorage)
    } catch {
      // Storage is forbidden or full: the line decides.
      return undefined
    }
  }
}
