// What the inserter and the menus call to add an object to the text: each opens its dialog, or
// changes the object at the cursor.

import type { Editor } from 'hugerte'

export const OPEN_MEDIA = 'mceMedia'
export const OPEN_GALLERY = 'openGallery'
export const OPEN_LINK_CARD = 'openLinkCard'

/** Several pictures at once, uploaded and put into a gallery. */
export function insertGallery(editor: Editor): void {
  editor.execCommand(OPEN_GALLERY)
}

/** A video, sound, post or code sample of another site, or a video or sound of this blog. */
export function insertEmbed(editor: Editor): void {
  editor.execCommand(OPEN_MEDIA)
}

/** A card of a post of this blog, found by its title or its address. */
export function insertLinkCard(editor: Editor): void {
  editor.execCommand(OPEN_LINK_CARD)
}
