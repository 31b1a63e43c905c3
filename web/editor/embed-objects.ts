// Inserts and updates players, embeds and link cards. Loaded with their dialogs, and when an
// address is pasted on a line of its own.

import type { Editor } from 'hugerte'
import { parseEmbed } from '#contract/embeds.ts'
import { parseVideo } from '#contract/videos.ts'
import type { CardPost } from './card-posts.ts'
import { EMBED } from './editor-objects.ts'
import { isSiteFile } from './external-media.ts'
import { caretBeside, insertBlock } from './insert-block.ts'
import { objectOf, textOf } from './objects.ts'

export type Player = {
  /** Empty if the player has several sources. */
  address: string
  /** The words above an embed; empty for its address. */
  title: string
}

const PLAYER_ADDRESS = 'data-mce-p-src'
/** The size of a new player. On the page its box is as wide as the text. */
const PLAYER_SIZE = { width: '560', height: '314' }

export function readPlayer(player: HTMLElement): Player {
  if (!player.matches(EMBED))
    return { address: player.getAttribute(PLAYER_ADDRESS) ?? '', title: '' }
  const link = player.querySelector('a')
  const address = link?.getAttribute('data-mce-href') ?? link?.getAttribute('href') ?? ''
  const words = textOf(player).trim()
  return { address, title: words === address ? '' : words }
}

/**
 * Inserts or updates a player or an embed. If the address can be neither, it becomes a link.
 */
export function putPlayer(editor: Editor, { address, title }: Player, existing?: HTMLElement) {
  const video = parseVideo(address)
  editor.undoManager.transact(() => {
    if (video && existing?.dataset.mceObject === 'iframe')
      return editor.dom.setAttrib(existing, PLAYER_ADDRESS, video.playerUrl)
    const object = existing && objectOf(existing)
    if (object) caretBeside(editor, object, false)
    object?.remove()
    insertBlock(editor, playerHtml(editor, { address, title }))
  })
}

/** The block that shows an address as a player, an embed or a link. */
export function playerHtml({ dom }: Editor, { address, title }: Player): string {
  const src = parseVideo(address)?.playerUrl
  if (src !== undefined) {
    const attributes = { src, ...PLAYER_SIZE, allowfullscreen: 'allowfullscreen' }
    return `<p>${dom.createHTML('iframe', attributes, '')}</p>`
  }
  const link = dom.createHTML('a', { href: address }, dom.encode(title || address))
  if (parseEmbed(address)) return `<p class="embed">${link}</p>`
  if (!isSiteFile(address)) return `<p>${link}</p>`
  return `<p>${dom.createHTML('video', { src: address, controls: 'controls', ...PLAYER_SIZE }, '')}</p>`
}

export function cardHtml({ dom }: Editor, { path, title, text, imageAddress }: CardPost): string {
  const image = imageAddress ? dom.createHTML('img', { src: imageAddress, alt: '' }) : ''
  const words = text && `<br><small>${dom.encode(text)}</small>`
  const end = `<br><code>${dom.encode(location.host)}</code>`
  const content = `${image}<strong>${dom.encode(title)}</strong>${words}${end}`
  return `<aside class="link-card">${dom.createHTML('a', { href: path }, content)}</aside>`
}
