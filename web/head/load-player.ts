// A video of another site loads when its box is pressed (ui/still-players.ts), with or without the
// app: the listener is in the head, and the text is the same before and after hydration.

/**
 * Runs in the head (head-script.ts), before the part that keeps presses. With a modifier key the
 * box is a link like any other.
 *
 * @param frame attributes of the player: what it may do, and what it learns of this page
 */
export function loadPlayers(frame: Record<string, string>): void {
  function handleClick(event: MouseEvent) {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event
    const still = target instanceof Element ? target.closest<HTMLElement>('a.still') : null
    const { player, title = '' } = still?.dataset ?? {}
    if (!still || !player || button || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const shown = document.createElement('iframe')
    for (const name in frame) shown.setAttribute(name, frame[name] ?? '')
    // The press was the wish to see it.
    Object.assign(shown, { title, src: `${player}?autoplay=1` })
    still.replaceWith(shown)
    shown.focus()
  }
  addEventListener('click', handleClick, true)
}

/** As the server writes the frame (threat-model.md §8). */
export const PLAYER_FRAME = {
  sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups',
  referrerpolicy: 'strict-origin-when-cross-origin',
  allow: 'autoplay; fullscreen; picture-in-picture',
}
