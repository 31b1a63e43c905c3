// The dialogs of players, galleries and link cards, loaded when one is opened.

import type { Editor } from 'hugerte'
import { CardDialog } from './card-dialog.tsx'
import type { FindPosts } from './card-posts.ts'
import { cardHtml, putPlayer, readPlayer } from './embed-objects.ts'
import { GalleryDialog } from './gallery-dialog.tsx'
import { putGallery, readGallery } from './gallery-objects.ts'
import { insertBlock } from './insert-block.ts'
import { MediaDialog } from './media-dialog.tsx'
import type { DialogRequest } from './object-tools.ts'
import type { StoreImage } from './store-image.ts'

type ObjectDialogProps = {
  editor: Editor
  request: Extract<DialogRequest, { kind: 'media' | 'gallery' | 'card' }>
  storeImage: StoreImage
  findPosts: FindPosts
  /** Closes the dialog, then changes the text. */
  onApply: (apply: () => void) => void
  onClose: () => void
}

export function ObjectDialog(props: ObjectDialogProps) {
  const { editor, request, storeImage, findPosts, onApply, onClose } = props
  if (request.kind === 'media')
    return (
      <MediaDialog
        start={request.existing && readPlayer(request.existing)}
        onSave={(player) => onApply(() => putPlayer(editor, player, request.existing))}
        onClose={onClose}
      />
    )
  if (request.kind === 'gallery')
    return (
      <GalleryDialog
        start={request.existing && readGallery(request.existing)}
        onSave={(gallery) => onApply(() => putGallery(editor, gallery, request.existing))}
        onClose={onClose}
      />
    )
  return (
    <CardDialog
      findPosts={findPosts}
      storeImage={storeImage}
      onSave={(post) => onApply(() => insertBlock(editor, cardHtml(editor, post)))}
      onClose={onClose}
    />
  )
}
