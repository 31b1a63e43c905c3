// Shows the requested dialog of our own, and puts its result into the text.

import type { Editor } from 'hugerte'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { LazyPart } from '../ui/lazy-part.tsx'
import type { FindPosts } from './card-posts.ts'
import type { DialogRequest } from './object-tools.ts'
import type { StoreImage } from './store-image.ts'

type EditorDialogsProps = {
  editor: Editor
  request: DialogRequest
  storeImage: StoreImage
  findPosts: FindPosts
  onClose: () => void
}

export function EditorDialogs(props: EditorDialogsProps) {
  const { editor, request, storeImage, findPosts, onClose } = props
  useFocusBack(editor)
  /**
   * Closes the dialog, which returns the focus to its opener, and then focuses the text, because
   * the selection can only be changed with the focus there. Synchronous, so that the next key is
   * typed after the inserted object.
   */
  function closeAndApply(apply: () => void) {
    queueMicrotask(() => {
      flushSync(onClose)
      if (editor.removed) return
      editor.focus()
      apply()
    })
  }
  return request.kind === 'tool' ? (
    <LazyPart
      load={async () => (await import('./tool-dialogs.tsx')).TOOL_DIALOGS[request.name]}
      props={{ editor, closeAndApply, onClose }}
      onFailed={onClose}
    />
  ) : (
    <LazyPart
      load={async () => (await import('./object-dialogs.tsx')).ObjectDialog}
      props={{ editor, request, storeImage, findPosts, closeAndApply, onClose }}
      onFailed={onClose}
    />
  )
}

/** Returns the focus to the text if the dialog was opened from the text or from a menu. */
function useFocusBack(editor: Editor): void {
  const opener = useRef(document.activeElement)
  useEffect(
    () => () => {
      const isTool = opener.current?.isConnected && opener.current.closest('[role=toolbar]')
      if (!isTool && !editor.removed) editor.focus()
    },
    [editor],
  )
}
