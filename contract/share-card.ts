// The card of a post without an image, for other sites that show a link to it (api.md §16.1).
import { SHARE_CARD } from './limits.ts'
import type { PostDocument } from './posts.ts'

/** The fields on which the URL of a card depends. */
export type CardPost = Pick<
  PostDocument,
  '$id' | '$updatedAt' | 'title' | 'userName' | 'userAvatar'
>

/**
 * The path of a post's card from the root of the site. Its last part changes with the content of
 * the card, so that other sites fetch it again; the server looks at the id alone.
 *
 * @param width one of `SHARE_CARD.widths`
 */
export function cardPath(post: CardPost, width: number = SHARE_CARD.width): string {
  const { $id, $updatedAt, title, userName, userAvatar = '' } = post
  const version = digest([$updatedAt, title, userName, userAvatar].join('\n'))
  const name = width === SHARE_CARD.width ? 'card' : `card-${width}`
  return `/post/${$id}/${name}.png?v=${version}`
}

/** Not cryptographic: versions only have to differ. @source FNV-1a, 32 bits */
function digest(text: string): string {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return value.toString(36)
}

/** Begins the ids of covers that the form has drawn: links are shown with the card instead. */
export const DRAWN_COVER_PREFIX = 'drawn-'

/** Whether links to a post with this image are shown with the image; else with the card. */
export function isSharedImage(ownImage: string | undefined): ownImage is string {
  return Boolean(ownImage) && !ownImage?.startsWith(DRAWN_COVER_PREFIX)
}
