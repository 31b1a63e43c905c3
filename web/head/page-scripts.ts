// Small parts of the script in the page's head (head-script.ts), each independent of the others.
// They work without the app, and stay active with it.

/** Runs in the head (head-script.ts). */
export function closeDetailsOnEscape(): void {
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    const details = document.querySelector<HTMLDetailsElement>('.post-info[open]')
    if (!details) return
    details.open = false
    details.querySelector('summary')?.focus()
  })
}

/** The prefix of the keys under which the device stores drafts. */
export const DRAFT_KEY_PREFIX = 'draft/'

/** Runs in the head (head-script.ts). Says which kinds of data the device stores. */
export function markStored(draftPrefix: string, embedPrefix: string): void {
  const { dataset } = document.documentElement
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(draftPrefix)) dataset.storedDrafts = ''
      if (key.startsWith(embedPrefix)) dataset.embeds = ''
    }
  } catch {
    // Storage is blocked: nothing is stored.
  }
}

/** Runs in the head (head-script.ts). With `data-share` on <html>, share buttons are shown. */
export function markSharing(): void {
  if ('share' in navigator) document.documentElement.dataset.share = ''
}

/** Runs in the head (head-script.ts); its listener stays after hydration. */
export function followSkipLinks(): void {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a.skip-link')
    if (!link) return
    event.preventDefault()
    const hash = link.getAttribute('href') ?? ''
    // The target may not be parsed yet.
    if (document.readyState !== 'loading' || document.querySelector(hash)) focusTarget(hash)
    else addEventListener('DOMContentLoaded', () => focusTarget(hash), { once: true })
  })
  function focusTarget(selector: string) {
    const section = document.querySelector(selector)
    // The section itself, its first link, or the button that shows it when it is hidden.
    const targets = [
      section,
      section?.querySelector('a'),
      document.querySelector(`[aria-controls="${selector.slice(1)}"]`),
    ]
    for (const target of targets) {
      if (target instanceof HTMLElement) target.focus()
      if (target && target === document.activeElement) return
    }
  }
}

/**
 * Runs in the head (head-script.ts). Replaces the box of a video with its player when the user
 * presses the box. A picture opens in the lightbox and an embed loads once the app runs
 * (reading/use-media.tsx). With a modifier key each is a link like any other.
 *
 * @param frame attributes of the player's iframe: its permissions and its referrer policy
 * @param pressName of the event for the app
 */
export function handleMediaPresses(frame: Record<string, string>, pressName: string): void {
  addEventListener(
    'click',
    (event) => {
      const { target, metaKey, ctrlKey, shiftKey, altKey } = event
      const pressed =
        target instanceof Element
          ? target.closest<HTMLElement>('a[data-player],a.zoom[href],[data-frame]')
          : null
      if (!pressed || metaKey || ctrlKey || shiftKey || altKey) return
      event.preventDefault()
      const { player, title = '' } = pressed.dataset
      if (!player) {
        window.pressedMedia = pressed
        dispatchEvent(new Event(pressName))
        return
      }
      event.stopImmediatePropagation()
      const iframe = document.createElement('iframe')
      for (const name in frame) iframe.setAttribute(name, frame[name] ?? '')
      const address = new URL(player)
      // Pressing the preview means "play".
      address.searchParams.set('autoplay', '1')
      Object.assign(iframe, { title, src: address.href })
      pressed.replaceWith(iframe)
      iframe.focus()
    },
    true,
  )
}

/** The same attributes as on the iframes that the server renders (threat-model.md §8). */
export const PLAYER_FRAME = {
  sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups',
  referrerpolicy: 'strict-origin-when-cross-origin',
  allow: 'autoplay; fullscreen; picture-in-picture',
}

declare global {
  interface Window {
    /** A picture or the button of an embed that was pressed and waits for the app. */
    pressedMedia?: HTMLElement | undefined
  }
}

/** The prefix of the keys under which the device stores how often embeds of a site were loaded. */
export const EMBED_KEY_PREFIX = 'embed/'

/** Dispatched on the window after each press of a picture or of the button of an embed. */
export const MEDIA_PRESS = 'mediapress'
