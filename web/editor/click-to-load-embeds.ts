// Replaces each embed of a text with a box that says what it is and loads nothing until its button
// is pressed (reading/load-embed.ts). Without scripts, the box is a link. Works on strings, without
// a DOM, on HTML that the server has cleaned.
import { type Embed, parseEmbed } from '#contract/embeds.ts'
import { EMBED_FRAME_PATH } from '#contract/pages.ts'
import { decodeEntities } from '#contract/plain-text.ts'
import { texts } from '../locales/texts.ts'

const EMBED = /<p class="embed"><a href="([^"<>]*)"[^<>]*>([^<>]*)<\/a><\/p>/g

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
  const language = `lang="${texts.language}" dir="${texts.direction}"`
  const button = `<button class="btn btn--secondary" type="button" data-frame="${frame}" data-host="${host}">${words.load[kind]}</button>`
  const link = `<a class="btn btn--ghost" href="${address}" rel="noopener noreferrer">${words.open}</a>`
  return `<div class="embed embed--${kind}" ${language}><p><b>${heading}</b></p><p class="quiet">${words.note(host)}</p><div class="row">${button}${link}</div></div>`
}
