// The commands that open the dialogs of players and embeds, galleries and link cards.

export const OPEN_MEDIA = 'mceMedia'
export const OPEN_GALLERY = 'openGallery'
export const OPEN_LINK_CARD = 'openLinkCard'
