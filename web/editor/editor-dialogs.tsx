// Our own dialogs of the editor: the one that was asked for is open, and its answer goes into the
// text.

import type { Editor } from 'hugerte'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { PLAIN_CODE } from '#contract/code-languages.ts'
import { CodeDialog } from './code-dialog.tsx'
import {
  type BodyImage,
  putCode,
  putImage,
  putLink,
  putPlayer,
  readCode,
  readImage,
  readLink,
  readPlayer,
  removeLink,
} from './editor-objects.ts'
import { ImageDialog } from './image-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { MediaDialog } from './media-dialog.tsx'
import type { DialogRequest } from './object-tools.ts'
import type { StoreImage } from './store-image.ts'

const NEW_CODE = { language: PLAIN_CODE, code: '' }

type EditorDialogsProps = {
  editor: Editor
  asked: DialogRequest
  storeImage: StoreImage
  onClose: () => void
}

export function EditorDialogs({ editor, asked, storeImage, onClose }: EditorDialogsProps) {
  useFocusBack(editor)
  /**
   * The dialog closes first, and gives the focus back to its opener: the selection of the text is
   * worked on with the focus in it. Before the next key, which belongs behind what is put in.
   */
  function answer(put: () => void) {
    queueMicrotask(() => {
      flushSync(onClose)
      if (editor.removed) return
      editor.focus()
      put()
    })
  }
  if (asked.kind === 'image')
    return (
      <ImageDialog
        start={asked.changed && readImage(asked.changed)}
        storeImage={storeImage}
        onSave={(image: BodyImage) => answer(() => putImage(editor, image, asked.changed))}
        onClose={onClose}
      />
    )
  if (asked.kind === 'code')
    return (
      <CodeDialog
        start={asked.changed ? readCode(asked.changed) : NEW_CODE}
        isChange={asked.changed !== undefined}
        onSave={(sample) => answer(() => putCode(editor, sample, asked.changed))}
        onClose={onClose}
      />
    )
  if (asked.kind === 'media')
    return (
      <MediaDialog
        start={asked.changed ? readPlayer(asked.changed) : ''}
        onSave={(address) => answer(() => putPlayer(editor, address, asked.changed))}
        onClose={onClose}
      />
    )
  return (
    <LinkDialog
      start={readLink(editor, asked.changed)}
      isChange={asked.changed !== undefined}
      onSave={(link) => answer(() => putLink(editor, link, asked.changed))}
      onRemove={() => answer(() => removeLink(editor, asked.changed))}
      onClose={onClose}
    />
  )
}

/** The text has the focus again if it had it before, or if it was a menu's, which is gone. */
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
