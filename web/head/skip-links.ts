// Where a skip link leads, before and after hydration alike: React's own handlers are not there on
// a page whose app has not loaded, and a fragment in the address would be one more entry in the
// history.

/** Runs in the head (head-script.ts), and stays when the app is there. */
export function followSkipLinks(): void {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a.skip-link')
    if (!link) return
    event.preventDefault()
    const place = link.getAttribute('href') ?? ''
    // The end of the page may still be on its way.
    if (document.readyState !== 'loading' || document.querySelector(place)) focusPlace(place)
    else addEventListener('DOMContentLoaded', () => focusPlace(place), { once: true })
  })
  function focusPlace(selector: string) {
    const place = document.querySelector(selector)
    // The place itself, or its first link, or the button that brings back a place that is hidden.
    const targets = [
      place,
      place?.querySelector('a'),
      document.querySelector(`[aria-controls="${selector.slice(1)}"]`),
    ]
    for (const target of targets) {
      if (target instanceof HTMLElement) target.focus()
      if (target && target === document.activeElement) return
    }
  }
}
