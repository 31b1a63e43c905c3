// Formats dates before the app runs: in the reader's time zone, which the server does not know, and
// in the language that the reader chose, or else the browser's.

/** The format of every date, in this script and in the app. */
export const DATE_FORMAT = { day: 'numeric', month: 'short', year: 'numeric' } as const
/** The same with the time of day (`data-date="time"`). */
export const TIME_FORMAT = { ...DATE_FORMAT, hour: '2-digit', minute: '2-digit' } as const

/** The key under which a device stores the language chosen for dates. */
export const DATE_LANGUAGE_KEY = 'dateLanguage'

/**
 * Runs in the head (head-script.ts). Rewrites each date while the browser parses the page, before
 * it is painted, so that nothing moves; from then on the app renders dates.
 */
export function showLocalDates(
  date: Intl.DateTimeFormatOptions,
  dateAndTime: Intl.DateTimeFormatOptions,
  languageKey: string,
): void {
  // Created when first needed: each takes milliseconds on a phone, before the first paint.
  const formats: Record<string, Intl.DateTimeFormat> = {}
  const observer = new MutationObserver(show)
  /** Dates before this index are formatted already: a page with many comments has hundreds. */
  let nextIndex = 0
  function makeFormat(options: Intl.DateTimeFormatOptions) {
    try {
      const language = localStorage.getItem(languageKey) ?? undefined
      return new Intl.DateTimeFormat(language, options)
    } catch {
      // Storage is blocked, or its value is not a language.
      return new Intl.DateTimeFormat(undefined, options)
    }
  }
  function show() {
    const times = document.querySelectorAll('time')
    for (let index = nextIndex; index < times.length; index++) {
      const time = times[index]
      const kind = time?.dataset.date
      if (!time || kind === undefined) continue
      formats[kind] ??= makeFormat(kind ? dateAndTime : date)
      const text = formats[kind].format(new Date(time.dateTime))
      if (time.textContent !== text) time.textContent = text
    }
    // The text of the last element may not be parsed yet.
    nextIndex = Math.max(0, times.length - 1)
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
