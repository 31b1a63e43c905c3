// Waits for the user's first action, to load then what is large and not needed before.

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin'] as const

/**
 * Calls `action` once: at once if the page has been pressed or typed in before, else at the first
 * movement, press, key or focus, and without any after `waitMs`.
 *
 * @returns gives up waiting
 */
export function onFirstInteraction(action: () => void, waitMs: number): () => void {
  if (navigator.userActivation?.hasBeenActive) {
    action()
    return () => {}
  }
  const listening = new AbortController()
  const stop = () => {
    listening.abort()
    clearTimeout(timer)
  }
  const act = () => {
    stop()
    action()
  }
  const timer = setTimeout(act, waitMs)
  for (const sign of SIGNS) addEventListener(sign, act, { passive: true, signal: listening.signal })
  return stop
}
