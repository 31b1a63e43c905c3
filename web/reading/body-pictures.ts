// The pictures of a post's text: each loads lazily and is a link to itself, which the lightbox
// opens (lightbox.tsx). Works on sanitised HTML.
import { fitBodyImage } from '../files/body-image.ts'
import { texts } from '../locales/texts.ts'

const PART = /<(?:a|figure)(?=[\s>])[^<>]*>|<\/(?:a|figure)>|<img(?=[\s/>])[^<>]*>/gi
// Bounded: cleaning leaves galleries in one shape, in which each figure has its end tag.
const GALLERY = /<figure class="gallery[^"]*">(?:<figure[\s\S]*?<\/figure>\s*)+/g
const STORED_SOURCE = /\ssrc="(\/v1\/storage\/[^"]*)"/
/** Of a picture that is wider than the text, and of one in a gallery. */
const SIZES = { wide: 'min(100vw, 70rem)', gallery: 'min(50vw, 22rem)' }
/** More pictures of a gallery are only in the lightbox. */
const GALLERY_SHOWN = 5

export function linkPictures(html: string): string {
  return linkSingle(html.replace(GALLERY, linkGallery))
}

function linkGallery(gallery: string): string {
  const count = gallery.match(/<img /g)?.length ?? 0
  const more = count > GALLERY_SHOWN ? `+${count - GALLERY_SHOWN}` : ''
  let number = 0
  return gallery
    .replace(/<img [^<>]*>/g, (tag) => {
      number++
      const rest = number === GALLERY_SHOWN ? more : ''
      const name = texts.pictures.openOne(number, count, altOf(tag), rest)
      const mark = rest && ` data-more="${rest}"`
      return link(withSizes(fitImage(tag), SIZES.gallery), `aria-label="${name}"${mark}`, tag)
    })
    .replace('>', ` aria-label="${texts.pictures.gallery(count)}">`)
}

function linkSingle(html: string): string {
  let isInLink = false
  let sizes = ''
  return html.replace(PART, (tag) => {
    if (/^<a/i.test(tag)) isInLink = true
    else if (/^<\/a/i.test(tag)) isInLink = false
    else if (/^<figure/i.test(tag)) sizes = /\bwidth-/.test(tag) ? SIZES.wide : ''
    else if (/^<\/figure/i.test(tag)) sizes = ''
    // Those of galleries are in their links already.
    else if (!/\sloading=/.test(tag)) return single(tag, { isInLink, sizes })
    return tag
  })
}

function single(tag: string, { isInLink, sizes }: { isInLink: boolean; sizes: string }): string {
  const image = sizes ? withSizes(fitImage(tag), sizes) : fitImage(tag)
  const name = altOf(tag) ? '' : `aria-label="${texts.pictures.open}"`
  return isInLink ? image : link(image, name, tag)
}

/** @param tag the image as it is stored, for its address */
function link(image: string, attributes: string, tag: string): string {
  const address = STORED_SOURCE.exec(tag)?.[1]
  return address ? `<a class="zoom" href="${address}" ${attributes}>${image}</a>` : image
}

/** Loads lazily, and is hidden from screen readers without a description. */
function fitImage(tag: string): string {
  const alt = /\salt\s*=/i.test(tag) ? '' : ' alt=""'
  return fitBodyImage(tag).replace(/^<img/i, `<img loading="lazy" decoding="async"${alt}`)
}

function withSizes(tag: string, sizes: string): string {
  return tag.replace(/ sizes="[^"]*"/, ` sizes="${sizes}"`)
}

function altOf(tag: string): string {
  return /\salt="([^"]*)"/i.exec(tag)?.[1] ?? ''
}
