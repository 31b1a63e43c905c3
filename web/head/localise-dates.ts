// Dates on a page whose app is not running yet: in the reader's own language, or the one they
// chose, and time zone, which the server does not know.

/** How every date is written, by this script and by the app. */
export const DATE_FORMAT = { day: 'numeric', month: 'short', year: 'numeric' } as const
/** The same with the time of day (`data-date="time"`). */
export const TIME_FORMAT = { ...DATE_FORMAT, hour: '2-digit', minute: '2-digit' } as const

/** Where a device keeps the language that its reader chose for dates. */
export const DATE_LANGUAGE_KEY = 'dateLanguage'

/**
 * Runs in the head (head-script.ts). Rewrites each date while the page is still being parsed,
 * before it is painted, so that nothing moves; after that dates belong to the app.
 */
export function showLocalDates(
  date: Intl.DateTimeFormatOptions,
  dateAndTime: Intl.DateTimeFormatOptions,
  languageKey: string,
): void {
  // Made when first needed: each takes a phone milliseconds before the first paint.
  const formats: Record<string, Intl.DateTimeFormat> = {}
  const observer = new MutationObserver(show)
  /** What is before it is done: a page with many comments has hundreds. */
  let from = 0
  function makeFormat(options: Intl.DateTimeFormatOptions) {
    try {
      const language = localStorage.getItem(languageKey) ?? undefined
      return new Intl.DateTimeFormat(language, options)
    } catch {
      // Storage is forbidden, or holds no language.
      return new Intl.DateTimeFormat(undefined, options)
    }
  }
  function show() {
    const times = document.querySelectorAll('time')
    for (let at = from; at < times.length; at++) {
      const time = times[at]
      const kind = time?.dataset.date
      if (!time || kind === undefined) continue
      formats[kind] ??= makeFormat(kind ? dateAndTime : date)
      const text = formats[kind].format(new Date(time.dateTime))
      if (time.textContent !== text) time.textContent = text
    }
    // The text of the last one may still be on its way.
    from = Math.max(0, times.length - 1)
  }
  document.addEventListener(
    'readystatechange',
    () => {
      show()
      observer.disconnect()
    },
    { once: true },
  )
  observer.observe(document, { childList: true, subtree: true })
}
