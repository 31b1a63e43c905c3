// The draft of the post form for as long as the form is on screen, and the other drafts that the
// form shows. Knows nothing of saving or of how it looks.

import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import type { Draft } from '../drafts/draft.ts'
import { hiddenDrafts, onDraftDeleted } from '../drafts/drafts.ts'
import {
  type FormDraft,
  findOtherDrafts,
  forgetOldImages,
  keepAgain,
  makeFormDraft,
  writeDraft,
} from './form-draft.ts'

type DraftOptions = {
  post: PostDocument | undefined
  userId: string
  /** The form's values; asked whenever something is to be kept. */
  read: FormDraft['read']
  /** The text is kept on the device. */
  onKept: () => void
}

export function useDraft({ post, userId, read, onKept }: DraftOptions) {
  const [others, changeOthers] = useState<Draft[]>([])
  const [hasNoRoom, setNoRoom] = useState(false)
  const [own] = useState(() => {
    const onWritten = (isKept: boolean) => {
      setNoRoom(!isKept)
      if (isKept) onKept()
    }
    return makeFormDraft({ post, userId, read, onWritten, changeOthers })
  })
  const { get, subscribe } = hiddenDrafts
  const hidden = useSyncExternalStore(subscribe, get, get)

  useEffect(() => {
    own.read = read
  })
  useEffect(() => {
    let isCurrent = true
    void forgetOldImages(own)
    void findOtherDrafts(own).then((found) => {
      if (isCurrent) changeOthers(found)
    })
    return () => {
      isCurrent = false
    }
  }, [own])
  useEffect(() => onDraftDeleted((prefix) => keepAgain(own, prefix)), [own])
  // A layout effect: when the form goes, the editor inside it can still be read.
  useLayoutEffect(() => {
    const handleHide = () => writeDraft(own)
    own.isUnmounted = false
    window.addEventListener('pagehide', handleHide)
    document.addEventListener('visibilitychange', handleHide)
    return () => {
      writeDraft(own)
      own.isUnmounted = true
      own.release()
      window.removeEventListener('pagehide', handleHide)
      document.removeEventListener('visibilitychange', handleHide)
    }
  }, [own])

  return {
    /** The draft of this form. */
    own,
    /** Drafts of earlier openings that nobody has decided about, the newest first. */
    others: others.filter(({ id }) => !hidden.has(id)),
    /** The last text was too much for this browser: it is not kept on the device. */
    hasNoRoom,
  }
}
