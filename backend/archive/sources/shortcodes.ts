// Shortcodes: what WordPress, Hugo and Jekyll write in brackets for a player, a picture and the
// like.
import { embedHtml } from './convert-pictures.ts'
import { attributesOf, escapeText } from './html-nodes.ts'
import type { SourcePicture } from './source.ts'

/** An address; a value with its name; one alone. */
const VALUE =
  /((?:https?:)?\/\/[^\s"'|]+)|([\w-]{1,60})(?:\s*=\s*|:)(?:"([^"]*)"|'([^']*)'|([^\s"'`]+))|"([^"]*)"|([^\s"'=]+)/g
/** Of an address, or of an id at a service with this name. */
const ADDRESSED =
  /^(?:embed|youtube|vimeo|googlemaps|tweet|twitter|x|gist|soundcloud|spotify|ted|instagram|facebook|dailymotion|codepen|slideshare|videopress|wpvideo)$/
const SERVICES: Readonly<Record<string, string>> = {
  youtube: 'https://www.youtube.com/watch?v=',
  vimeo: 'https://vimeo.com/',
  gist: 'https://gist.github.com/',
}

/** The values by their names; those without a name by their position, counted from 0. */
export function readShortcode(text: string): Map<string, string> {
  const values = new Map<string, string>()
  let position = 0
  for (const [, address, name, quoted, single, bare, alone, word] of text.matchAll(VALUE)) {
    const value = address ?? quoted ?? single ?? bare ?? alone ?? word ?? ''
    const key = name?.toLowerCase() ?? String(position++)
    if (!values.has(key)) values.set(key, value)
  }
  return values
}

/** @returns undefined when the shortcode does not name an object of another site */
export function embedShortcode(name: string, values: Map<string, string>): string | undefined {
  if (!ADDRESSED.test(name)) return undefined
  const valueAt = (...keys: string[]) => keys.map((key) => values.get(key)).find(Boolean) ?? ''
  const id = valueAt('url', 'src', 'id', '0').replaceAll('&amp;', '&')
  if (/^(?:https?:)?\/\//.test(id)) return embedBlock(id)
  if (/^(?:tweet|twitter|x)$/.test(name))
    return /^\d+$/.test(id)
      ? embedBlock(`https://x.com/${valueAt('user') || 'i'}/status/${id}`)
      : undefined
  const site = SERVICES[name]
  if (site === undefined || id === '') return undefined
  const parts = name === 'gist' ? [id, valueAt('1')].filter(Boolean) : [id]
  return embedBlock(site + parts.map(encodeURIComponent).join('/'))
}

export function embedBlock(address: string): string {
  return `\n\n${embedHtml(address)}\n\n`
}

export function figureHtml({ url, alt, caption }: SourcePicture): string {
  const words = caption && `<figcaption>${escapeText(caption)}</figcaption>`
  return `<figure class="image"><img${attributesOf({ src: url, alt })} />${words}</figure>`
}
