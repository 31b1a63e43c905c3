// Waits for the user's first action, for code that is large and not needed before it.

const INTERACTION_EVENTS = [
  'pointermove',
  'pointerdown',
  'keydown',
  'wheel',
  'touchstart',
  'focusin',
] as const

/**
 * Calls `action` once: immediately if the user has already pressed something or typed in the page,
 * otherwise at the first movement, press, key or focus, or at the latest after `waitMs`.
 *
 * @returns a function that stops waiting
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
  for (const type of INTERACTION_EVENTS)
    addEventListener(type, act, { passive: true, signal: listening.signal })
  return stop
}
