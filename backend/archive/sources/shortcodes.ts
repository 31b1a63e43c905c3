// Shortcodes: what WordPress, Hugo and Jekyll write in brackets for a player, a picture and the
// like.
import { embedHtml } from './convert-pictures.ts'
import { attributesOf, escapeText } from './html-nodes.ts'
import type { SourcePicture } from './source.ts'

const VALUE = /([\w-]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'`]+))|"([^"]*)"|([^\s"'=]+)/g

/** The values by their names; those without a name by their position, counted from 0. */
export function readShortcode(text: string): Map<string, string> {
  const values = new Map<string, string>()
  let position = 0
  for (const [, name, quoted, single, bare, alone, word] of text.matchAll(VALUE)) {
    const value = quoted ?? single ?? bare ?? alone ?? word ?? ''
    const key = name?.toLowerCase() ?? String(position++)
    if (!values.has(key)) values.set(key, value)
  }
  return values
}

/** @returns undefined when the shortcode does not name an object of another site */
export function embedShortcode(name: string, values: Map<string, string>): string | undefined {
  const first = values.get('0') ?? ''
  const id = values.get('id') ?? first
  const address = values.get('src') ?? id
  if (name === 'gist') return embedBlock(`https://gist.github.com/${first}/${values.get('1')}`)
  if (name === 'tweet' || name === 'x')
    return embedBlock(`https://x.com/${values.get('user') || 'i'}/status/${id}`)
  if (name !== 'embed' && name !== 'youtube' && name !== 'vimeo') return undefined
  if (name === 'embed' || /^(?:https?:)?\/\//.test(address)) return embedBlock(address)
  const site = name === 'vimeo' ? 'https://vimeo.com/' : 'https://www.youtube.com/watch?v='
  return embedBlock(site + encodeURIComponent(id))
}

export function embedBlock(address: string): string {
  return `\n\n${embedHtml(address)}\n\n`
}

export function figureHtml({ url, alt, caption }: SourcePicture): string {
  const words = caption && `<figcaption>${escapeText(caption)}</figcaption>`
  return `<figure class="image"><img${attributesOf({ src: url, alt })} />${words}</figure>`
}
