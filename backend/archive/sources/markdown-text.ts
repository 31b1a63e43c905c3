// The text of a Markdown file as the HTML of this blog, with what site generators and Obsidian add
// to Markdown: shortcodes, tags of Liquid, wiki links.
import { makeWorkThread } from '../../process/work-thread.ts'
import { attributesOf, escapeText } from './html-nodes.ts'
import { tryMarkdownToHtml } from './markdown-html.ts'
import type { MarkdownLinks } from './markdown-links.ts'
import { embedShortcode, figureHtml, readShortcode } from './shortcodes.ts'

type TextLinks = MarkdownLinks & {
  /** Of Obsidian, whose links name notes. */
  isVault: boolean
  leaveOut(name: string): void
}

/** Longer texts are converted in a thread that can be stopped. */
const SHORT_CHARS = 10_000
const CONVERT_MAX_MS = 5000
const IDLE_MS = 1000
const MEMORY_MB = 192
const THREAD = new URL('./markdown-thread.ts', import.meta.url)

/** Samples in the text, which stay; a shortcode of Hugo; a tag of Liquid; a wiki link. */
const PARTS =
  /`[^`\n]{1,500}`|\{\{[<%]([^{}]{1,2000})[>%]\}\}|\{%([^{}]{1,1000})%\}|\{\{([^{}]{1,200})\}\}|(!?)\[\[([^[\]\n]{1,500})\]\]/g
/** Classes of Kramdown, on a line of their own or behind a link. */
const ATTRIBUTES = /(?:^|(?<=\)))\{:[ .#][^{}\n]{0,300}\}/gm
const PICTURE_FILE = /\.(?:jpe?g|png|gif|webp|avif|bmp|svg)$/i
const CALLOUT = /^(?:notice|callout|alert|admonition|tip|info|warning|note|hint|attention)$/
const HIGHLIGHT_END = /\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}|\{%-?\s*endhighlight\s*-?%\}/g
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ISSUES_MAX = 20

/** Makes HTML of a text, or undefined when that takes too long or it is nested too deeply. */
export function makeMarkdownConverter() {
  const convertLong = makeWorkThread<string, { html: string | undefined }>(THREAD, {
    maxMs: CONVERT_MAX_MS,
    idleMs: IDLE_MS,
    memoryMb: MEMORY_MB,
  })
  return async (text: string, links: TextLinks): Promise<string | undefined> => {
    const prepared = prepare(text.replace(/\r\n?/g, '\n'), links)
    if (prepared.length <= SHORT_CHARS) return tryMarkdownToHtml(prepared)
    const result = await convertLong(prepared)
    return typeof result === 'string' ? undefined : result.answer.html
  }
}

/** Replaces what Markdown does not know; not in fenced samples. */
function prepare(text: string, links: TextLinks): string {
  const source = text.replace(ATTRIBUTES, '')
  const plain = links.isVault ? prepareVault(source) : source
  const samples = findSamples(plain)
  const unknown = new Set<string>()
  const state: Prepare = { text: plain, links, unended: new Set(), unknown }
  const parts: string[] = []
  let end = 0
  let sample = 0
  PARTS.lastIndex = 0
  for (let match = PARTS.exec(plain); match; match = PARTS.exec(plain)) {
    while ((samples[sample]?.end ?? Number.POSITIVE_INFINITY) <= match.index) sample++
    const inside = samples[sample]
    if (inside && inside.start <= match.index) {
      PARTS.lastIndex = inside.end
      continue
    }
    const after = PARTS.lastIndex
    const replaced = replacePart(state, match)
    if (!replaced) continue
    parts.push(plain.slice(end, match.index), replaced.html)
    end = replaced.end ?? after
    PARTS.lastIndex = end
  }
  for (const name of [...unknown].slice(0, ISSUES_MAX)) links.leaveOut(name)
  return parts.join('') + plain.slice(end)
}

/** Comments, highlights and the ids of blocks. */
function prepareVault(text: string): string {
  return text
    .replace(/%%[^%]{0,5000}%%/g, '')
    .replace(/==([^=\n]{1,500})==/g, '<mark>$1</mark>')
    .replace(/ \^[\w-]{1,40}$/gm, '')
}

function findSamples(text: string): { start: number; end: number }[] {
  const samples: { start: number; end: number }[] = []
  let fence = ''
  let start = 0
  let at = 0
  for (const line of text.split('\n')) {
    const [, mark = ''] = FENCE.exec(line) ?? []
    const isEnd = fence !== '' && mark.startsWith(fence) && line.trim() === mark
    if (fence === '' && mark !== '') {
      fence = mark
      start = at
    } else if (isEnd) {
      samples.push({ start, end: at + line.length })
      fence = ''
    }
    at += line.length + 1
  }
  return samples
}

type Prepare = {
  text: string
  links: TextLinks
  /** Names of tags without an end in the rest of the text. */
  unended: Set<string>
  unknown: Set<string>
}
type Replaced = { html: string; end?: number }

/** @returns undefined for what stays as it is */
function replacePart(state: Prepare, match: RegExpExecArray): Replaced | undefined {
  const [whole, shortcode, liquid, output, bang, wiki] = match
  const tag = shortcode ?? liquid
  if (tag !== undefined) return replaceTag(state, tag, match.index + whole.length)
  if (output !== undefined)
    return /^\s*site\.(?:baseurl|url)\b/.test(output) ? { html: '' } : undefined
  return wiki === undefined ? undefined : replaceWiki(state, wiki, bang === '!')
}

/** A shortcode of Hugo, or a tag of Liquid. */
function replaceTag(state: Prepare, inner: string, after: number): Replaced | undefined {
  const words = inner.replace(/^-|[-/]\s*$/g, '').trim()
  const [name = ''] = words.split(/\s/, 1)
  const values = readShortcode(words.slice(name.length))
  const valueAt = (...keys: string[]) => keys.map((key) => values.get(key)).find(Boolean) ?? ''
  const embed = embedShortcode(name, values)
  if (embed !== undefined) return { html: embed }
  switch (name) {
    case 'figure':
    case 'img':
    case 'image': {
      const url = valueAt('src', 'link', '0')
      const caption = valueAt('caption', 'title')
      const figure = figureHtml({ url, alt: valueAt('alt') || caption, caption })
      return { html: `\n\n${figure}\n\n` }
    }
    case 'ref':
    case 'relref':
    case 'post_url':
    case 'link': {
      const address = valueAt('path', '0')
      return { html: state.links.find(address.split('#')[0] ?? '') ?? address }
    }
    case 'highlight': {
      const end = findEnd(state, HIGHLIGHT_END, name, after)
      return end && { html: sample(state.text.slice(after, end.start), valueAt('0')), end: end.end }
    }
    case 'raw':
    case 'endraw':
      return { html: '' }
  }
  if (CALLOUT.test(name)) {
    const end = new RegExp(`\\{\\{[<%] ?/ ?${name} ?[>%]\\}\\}`, 'g')
    if (findEnd(state, end, name, after)) return { html: '\n\n<aside class="callout">\n\n' }
  }
  const [, closed = ''] = /^\/\s*([\w-]{1,60})$/.exec(words) ?? []
  if (CALLOUT.test(closed)) return { html: '\n\n</aside>\n\n' }
  if (closed === '') state.unknown.add(name)
  return undefined
}

/** A tag without an end is searched once. */
function findEnd({ text, unended }: Prepare, pattern: RegExp, name: string, from: number) {
  if (unended.has(name)) return undefined
  pattern.lastIndex = from
  const match = pattern.exec(text)
  if (!match) unended.add(name)
  return match ? { start: match.index, end: match.index + match[0].length } : undefined
}

function replaceWiki({ links }: Prepare, inner: string, isShown: boolean): Replaced | undefined {
  const [target = '', ...words] = inner.split('|')
  const [name = ''] = target.split('#')
  const address = links.find(name.trim())
  if (address === undefined && !links.isVault) return undefined
  const text = words.join('|').trim()
  if (isShown && PICTURE_FILE.test(name)) {
    const alt = /^\d+(?:x\d+)?$/.test(text) ? '' : text
    return { html: `<img${attributesOf({ src: address ?? name, alt })} />` }
  }
  const label = escapeText(text || target.replace('#', ' › ').trim())
  return {
    html: address === undefined ? label : `<a${attributesOf({ href: address })}>${label}</a>`,
  }
}

/** A fence that is longer than all in the sample. */
function sample(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}${language.replace(/[^\w+#-]/g, '')}\n${text.replace(/^\n/, '')}\n${fence}\n\n`
}
