// The text of a Ghost post that is stored as nodes (lexical) or cards (mobiledoc), as HTML with the
// classes that Ghost writes.
import { bookmarkHtml, codeHtml } from './convert-html.ts'
import { embedHtml } from './convert-pictures.ts'
import { attributesOf, escapeText } from './html-nodes.ts'
import { markdownToHtml } from './markdown-html.ts'
import { SourceProblem } from './source.ts'

type Values = Record<string, unknown>
export type LeaveOutCard = (name: string) => void

const FORMATS: readonly [bit: number, element: string][] = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
]
const LEVELS_MAX = 80

function objectOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}
function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** @throws SourceProblem when it is damaged */
export function mobiledocToHtml(json: string, leaveOut: LeaveOutCard): string {
  const document = parse(json)
  const cards = listOf(document.cards)
  const markups = listOf(document.markups)
  const atoms = listOf(document.atoms)
  const inline = (markers: unknown) => writeMarkers(listOf(markers), markups, atoms)
  return listOf(document.sections)
    .map((section) => {
      const [type, name, content] = listOf(section)
      if (type === 1) return `<${tagName(name)}>${inline(content)}</${tagName(name)}>`
      if (type === 2) return `<p><img${attributesOf({ src: textOf(name) })}></p>`
      if (type === 3) {
        const items = listOf(content).map((item) => `<li>${inline(item)}</li>`)
        return `<${tagName(name)}>${items.join('')}</${tagName(name)}>`
      }
      const [card, payload] = listOf(cards[Number(name)])
      return type === 10 ? cardHtml(textOf(card), objectOf(payload), leaveOut) : ''
    })
    .join('')
}

function tagName(value: unknown): string {
  const name = textOf(value).toLowerCase()
  return /^(?:p|h[1-6]|blockquote|aside|ul|ol|strong|b|em|i|a|code|s|u|sub|sup|del|mark)$/.test(
    name,
  )
    ? name
    : 'p'
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
        const values = objectOf(node)
        return writeNode(values, () => write(values.children, level + 1), leaveOut)
      })
      .join('')
  }
  return write(objectOf(parse(json).root).children, 0)
}

function writeNode(node: Values, inside: () => string, leaveOut: LeaveOutCard): string {
  switch (node.type) {
    case 'paragraph':
      return `<p>${inside()}</p>`
    case 'heading':
    case 'extended-heading':
      return `<${tagName(node.tag)}>${inside()}</${tagName(node.tag)}>`
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `<blockquote>${inside()}</blockquote>`
    case 'list': {
      const name = node.listType === 'number' ? 'ol' : 'ul'
      const start = node.start === 1 || name === 'ul' ? undefined : String(node.start ?? '')
      return `<${name}${attributesOf({ start })}>${inside()}</${name}>`
    }
    case 'listitem':
      return `<li>${inside()}</li>`
    case 'link':
    case 'autolink':
      return `<a${attributesOf({ href: textOf(node.url) })}>${inside()}</a>`
    case 'linebreak':
      return '<br>'
    case 'text':
    case 'extended-text':
    case 'tab': {
      const formats = FORMATS.filter(([bit]) => (Number(node.format) & bit) !== 0)
      const start = formats.map(([, name]) => `<${name}>`).join('')
      const end = formats.toReversed().map(([, name]) => `</${name}>`)
      return start + escapeText(textOf(node.text)) + end.join('')
    }
    default:
      return Array.isArray(node.children) ? inside() : cardHtml(textOf(node.type), node, leaveOut)
  }
}

function cardHtml(name: string, card: Values, leaveOut: LeaveOutCard): string {
  const text = (...keys: string[]) => keys.map((key) => textOf(card[key])).find(Boolean) ?? ''
  const caption = text('caption') && `<figcaption>${text('caption')}</figcaption>`
  switch (name.replace(/^card-/, '')) {
    case 'markdown':
      return markdownToHtml(text('markdown'))
    case 'html':
      return text('html')
    case 'image': {
      const image = `<img${attributesOf({ src: text('src'), alt: text('alt') })}>`
      const width = text('cardWidth') && ` kg-width-${text('cardWidth')}`
      const linked = text('href') ? `<a${attributesOf({ href: text('href') })}>${image}</a>` : image
      return `<figure${attributesOf({ class: `kg-card${width}` })}>${linked}${caption}</figure>`
    }
    case 'gallery': {
      const images = listOf(card.images).map((value) => {
        const { src, alt } = objectOf(value)
        return `<img${attributesOf({ src: textOf(src), alt: textOf(alt) })}>`
      })
      return `<figure class="kg-gallery-card">${images.join('')}${caption}</figure>`
    }
    case 'embed':
      return text('url')
        ? embedHtml(text('url')) + (caption && `<p>${text('caption')}</p>`)
        : text('html')
    case 'code':
    case 'codeblock':
      return codeHtml(text('code'), text('language'))
    case 'bookmark': {
      const { title, description } = objectOf(card.metadata)
      return bookmarkHtml(text('url'), textOf(title), textOf(description))
    }
    case 'callout':
      return `<div class="kg-callout-card"><div>${escapeText(text('calloutEmoji'))} ${text('calloutText')}</div></div>`
    case 'toggle':
      return `<details><summary>${text('heading')}</summary>${text('content')}</details>`
    case 'button':
      return `<p><a${attributesOf({ href: text('buttonUrl') })}>${escapeText(text('buttonText'))}</a></p>`
    case 'video':
    case 'audio':
      return `<p><${name}${attributesOf({ src: text('src') })}></${name}></p>`
    case 'file':
      return `<p><a${attributesOf({ href: text('src') })}>${escapeText(text('fileTitle', 'fileName', 'src'))}</a></p>`
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
  try {
    return objectOf(JSON.parse(json))
  } catch (cause) {
    throw new SourceProblem('Its text is damaged.', 0, { cause })
  }
}
