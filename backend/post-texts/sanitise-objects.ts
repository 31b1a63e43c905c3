// Galleries, embeds and link cards have one fixed shape each, which the page relies on. An element
// of another shape loses its class, and its content stays. Works on cleaned HTML, where every tag
// is complete and text has no angle brackets.
import { parseEmbed } from '#contract/embeds.ts'
import { decodeEntities } from '#contract/plain-text.ts'
import { postIdInPath } from '#contract/post-url.ts'

const OBJECT = /<(?:figure|p|aside) class="(?:[^"]* )?(gallery|embed|link-card)(?=[" ])[^<>]*>/g
const CAPTION = '(?:<figcaption[^<>]*>(?:(?!</?fig)[\\s\\S])*</figcaption>\\s*)?'
/** No part can begin with what ends the part before it, so matching never backtracks far. */
const SHAPES = {
  gallery: new RegExp(
    `<figure class="gallery(?: width-(?:wide|full))?">\\s*(?:<figure class="image">\\s*<img [^<>]*>\\s*${CAPTION}</figure>\\s*)+${CAPTION}</figure>`,
    'y',
  ),
  embed: /<p class="embed"><a href="([^"<>]*)"[^<>]*>[^<>]+<\/a><\/p>/y,
  'link-card':
    /<aside class="link-card"><a href="(\/post\/[^"<>]*)"[^<>]*>(?:<img src="\/[^"<>]*" alt=""[^<>]*>)?<strong>[^<>]+<\/strong>(?:<br \/><small>[^<>]+<\/small>)?<br \/><code>[^<>]+<\/code><\/a><\/aside>/y,
}
type ObjectName = keyof typeof SHAPES

/** Removes the class of a gallery, an embed or a link card that has not its shape. */
export function fixObjects(html: string): string {
  return html.replace(OBJECT, (tag: string, name: ObjectName, index: number) =>
    hasShape(html, name, index) ? tag : withoutClass(tag, name),
  )
}

function hasShape(html: string, name: ObjectName, index: number): boolean {
  const shape = SHAPES[name]
  shape.lastIndex = index
  const [whole, escaped = ''] = shape.exec(html) ?? []
  const address = decodeEntities(escaped)
  if (name === 'embed') return parseEmbed(address) !== undefined
  if (name === 'link-card') return postIdInPath(address) !== undefined
  return whole !== undefined
}

function withoutClass(tag: string, name: ObjectName): string {
  return tag.replace(/ class="([^"]*)"/, (_all, names: string) => {
    const others = names.split(' ').filter((other) => other !== name)
    return others.length > 0 ? ` class="${others.join(' ')}"` : ''
  })
}
