// Long comments are cut until somebody wants all of it: a press on the button below, a link in it
// that gets the focus, or a find in the page, which scrolls to what is cut off.

/** Lines of a comment that is shown whole. */
export const WHOLE_COMMENT_LINES = 15

/**
 * Cuts the comments that it has not seen yet. Runs in the head (head-script.ts), without the app,
 * and when the app puts in others.
 *
 * @param lines see {@link WHOLE_COMMENT_LINES}
 */
export function foldComments(lines: number): void {
  const root = document.documentElement
  const setOpen = (text: Element | null | undefined, isOpen: boolean) => {
    text?.classList.toggle('is-cut', !isOpen)
    text?.nextElementSibling?.setAttribute('aria-expanded', String(isOpen))
    if (text) text.scrollTop = 0
  }
  const cut = () => {
    for (const text of document.querySelectorAll<HTMLElement>('.comment__text:not([data-seen])')) {
      text.dataset.seen = ''
      const button = text.nextElementSibling
      if (!(button instanceof HTMLElement) || !button.matches('.comment__unfold')) continue
      const lineHeight = Number.parseFloat(getComputedStyle(text).lineHeight)
      let count = 0
      for (const { offsetHeight } of text.querySelectorAll('p'))
        count += Math.round(offsetHeight / lineHeight)
      button.hidden = count <= lines
      if (!button.hidden) setOpen(text, false)
    }
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', cut, { once: true })
  else cut()
  if ('folds' in root.dataset) return
  root.dataset.folds = ''
  const inside = ({ target }: Event, selector: string) =>
    target instanceof Element ? target.closest(selector) : null
  addEventListener('click', (event) => {
    const button = inside(event, '.comment__unfold')
    if (button) setOpen(button.previousElementSibling, button.ariaExpanded !== 'true')
  })
  addEventListener('focusin', (event) => setOpen(inside(event, '.comment__text.is-cut'), true))
  addEventListener('scroll', (event) => setOpen(inside(event, '.is-cut'), true), true)
}
