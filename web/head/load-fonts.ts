// Loads the fonts of a page whose first paint does not need them (decision 0051): at once if that
// costs no time, otherwise after the page's image, which they would delay.

/** A font file with its descriptors for `FontFace`. */
export type DeferredFont = [href: string, style: string, weight: string, unicodeRange: string]

/** Id of the element that holds a list of {@link DeferredFont} as JSON. */
export const DEFERRED_FONTS_ID = 'deferred-fonts'

export const DEFERRED_FONTS = {
  id: DEFERRED_FONTS_ID,
  /** Font names are case-insensitive. */
  family: 'literata variable',
  /** The key under which the device stores the addresses of the fonts that it has loaded. */
  loadedKey: 'fonts',
  /** A connection that delivers the page within this time also delivers the fonts soon. */
  fastMs: 150,
}

/**
 * Runs in the head (head-script.ts). Fonts that are loaded at once are used on this page; later
 * ones only fill the cache for the next page, so that the text does not change while it is read.
 */
export function loadDeferredFonts({ id, family, loadedKey, fastMs }: typeof DEFERRED_FONTS): void {
  const text = document.getElementById(id)?.textContent
  if (!text) return
  const fonts: DeferredFont[] = JSON.parse(text)
  const names = fonts.map(([href]) => href).join()
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isFast = page && performance.now() - page.requestStart <= fastMs
  if (isFast || withStorage((storage) => storage.getItem(loadedKey)) === names) load(true)
  else addEventListener('load', () => load(false))

  function load(isForThisPage: boolean) {
    const loads = fonts.map(([href, style, weight, unicodeRange]) => {
      const descriptors: FontFaceDescriptors = { style, weight, unicodeRange, display: 'optional' }
      const face = new FontFace(family, `url(${href})`, descriptors)
      if (isForThisPage) {
        document.fonts.add(face)
        // The first paint waits a moment for preloaded fonts.
        const preload = { rel: 'preload', as: 'font', crossOrigin: 'anonymous', href }
        const link = Object.assign(document.createElement('link'), preload)
        link.fetchPriority = 'low'
        document.head.append(link)
      }
      return face.load()
    })
    Promise.all(loads).then(
      () => withStorage((storage) => storage.setItem(loadedKey, names)),
      // The fallback font stays.
      () => undefined,
    )
  }
  function withStorage<Value>(use: (storage: Storage) => Value): Value | undefined {
    try {
      return use(localStorage)
    } catch {
      // Storage is blocked or full: the speed of the connection decides.
      return undefined
    }
  }
}
