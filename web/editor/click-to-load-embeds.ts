// Replaces each embed of a text with a box that says what it is and loads nothing until its button
// is pressed (reading/load-embed.ts). Without scripts, the box is a link. Works on strings, without
// a DOM, on HTML that the server has cleaned.
import { type Embed, parseEmbed } from '#contract/embeds.ts'
import { EMBED_FRAME_PATH } from '#contract/pages.ts'
import { decodeEntities } from '#contract/plain-text.ts'
import { texts } from '../locales/texts.ts'

const EMBED = /<p class="embed"><a href="([^"<>]*)"[^<>]*>([^<>]*)<\/a><\/p>/g
const icon = (path: string) =>
  `<svg class="icon icon--small" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`
const PLAY = icon(
  'M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z',
)
const OPEN = icon('M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6')

export function deferEmbeds(html: string): string {
  return html.replace(EMBED, (all, escaped: string, title: string) => {
    const embed = parseEmbed(decodeEntities(escaped))
    return embed ? box(embed, { address: escaped, title: title === escaped ? '' : title }) : all
  })
}

function box(
  { service, kind, host }: Embed,
  { address, title }: Record<'address' | 'title', string>,
) {
  const words = texts.embed
  const heading = title ? `<bdi>${title}</bdi>` : words.title(kind, service)
  const frame = `${EMBED_FRAME_PATH}?url=${encodeURIComponent(decodeEntities(address))}`
  const sign = kind === 'video' || kind === 'sound' ? PLAY : ''
  const language = `lang="${texts.language}" dir="${texts.direction}"`
  const button = `<button class="btn btn--secondary" type="button" data-frame="${frame}" data-host="${host}">${sign}${words.load[kind]}</button>`
  const link = `<a class="btn btn--ghost" href="${address}" rel="noopener noreferrer">${OPEN}${words.open}</a>`
  return `<div class="embed embed--${kind}" ${language}><p><b>${heading}</b></p><p class="quiet">${words.note(host)}</p><div class="row">${button}${link}</div></div>`
}
