// Moves the focus to the title of a page of a list.
import { type RefObject, useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'

/**
 * The shell moves the focus when the path changes; from page to page only the query does.
 *
 * @param isThere whether the title is there yet
 * @returns for the title
 */
export function useTitleFocus(isThere = true): RefObject<HTMLHeadingElement | null> {
  const title = useRef<HTMLHeadingElement>(null)
  const how = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the title is there
  useEffect(() => {
    if (how === 'PUSH' && document.activeElement === document.body)
      title.current?.focus({ preventScroll: true })
  }, [isThere])
  return title
}
