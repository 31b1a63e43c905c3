// After a row of a list is gone the focus goes to the next row, else to the heading.
import { type RefObject, useRef } from 'react'

/** @param heading takes the focus when no row is left */
export function useRowFocus(heading: RefObject<HTMLElement | null>) {
  const list = useRef<HTMLUListElement>(null)

  /** @param work takes the row away; answers nothing, or false, when it stays */
  async function focusAfter<Done>(row: string, work: () => Promise<Done>): Promise<Done> {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((one) => one.dataset.row === row)
    const next = rows[at + 1] ?? rows[at - 1]
    const done = await work()
    function focus() {
      // Nothing behind the dialog that asked can have the focus, and closing it moves the focus.
      if (document.querySelector('dialog:modal')) return void requestAnimationFrame(focus)
      const target = next?.isConnected ? next.querySelector<HTMLElement>('a, button') : undefined
      ;(target ?? heading.current)?.focus()
    }
    if (done) requestAnimationFrame(focus)
    return done
  }
  return { list, focusAfter }
}
