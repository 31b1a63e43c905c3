// Writes the text of a post as Markdown (CommonMark with tables, task lists and footnotes). What
// Markdown cannot say stays HTML: captions, galleries, alignment, colours, tables with merged
// cells. Takes cleaned HTML, in which addresses are already those of the export.
import gfm from '@joplin/turndown-plugin-gfm'
import Turndown from 'turndown'

const BLOCKS =
  /^(?:P|H[1-6]|UL|OL|LI|DL|BLOCKQUOTE|PRE|TABLE|FIGURE|DIV|DETAILS|ASIDE|NAV|SECTION|IFRAME|VIDEO|AUDIO)$/
/** Elements without a form in Markdown. */
const HTML_ONLY =
  /^(?:DL|DIV|DETAILS|ASIDE|NAV|IFRAME|VIDEO|AUDIO|SUB|SUP|SMALL|MARK|ABBR|CITE|Q|KBD|SAMP|VAR|TIME|U|INS|RUBY|RT|RP)$/
/** Attributes that Markdown says, or that only the page of the blog needs. */
const SAID = /^(?:href|src|alt|title|id|rel|target|width|height|start|class|scope|cite)$/
const SAID_CLASS = /^(?:language-\S+|tasks|task|done|footnote|footnotes|footnote-back|image)$/
const CELL_MARKUP =
  'p, ul, ol, dl, pre, blockquote, table, figure, h1, h2, h3, h4, h5, h6, hr, br, div, details'

/** Two lists without anything between them would become one. */
const ADJACENT_LISTS = /<\/(?:ul|ol)>(?=\s*<(?:ul|ol)[\s>])/g
/** Cleaned texts have no control characters. */
const LIST_BREAK = '\u0001'

type Node = TurndownNode

export function toMarkdown(html: string): string {
  const service = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    br: '\\',
    blankReplacement: (_content, node) => (hasMedia(node) ? blockHtml(node) : ''),
  })
  const escapeMarks = service.escape.bind(service)
  // The package leaves tags and entities that someone has written as they are.
  service.escape = (text) =>
    escapeMarks(text)
      .replace(/<(?=[a-z/!?])/gi, '\\<')
      .replace(/&(?=#?\w+;)/g, '\\&')
      .replace(/~{2,}/g, (run) => run.replaceAll('~', '\\~'))
  service.use(gfm.tables)
  addTextRules(service)
  addFootnoteRules(service)
  // Rules that are added later come first.
  service.addRule('html', { filter: needsHtml, replacement: asHtml })
  const parted = html.replace(ADJACENT_LISTS, `$&<p>${LIST_BREAK}</p>`)
  return `${service.turndown(parted).trim().replaceAll(LIST_BREAK, '<!-- -->')}\n`
}

function addTextRules(service: Turndown): void {
  service.addRule('struck', {
    filter: ['s', 'del'],
    replacement: (content) => (content.trim() === '' ? content : `~~${content}~~`),
  })
  service.addRule('code', { filter: 'pre', replacement: (_content, node) => fencedCode(node) })
  service.addRule('task', {
    filter: (node) => node.nodeName === 'LI' && hasClass(node, 'task'),
    replacement: (content, node) => {
      const text = content.trim().replace(/\n(?=.)/g, '\n  ')
      return `- [${hasClass(node, 'done') ? 'x' : ' '}] ${text}\n`
    },
  })
  service.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) => {
      const alt = service.escape(oneLine(node.getAttribute('alt') ?? ''))
      return `![${alt}](${node.getAttribute('src') ?? ''}${titleOf(node)})`
    },
  })
}

function titleOf(node: Node): string {
  const title = oneLine(node.getAttribute('title') ?? '')
  return title === '' ? '' : ` "${title.replace(/["\\]/g, '\\$&')}"`
}

