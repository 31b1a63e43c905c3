// The text of a Ghost post that is stored as nodes (lexical) or cards (mobiledoc), as HTML with the
// classes that Ghost writes.
import { bookmarkHtml, codeHtml } from './convert-html.ts'
import { embedHtml } from './convert-pictures.ts'
import { attributesOf, elementHtml, escapeText } from './html-nodes.ts'
import { markdownToHtml } from './markdown-html.ts'
import { SourceProblem } from './source.ts'
import { listOf, parseJson, textOf, type Values, valuesOf } from './source-values.ts'

export type LeaveOutCard = (name: string) => void

/** By their bits, the first one is 1. */
const FORMATS = ['strong', 'em', 's', 'u', 'code', 'sub', 'sup', 'mark']
const ELEMENTS: ReadonlyMap<unknown, string> = new Map([
  ['paragraph', 'p'],
  ['quote', 'blockquote'],
  ['extended-quote', 'blockquote'],
  ['aside', 'blockquote'],
  ['listitem', 'li'],
])
const LEVELS_MAX = 80

/** @throws SourceProblem when it is damaged */
export function mobiledocToHtml(json: string, leaveOut: LeaveOutCard): string {
  const document = parse(json)
  const cards = listOf(document.cards)
  const markups = listOf(document.markups)
  const atoms = listOf(document.atoms)
  const inline = (markers: unknown) => writeMarkers(listOf(markers), markups, atoms)
  const write = (section: unknown) => {
    const [type, name, content] = listOf(section)
    const items = () => listOf(content).map((item) => elementHtml('li', inline(item)))
    const block = name === 'aside' ? 'blockquote' : tagName(name)
    if (type === 1) return elementHtml(block, inline(content))
    if (type === 2) return `<p><img${attributesOf({ src: textOf(name) })}></p>`
    if (type === 3) return elementHtml(tagName(name), items().join(''))
    const [card, payload] = listOf(cards[Number(name)])
    return type === 10 ? cardHtml(textOf(card), valuesOf(payload), leaveOut) : ''
  }
  return listOf(document.sections).map(write).join('')
}

function tagName(value: unknown): string {
  const name = textOf(value).toLowerCase()
  const isKnown =
    /^(?:p|h[1-6]|blockquote|aside|ul|ol|strong|b|em|i|a|code|s|u|sub|sup|del|mark)$/.test(name)
  return isKnown ? name : 'p'
}

function writeMarkers(markers: unknown[], markups: unknown[], atoms: unknown[]): string {
  const open: string[] = []
  const parts: string[] = []
  for (const marker of markers) {
    const [type, opened, closed, value] = listOf(marker)
    for (const index of listOf(opened)) {
      const [name, list] = listOf(markups[Number(index)])
      const at = listOf(list).indexOf('href')
      const href = at < 0 ? undefined : textOf(listOf(list)[at + 1])
      const element = name === undefined ? 'span' : tagName(name)
      open.push(element)
      parts.push(`<${element}${attributesOf({ href })}>`)
    }
    const [atom, text] = listOf(atoms[Number(value)])
    if (type === 1) parts.push(atom === 'soft-return' ? '<br>' : escapeText(textOf(text)))
    else parts.push(escapeText(textOf(value)))
    for (let count = Number(closed) || 0; count > 0 && open.length > 0; count--)
      parts.push(`</${open.pop()}>`)
  }
  return parts.join('')
}

/** @throws SourceProblem when it is damaged, or nested too deeply */
export function lexicalToHtml(json: string, leaveOut: LeaveOutCard): string {
  const write = (nodes: unknown, level: number): string => {
    if (level > LEVELS_MAX) throw new SourceProblem('It is nested too deeply.')
    return listOf(nodes)
      .map((node) => {
        const values = valuesOf(node)
        return writeNode(values, () => write(values.children, level + 1), leaveOut)
      })
      .join('')
  }
  return write(valuesOf(parse(json).root).children, 0)
}

