// Shows the requested dialog of our own, and puts its result into the text.

import type { Editor } from 'hugerte'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { PLAIN_CODE } from '#contract/code-languages.ts'
import { LazyPart } from '../ui/lazy-part.tsx'
import type { FindPosts } from './card-posts.ts'
import { CodeDialog } from './code-dialog.tsx'
import {
  type BodyImage,
  putCode,
  putImage,
  putLink,
  readCode,
  readImage,
  readLink,
  removeLink,
} from './editor-objects.ts'
import { ImageDialog } from './image-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import type { DialogRequest } from './object-tools.ts'
import type { StoreImage } from './store-image.ts'

const NEW_CODE = { language: PLAIN_CODE, code: '' }

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
  if (request.kind === 'tool')
    return (
      <LazyPart
        load={async () => (await import('./tool-dialogs.tsx')).TOOL_DIALOGS[request.name]}
        props={{ editor, closeAndApply, onClose }}
        onFailed={onClose}
      />
    )
  if (request.kind === 'image')
    return (
      <ImageDialog
        start={request.existing && readImage(request.existing)}
        storeImage={storeImage}
        onSave={(image: BodyImage) =>
          closeAndApply(() => putImage(editor, image, request.existing))
        }
        onClose={onClose}
      />
    )
  if (request.kind === 'code')
    return (
      <CodeDialog
        start={request.existing ? readCode(request.existing) : NEW_CODE}
        isChange={request.existing !== undefined}
        onSave={(sample) => closeAndApply(() => putCode(editor, sample, request.existing))}
        onClose={onClose}
      />
    )
  if (request.kind !== 'link')
    return (
      <LazyPart
        load={async () => (await import('./object-dialogs.tsx')).ObjectDialog}
        props={{ editor, request, storeImage, findPosts, onApply: closeAndApply, onClose }}
        onFailed={onClose}
      />
    )
  return (
    <LinkDialog
      start={readLink(editor, request.existing)}
      isChange={request.existing !== undefined}
      onSave={(link) => closeAndApply(() => putLink(editor, link, request.existing))}
      onRemove={() => closeAndApply(() => removeLink(editor, request.existing))}
      onClose={onClose}
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