/** The fence is longer than any in the code. */
function fencedCode(node: Node): string {
  const text = node.textContent.replace(/\n$/, '')
  const [, language = ''] =
    /language-(\S+)/.exec(`${classOf(node)} ${classOf(node.querySelector('code'))}`) ?? []
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}${language === 'plaintext' ? '' : language}\n${text}\n${fence}\n\n`
}

function addFootnoteRules(service: Turndown): void {
  service.addRule('footnote', {
    filter: (node) => node.nodeName === 'SUP' && hasClass(node, 'footnote'),
    replacement: (_content, node) => `[^${node.textContent.replace(/\D/g, '')}]`,
  })
  service.addRule('footnoteBack', {
    filter: (node) => node.nodeName === 'A' && hasClass(node, 'footnote-back'),
    replacement: () => '',
  })
  service.addRule('note', {
    filter: (node) => node.nodeName === 'LI' && isInNotes(node),
    replacement: (content, node) => {
      const items = Array.from(node.parentNode?.children ?? [])
      const text = content.trim().replace(/\n(?=.)/g, '\n    ')
      return `[^${items.indexOf(node) + 1}]: ${text}\n\n`
    },
  })
}

function isInNotes(node: Node): boolean {
  const list = node.parentNode
  return list?.parentNode?.nodeName === 'SECTION' && hasClass(list.parentNode, 'footnotes')
}

// --- what stays HTML

function needsHtml(node: Node): boolean {
  const { nodeName } = node
  if (hasClass(node, 'footnote') || hasClass(node, 'footnotes')) return false
  if (nodeName === 'BODY' || nodeName === 'HTML' || node.getAttribute('id') === 'turndown-root')
    return false
  if (HTML_ONLY.test(nodeName) || hasUnsaid(node)) return true
  if (nodeName === 'FIGURE') return !isPlainFigure(node)
  if (nodeName === 'TABLE') return !isPlainTable(node)
  if (nodeName === 'UL' || nodeName === 'OL') return Array.from(node.children).some(hasUnsaid)
  return false
}

/** Has an attribute or a class that Markdown cannot say. */
function hasUnsaid(node: Node): boolean {
  return Array.from(node.attributes).some(({ name, value }) =>
    name === 'class'
      ? value.split(/\s+/).some((word) => word !== '' && !SAID_CLASS.test(word))
      : !SAID.test(name),
  )
}

/** One picture without a caption. */
function isPlainFigure(node: Node): boolean {
  const [only, ...others] = Array.from(node.children)
  return only?.nodeName === 'IMG' && others.length === 0 && !hasUnsaid(only)
}

/** A row of headers, then rows of as many cells, each of one line. */
function isPlainTable(table: Node): boolean {
  if (table.querySelector('caption, col, [colspan], [rowspan], [style]')) return false
  const rows = Array.from(table.querySelectorAll('tr'), (row) => Array.from(row.children))
  const [head, ...others] = rows
  const isHead = head?.every(({ nodeName }) => nodeName === 'TH') ?? false
  return (
    isHead &&
    others.every(
      (row) => row.length === head?.length && row.every(({ nodeName }) => nodeName === 'TD'),
    ) &&
    !table.querySelector(`tfoot, ${CELL_MARKUP}`)
  )
}

function asHtml(content: string, node: Node): string {
  if (BLOCKS.test(node.nodeName)) return blockHtml(node)
  // The text inside is Markdown, as in every inline element.
  const [start = '', end = ''] = emptyTagOf(node)
  return start + content + end
}

function emptyTagOf(node: Node): [string, string] {
  const attributes = Array.from(
    node.attributes,
    ({ name, value }) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  )
  const name = node.nodeName.toLowerCase()
  return [`<${name}${attributes.join('')}>`, `</${name}>`]
}

/** An empty line would end the HTML. */
function blockHtml(node: Node): string {
  return `\n\n${node.outerHTML.replace(/\n(?=[ \t]*\n)/g, '\n&#10;')}\n\n`
}

function hasMedia(node: Node): boolean {
  return /^(?:IFRAME|VIDEO|AUDIO)$/.test(node.nodeName)
}

function hasClass(node: Node, name: string): boolean {
  return classOf(node).split(/\s+/).includes(name)
}

function classOf(node: Node | null): string {
  return node?.getAttribute('class') ?? ''
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
