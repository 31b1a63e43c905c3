// Replaces each player from another site in a text with a box that loads nothing until it is
// pressed (head/page-scripts.ts). Without scripts, the box is a link to the video. The saved text
// contains the player itself. Works on strings, without a DOM.
import { decodeEntities } from '#contract/plain-text.ts'
import { parseVideo } from '#contract/videos.ts'
import { texts } from '../locales/texts.ts'

const FRAME = /<iframe\b([^<>]*)>[^<]*(?:<\/iframe\s*>)?/gi
const PLAY =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z"/></svg>'
const LINK = `rel="noopener noreferrer" lang="${texts.language}" dir="${texts.direction}"`

/**
 * Returns the HTML with a box in place of every frame.
 *
 * @param html with escaped attributes, as the server and the editor write it
 */
export function deferPlayers(html: string): string {
  return html.replace(FRAME, (_all, attributes: string) => {
    const address = attribute(attributes, 'src')
    const video = parseVideo(decodeEntities(address))
    const title = attribute(attributes, 'title')
    if (!video) return linkTo(address, title)
    const [page, player] = [video.pageUrl, video.playerUrl].map((url) =>
      url.replaceAll('&', '&amp;'),
    )
    const words = texts.player.play(video.service, title ? `<bdi>${title}</bdi>` : '')
    const name = `data-title="${title || texts.player.name}"`
    const [classes, styles] = ['class', 'style'].map((key) => attribute(attributes, key))
    const style = styles ? ` style="${styles}"` : ''
    return `<span class="${['player', classes].filter(Boolean).join(' ')}"${style}><a class="still" href="${page}" data-player="${player}" ${name} ${LINK}><span class="still__disc">${PLAY}</span><span class="still__note">${words}</span></a></span>`
  })
}

/**
 * A link in place of a frame that is not from one of the two services. Only unsaved text has such
 * frames: on saving, the server removes them.
 */
function linkTo(address: string, title: string): string {
  return /^https?:/i.test(address) ? `<a href="${address}" ${LINK}>${title || address}</a>` : ''
}

/** @returns the value, escaped both for use in an attribute and for use as text */
function attribute(attributes: string, name: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(attributes)?.[1] ?? ''
  return value.replaceAll('<', '&lt;')
}
