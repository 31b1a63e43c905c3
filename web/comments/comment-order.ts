// The order of comments that the reader chose. It is stored on the device; the server does not know
// it.
import { useEffect, useState } from 'react'
import { COMMENT_ORDERS, type CommentOrder } from '#contract/comments.ts'
import { findStored, store } from '../head/device-storage.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'

const ORDER_KEY = 'commentOrder'

function findOrder(): CommentOrder {
  const stored = findStored(ORDER_KEY)
  return COMMENT_ORDERS.find((order) => order === stored) ?? 'oldest'
}

/**
 * The server renders the oldest comments first. If the comments are already on the screen, they
 * stay in that order.
 *
 * @param sectionId id of the element that holds the comments
 */
export function useCommentOrder(
  sectionId: string,
): [order: CommentOrder, choose: (order: CommentOrder) => void] {
  const isHydrated = useIsHydrated()
  const [order, setOrder] = useState(() => (isHydrated ? findOrder() : 'oldest'))
  useEffect(() => {
    const section = document.getElementById(sectionId)
    if (section && section.getBoundingClientRect().top > window.innerHeight) setOrder(findOrder())
  }, [sectionId])
  return [
    order,
    (chosen) => {
      store(ORDER_KEY, chosen)
      setOrder(chosen)
    },
  ]
}
