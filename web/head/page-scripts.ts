// Small parts of the script in the page's head (head-script.ts), each independent of the others.
// They need no app, and stay when it is there.

/** Runs in the head (head-script.ts). */
export function closeDetails(): void {
  addEventListener('keydown', ({ key }) => {
    const open = key === 'Escape' && document.querySelector<HTMLDetailsElement>('.post-info[open]')
    if (!open) return
    open.open = false
    open.querySelector('summary')?.focus()
  })
}

/** How the keys begin under which the device keeps unsaved texts. */
export const DRAFT_KEY_PREFIX = 'draft/'

/** Runs in the head (head-script.ts). */
export function markStoredDrafts(prefix: string): void {
  try {
    if (Object.keys(localStorage).some((key) => key.startsWith(prefix)))
      document.documentElement.dataset.keptDrafts = ''
  } catch {
    // Storage is forbidden: it keeps none.
  }
}

/** Runs in the head (head-script.ts). `data-share` of <html> shows what is for sharing. */
export function markSharing(): void {
  if ('share' in navigator) document.documentElement.dataset.share = ''
}

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

/**
 * Runs in the head (head-script.ts). With a modifier key the box is a link like any other.
 *
 * @param frame attributes of the player: what it may do, and what it learns of this page
 */
export function loadPlayers(frame: Record<string, string>): void {
  addEventListener(
    'click',
    (event) => {
      const { target, metaKey, ctrlKey, shiftKey, altKey } = event
      const still = target instanceof Element ? target.closest<HTMLElement>('a.still') : null
      const { player, title = '' } = still?.dataset ?? {}
      if (!still || !player || metaKey || ctrlKey || shiftKey || altKey) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const shown = document.createElement('iframe')
      for (const name in frame) shown.setAttribute(name, frame[name] ?? '')
      const address = new URL(player)
      // The press was the wish to see it.
      address.searchParams.set('autoplay', '1')
      Object.assign(shown, { title, src: address.href })
      still.replaceWith(shown)
      shown.focus()
    },
    true,
  )
}

/** As the server writes the frame (threat-model.md §8). */
export const PLAYER_FRAME = {
  sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups',
  referrerpolicy: 'strict-origin-when-cross-origin',
  allow: 'autoplay; fullscreen; picture-in-picture',
}
