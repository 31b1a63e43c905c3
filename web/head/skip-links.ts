// Where a skip link leads, before and after hydration alike: React's own handlers are not there on
// a page whose app has not loaded, and a fragment in the address would be one more entry in the
// history.

/** Runs in the head (head-script.ts), and stays when the app is there. */
export function followSkipLinks(): void {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a.skip-link')
    const place = link && document.querySelector(link.getAttribute('href') ?? '')
    if (!place) return
    event.preventDefault()
    // The place itself, or its first link, or the button that brings back a place that is hidden.
    const targets = [
      place,
      place.querySelector('a'),
      document.querySelector(`[aria-controls="${place.id}"]`),
    ]
    for (const target of targets) {
      if (target instanceof HTMLElement) target.focus()
      if (target === document.activeElement) return
    }
  })
}
