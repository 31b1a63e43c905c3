// The dialogs of images, code, links, players, galleries and link cards, loaded when one is opened.

import { PLAIN_CODE } from '#contract/code-languages.ts'
import { CardDialog } from './card-dialog.tsx'
import type { FindPosts } from './card-posts.ts'
import { CodeDialog } from './code-dialog.tsx'
import {
  putCode,
  putImage,
  putLink,
  readCode,
  readImage,
  readLink,
  removeLink,
} from './editor-objects.ts'
import { cardHtml, putPlayer, readPlayer } from './embed-objects.ts'
import { GalleryDialog } from './gallery-dialog.tsx'
import { putGallery, readGallery } from './gallery-objects.ts'
import { ImageDialog } from './image-dialog.tsx'
import { insertBlock } from './insert-block.ts'
import { LinkDialog } from './link-dialog.tsx'
import { MediaDialog } from './media-dialog.tsx'
import type { DialogRequest, ToolDialogProps } from './object-tools.ts'
import type { StoreImage } from './store-image.ts'

const NEW_CODE = { language: PLAIN_CODE, code: '' }

type ObjectDialogProps = ToolDialogProps & {
  request: Exclude<DialogRequest, { kind: 'tool' }>
  storeImage: StoreImage
  findPosts: FindPosts
}

export function ObjectDialog(props: ObjectDialogProps) {
  const { editor, request, storeImage, findPosts, closeAndApply, onClose } = props
  switch (request.kind) {
    case 'image':
      return (
        <ImageDialog
          start={request.existing && readImage(request.existing)}
          storeImage={storeImage}
          onSave={(image) => closeAndApply(() => putImage(editor, image, request.existing))}
          onClose={onClose}
        />
      )
    case 'code':
      return (
        <CodeDialog
          start={request.existing ? readCode(request.existing) : NEW_CODE}
          isChange={request.existing !== undefined}
          onSave={(sample) => closeAndApply(() => putCode(editor, sample, request.existing))}
          onClose={onClose}
        />
      )
    case 'link':
      return (
        <LinkDialog
          start={readLink(editor, request.existing)}
          isChange={request.existing !== undefined}
          onSave={(link) => closeAndApply(() => putLink(editor, link, request.existing))}
          onRemove={() => closeAndApply(() => removeLink(editor, request.existing))}
          onClose={onClose}
        />
      )
    case 'media':
      return (
        <MediaDialog
          start={request.existing && readPlayer(request.existing)}
          onSave={(player) => closeAndApply(() => putPlayer(editor, player, request.existing))}
          onClose={onClose}
        />
      )
    case 'gallery':
      return (
        <GalleryDialog
          start={request.existing && readGallery(request.existing)}
          onSave={(gallery) => closeAndApply(() => putGallery(editor, gallery, request.existing))}
          onClose={onClose}
        />
      )
    case 'card':
      return (
        <CardDialog
          findPosts={findPosts}
          storeImage={storeImage}
          onSave={(post) => closeAndApply(() => insertBlock(editor, cardHtml(editor, post)))}
          onClose={onClose}
        />
      )
  }
}
