// Dates on a page whose app is not running yet: in the reader's own language and time zone, which
// the server does not know.

/** How every date is written, by this script and by the app. */
export const DATE_FORMAT = { day: 'numeric', month: 'short', year: 'numeric' } as const

/**
 * Runs in the head (head-script.ts). Rewrites each date while the page is still being parsed,
 * before it is painted, so that nothing moves; after that dates belong to the app.
 */
export function showLocalDates(options: Intl.DateTimeFormatOptions): void {
  const format = new Intl.DateTimeFormat(undefined, options)
  const observer = new MutationObserver(show)
  function show() {
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-date]')) {
      const text = format.format(new Date(time.dateTime))
      if (time.textContent !== text) time.textContent = text
    }
  }
  function finish() {
    show()
    observer.disconnect()
  }
  document.addEventListener('readystatechange', finish, { once: true })
  observer.observe(document, { childList: true, subtree: true })
}
