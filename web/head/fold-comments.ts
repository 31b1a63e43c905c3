// Long comments are cut until somebody wants all of it: a press on the button below, a link in it
// that gets the focus, or a find in the page, which scrolls to what is cut off.

/** Lines of a comment that is shown whole. */
export const WHOLE_COMMENT_LINES = 15
/** Id of the button that is copied below each longer one. */
export const UNFOLD_BUTTON_ID = 'unfold-comment'

declare global {
  interface Window {
    /** Cuts the comments that it has not seen yet: the app calls it when it has put in others. */
    foldComments?: () => void
  }
}

/**
 * Runs in the head (head-script.ts), and stays when the app is there.
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
    const unseen = '.comment__body > .comment__text:not([data-seen])'
    for (const text of document.querySelectorAll<HTMLElement>(unseen)) {
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
  const inside = ({ target }: Event, selector: string) =>
    target instanceof Element ? target.closest(selector) : null
  addEventListener('click', (event) => {
    const button = inside(event, '.comment__unfold')
    if (button) setOpen(button.previousElementSibling, button.ariaExpanded !== 'true')
  })
  for (const sign of ['focusin', 'scroll'])
    addEventListener(sign, (event) => setOpen(inside(event, '.is-cut'), true), true)
}
