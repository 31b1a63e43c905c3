// Pictures, galleries and embeds of other programs in the form of this blog's editor
// (api.md §10.4).
import { parseEmbed } from '#contract/embeds.ts'
import { parseVideo } from '#contract/videos.ts'
import {
  attributesOf,
  closestTo,
  type Element,
  elementHtml,
  elementsIn,
  escapeText,
  findByName,
  hasClass,
  isTag,
} from './html-nodes.ts'

/** Writes what is inside an element. */
export type WriteInside = (element: Element) => string

const GALLERY =
  /^(?:wp-block-gallery|blocks-gallery-grid|wp-block-jetpack-(?:tiled-gallery|slideshow)|tiled-gallery|gallery|kg-gallery-card|image-gallery-embed|sectionLayout--outsetRow)$/
const WIDE = /^(?:alignwide|kg-width-wide|width-wide|graf--layoutOutsetCenter)$/
const FULL = /^(?:alignfull|kg-width-full|width-full|graf--layoutFillWidth)$/
const ALIGN = /^(?:align-?|float-?|pull-)(left|right|center)$/
const EMOJI = /^(?:emoji|wp-smiley)$/
const IMAGE_FILE = /\.(?:jpe?g|png|gif|webp|avif|bmp|svg|tiff?)(?:[?#]|$)/i
/** Where programs that load pictures late put the address. */
const SOURCES = ['data-orig-file', 'data-url', 'data-lazy-src', 'data-src', 'data-original', 'src']
const PLAYER_SIZE = { width: '560', height: '314', allowfullscreen: 'allowfullscreen' }

export function isGallery(element: Element): boolean {
  return hasClass(element, GALLERY)
}

export function imagesIn(element: Element): Element[] {
  return elementsIn(element).filter((inside) => inside.name === 'img' && addressOf(inside) !== '')
}

function addressOf(image: Element): string {
  for (const name of SOURCES) {
    const address = image.attribs[name]?.trim() ?? ''
    if (address !== '' && !(name !== 'src' && address.startsWith('data:'))) return address
  }
  return ''
}

export function writeImage(image: Element, address = addressOf(image)): string {
  if (address === '') return ''
  const { alt = '', width, height } = image.attribs
  const side = alignOf(image)
  const values = {
    src: address,
    alt,
    width: /^\d+$/.test(width ?? '') ? width : undefined,
    height: /^\d+$/.test(height ?? '') ? height : undefined,
    class: hasClass(image, EMOJI) ? 'emoji' : side && `align-${side}`,
  }
  return `<img${attributesOf(values)} />`
}

/** A link that only leads to the picture itself goes: its address is the better one. */
export function writeLinkedImage(image: Element): string {
  const link = closestTo(image.parent as Element | null, ({ name }) => name === 'a')
  const target = link?.attribs.href ?? ''
  if (target === '') return writeImage(image)
  if (IMAGE_FILE.test(target)) return writeImage(image, target)
  const isOwnPage = /attachment/.test(link?.attribs.rel ?? '')
  return isOwnPage
    ? writeImage(image)
    : `<a${attributesOf({ href: target })}>${writeImage(image)}</a>`
}

export function writeFigure(figure: Element, image: Element, write: WriteInside): string {
  const side = alignOf(figure) ?? alignOf(image)
  const around = closestTo(figure, (element) => widthOf(element) !== undefined)
  const names = ['image', around && widthOf(around), side && `align-${side}`]
  const inside = withoutClass(writeLinkedImage(image))
  const caption = writeCaption(findByName(figure, 'figcaption'), write)
  return elementHtml('figure', inside + caption, { class: names.filter(Boolean).join(' ') })
}

function widthOf(element: Element): string | undefined {
  if (hasClass(element, WIDE)) return 'width-wide'
  return hasClass(element, FULL) ? 'width-full' : undefined
}

function withoutClass(html: string): string {
  return html.replace(/ class="align-\w+"/, '')
}

export function writeGallery(gallery: Element, write: WriteInside): string {
  const captionOf = (image: Element) => {
    const box = closestTo(image, ({ name }) => name === 'figure' || name === 'li' || name === 'dl')
    if (!box || box === gallery) return undefined
    return findByName(box, 'figcaption') ?? findByName(box, 'dd')
  }
  const figures = imagesIn(gallery).map((image) => {
    const link = closestTo(image, ({ name }) => name === 'a')?.attribs.href ?? ''
    const address = IMAGE_FILE.test(link) ? link : addressOf(image)
    const inside = withoutClass(writeImage(image, address)) + writeCaption(captionOf(image), write)
    return elementHtml('figure', inside, { class: 'image' })
  })
  const own = gallery.children.filter(isTag).find(({ name }) => name === 'figcaption')
  const names = ['gallery', widthOf(gallery)].filter(Boolean)
  const inside = figures.join('') + writeCaption(own, write)
  return elementHtml('figure', inside, { class: names.join(' ') })
}

function writeCaption(caption: Element | undefined, write: WriteInside): string {
  const html = caption ? write(caption).trim() : ''
  return html && elementHtml('figcaption', html)
}

function alignOf(element: Element): string | undefined {
  for (const name of (element.attribs.class ?? '').split(/\s+/)) {
    const side = ALIGN.exec(name)?.[1]
    if (side) return side
  }
  return undefined
}

/** The block of an address: a player, an embed, or a link. */
export function embedHtml(address: string, words = ''): string {
  const url = address
    .trim()
    .replace(/^\/\//, 'https://')
    .replace(/^(https:\/\/gist\.github\.com\/[\w/-]+)\.js\b/, '$1')
  const video = parseVideo(url)
  if (video)
    return `<p><iframe${attributesOf({ src: video.playerUrl, ...PLAYER_SIZE })}></iframe></p>`
  const embed = parseEmbed(url)
  const href = embed?.pageUrl ?? url
  const link = `<a${attributesOf({ href })}>${escapeText(words || href)}</a>`
  return embed ? `<p class="embed">${link}</p>` : `<p>${link}</p>`
}

/**
 * What a tag of a program that is not known here names in its values: a picture, or an address.
 *
 * @returns an empty text for neither
 */
export function objectHtml(values: ReadonlyMap<string, string>): string {
  const valueAt = (pattern: RegExp) =>
    [...values].find(([name, value]) => pattern.test(name) && value !== '')?.[1] ?? ''
  const words = valueAt(/^(?:caption|title|text|label|button_?text)$/)
  const address = [...values.values()].find((value) => /^https?:\/\//.test(value))
  const picture = [...values.values()].find((value) => IMAGE_FILE.test(value))
  if (picture === undefined) return address === undefined ? '' : embedHtml(address, words)
  const caption = words && `<figcaption>${escapeText(words)}</figcaption>`
  const alt = valueAt(/^alt/) || words
  return `<figure class="image"><img${attributesOf({ src: picture, alt })} />${caption}</figure>`
}

export function isEmbeddable(address: string): boolean {
  return parseEmbed(address.trim().replace(/^\/\//, 'https://')) !== undefined
}