function writeNode(node: Values, inside: () => string, leaveOut: LeaveOutCard): string {
  const name = ELEMENTS.get(node.type)
  if (name !== undefined) return elementHtml(name, inside())
  switch (node.type) {
    case 'heading':
    case 'extended-heading':
      return elementHtml(tagName(node.tag), inside())
    case 'list': {
      const isNumbered = node.listType === 'number'
      const start = !isNumbered || node.start === 1 ? undefined : String(node.start ?? '')
      return elementHtml(isNumbered ? 'ol' : 'ul', inside(), { start })
    }
    case 'link':
    case 'autolink':
      return elementHtml('a', inside(), { href: textOf(node.url) })
    case 'linebreak':
      return '<br>'
    case 'text':
    case 'extended-text':
    case 'tab':
      return FORMATS.reduceRight(
        (html, format, bit) =>
          Number(node.format) & (1 << bit) ? elementHtml(format, html) : html,
        escapeText(textOf(node.text)),
      )
    default:
      return Array.isArray(node.children) ? inside() : cardHtml(textOf(node.type), node, leaveOut)
  }
}

function imageHtml({ src, alt }: Values): string {
  return `<img${attributesOf({ src: textOf(src), alt: textOf(alt) })}>`
}

/** A caption is part of a picture, and a paragraph below other cards. */
function cardHtml(name: string, card: Values, leaveOut: LeaveOutCard): string {
  const html = captionlessHtml(name, card, leaveOut)
  const caption = textOf(card.caption) || textOf(card.fileCaption)
  const isWithin = caption === '' || html === '' || html.includes('</figcaption>')
  return isWithin ? html : `${html}<p>${caption}</p>`
}

function captionlessHtml(name: string, card: Values, leaveOut: LeaveOutCard): string {
  const text = (...keys: string[]) => keys.map((key) => textOf(card[key])).find(Boolean) ?? ''
  const caption = text('caption') && elementHtml('figcaption', text('caption'))
  switch (name.replace(/^card-/, '')) {
    case 'markdown':
      return markdownToHtml(text('markdown'))
    case 'html':
      return text('html')
    case 'image': {
      const image = imageHtml(card)
      const width = text('cardWidth') && ` kg-width-${text('cardWidth')}`
      const linked = text('href') ? elementHtml('a', image, { href: text('href') }) : image
      return elementHtml('figure', linked + caption, { class: `kg-card${width}` })
    }
    case 'gallery': {
      const images = listOf(card.images).map((image) => imageHtml(valuesOf(image)))
      return elementHtml('figure', images.join('') + caption, { class: 'kg-gallery-card' })
    }
    case 'embed':
      return text('url') ? embedHtml(text('url')) : text('html')
    case 'code':
    case 'codeblock':
      return codeHtml(text('code'), text('language'))
    case 'bookmark': {
      const { title, description } = valuesOf(card.metadata)
      return bookmarkHtml(text('url'), textOf(title), textOf(description))
    }
    case 'callout': {
      const words = `${escapeText(text('calloutEmoji'))} ${text('calloutText')}`
      return elementHtml('div', elementHtml('div', words), { class: 'kg-callout-card' })
    }
    case 'toggle':
      return elementHtml('details', elementHtml('summary', text('heading')) + text('content'))
    case 'button':
    case 'file': {
      const words = escapeText(text('buttonText', 'fileTitle', 'fileName', 'src'))
      return elementHtml('p', elementHtml('a', words, { href: text('buttonUrl', 'src') }))
    }
    case 'video':
    case 'audio':
      return elementHtml('p', elementHtml(name, '', { src: text('src') }))
    case 'header':
    case 'product':
    case 'call-to-action': {
      const src = text('productImageSrc', 'imageUrl', 'backgroundImageSrc')
      const heading = text('header', 'heading', 'productTitle')
      const words = text('subheader', 'productDescription', 'textValue')
      const href = text('buttonUrl', 'productUrl')
      const button = escapeText(text('buttonText', 'productButton'))
      return [
        src && elementHtml('p', imageHtml({ src })),
        heading && elementHtml('h2', heading),
        words && elementHtml('div', words),
        href && elementHtml('p', elementHtml('a', button, { href })),
      ].join('')
    }
    case 'hr':
    case 'horizontalrule':
      return '<hr>'
    case 'paywall':
      return ''
    default:
      leaveOut(name)
      return ''
  }
}

function parse(json: string): Values {
  const value = parseJson(json)
  if (value === undefined) throw new SourceProblem('Its text is damaged.')
  return valuesOf(value)
}
