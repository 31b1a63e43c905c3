// Folds long comments. They unfold when the button below is pressed, when a link in them gets the
// focus, and when the browser's search scrolls to a hidden line.

/** Comments with at most this many lines are not folded. */
export const WHOLE_COMMENT_LINES = 15
/** Id of the template button: a copy of it is placed below each folded comment. */
export const UNFOLD_BUTTON_ID = 'unfold-comment'

declare global {
  interface Window {
    /** Folds new comments: the app calls it after adding some. */
    foldComments?: () => void
  }
}

/**
 * Runs in the head (head-script.ts); its listeners stay after hydration.
 *
 * @param lines see {@link WHOLE_COMMENT_LINES}
 * @param buttonId see {@link UNFOLD_BUTTON_ID}
 */
export function foldComments(lines: number, buttonId: string): void {
  const setOpen = (text: Element | null | undefined, isOpen: boolean) => {
    text?.classList.toggle('is-cut', !isOpen)
    text?.nextElementSibling?.setAttribute('aria-expanded', String(isOpen))
    if (text) text.scrollTop = 0
  }
  window.foldComments = () => {
    const newTexts = '.comment__body > .comment__text:not([data-seen])'
    for (const text of document.querySelectorAll<HTMLElement>(newTexts)) {
      text.dataset.seen = ''
      const lineHeight = Number.parseFloat(getComputedStyle(text).lineHeight)
      let count = 0
      for (const { offsetHeight } of text.querySelectorAll('p'))
        count += Math.round(offsetHeight / lineHeight)
      const button = document.getElementById(buttonId)?.cloneNode(true)
      if (count <= lines || !(button instanceof HTMLElement)) continue
      button.removeAttribute('id')
      button.hidden = false
      text.after(button)
      setOpen(text, false)
    }
  }
  addEventListener('DOMContentLoaded', window.foldComments)
  const closestTo = ({ target }: Event, selector: string) =>
    target instanceof Element ? target.closest(selector) : null
  addEventListener('click', (event) => {
    const button = closestTo(event, '.comment__unfold')
    if (button) setOpen(button.previousElementSibling, button.ariaExpanded !== 'true')
  })
  for (const type of ['focusin', 'scroll'])
    addEventListener(type, (event) => setOpen(closestTo(event, '.is-cut'), true), true)
}
