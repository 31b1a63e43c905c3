// The text of a Markdown file as the HTML of this blog, with what site generators and Obsidian add
// to Markdown: shortcodes, tags of Liquid, wiki links.
import { makeWorkThread } from '../../process/work-thread.ts'
import { convertHtml } from './convert-html.ts'
import { embedHtml } from './convert-pictures.ts'
import { attributesOf, escapeText } from './html-nodes.ts'
import { markdownToHtml } from './markdown-html.ts'
import type { MarkdownLinks } from './markdown-links.ts'
import { SourceProblem } from './source.ts'

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
const VALUE = /([\w-]{1,60})=(?:"([^"]*)"|'([^']*)'|([^\s"'`]+))|"([^"]*)"|([^\s"'=]+)/g
const PICTURE_FILE = /\.(?:jpe?g|png|gif|webp|avif|bmp|svg)$/i
const CALLOUT = /^(?:notice|callout|alert|admonition|tip|info|warning|note|hint|attention)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ISSUES_MAX = 20

export function makeMarkdownConverter() {
  const convertLong = makeWorkThread<string, { html: string | undefined }>(THREAD, {
    maxMs: CONVERT_MAX_MS,
    idleMs: IDLE_MS,
    memoryMb: MEMORY_MB,
  })
  return {
    /** @throws SourceProblem when it cannot be converted */
    async markdown(text: string, links: TextLinks): Promise<string> {
      const prepared = prepare(text.replace(/\r\n?/g, '\n'), links)
      const html =
        prepared.length <= SHORT_CHARS ? toHtml(prepared) : await convertInThread(prepared)
      return convertHtml(html, { resolve: links.resolve })
    },
    /** @throws SourceProblem when it cannot be converted */
    html: async (text: string, resolve: MarkdownLinks['resolve']) => convertHtml(text, { resolve }),
  }

  async function convertInThread(text: string): Promise<string> {
    const result = await convertLong(text)
    if (typeof result === 'string') throw new SourceProblem('Converting it takes too long.')
    if (result.answer.html === undefined) throw nestedTooDeeply()
    return result.answer.html
  }
}

function toHtml(text: string): string {
  try {
    return markdownToHtml(text)
  } catch {
    throw nestedTooDeeply()
  }
}

function nestedTooDeeply(): SourceProblem {
  return new SourceProblem('Its quotes or lists are nested too deeply.')
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
    if (replaced === undefined) continue
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
  const after = match.index + whole.length
  if (shortcode !== undefined) return replaceShortcode(state, shortcode, after)
  if (liquid !== undefined) return replaceLiquid(state, liquid, after)
  if (output !== undefined)
    return /^\s*site\.(?:baseurl|url)\b/.test(output) ? { html: '' } : undefined
  return wiki === undefined ? undefined : replaceWiki(state, wiki, bang === '!')
}

function replaceShortcode(state: Prepare, inner: string, after: number): Replaced | undefined {
  const words = inner.trim().replace(/\/$/, '')
  const [name = ''] = words.split(/\s/, 1)
  const values = readValues(words.slice(name.length))
  const valueAt = (...keys: string[]) => keys.map((key) => values.get(key)).find(Boolean) ?? ''
  const src = valueAt('src', 'link', '0')
  switch (name) {
    case 'figure':
    case 'img':
    case 'image':
      return { html: figureHtml(src, valueAt('alt'), valueAt('caption', 'title')) }
    case 'youtube':
      return block(embedHtml(`https://www.youtube.com/watch?v=${valueAt('id', '0')}`))
    case 'vimeo':
      return block(embedHtml(`https://vimeo.com/${valueAt('id', '0')}`))
    case 'gist':
      return block(embedHtml(`https://gist.github.com/${valueAt('0')}/${valueAt('1')}`))
    case 'tweet':
    case 'x': {
      const user = valueAt('user') || 'i'
      return block(embedHtml(`https://x.com/${user}/status/${valueAt('id', '0')}`))
    }
    case 'ref':
    case 'relref':
      return { html: state.links.find(valueAt('path', '0').split('#')[0] ?? '') ?? valueAt('0') }
    case 'highlight': {
      const end = findEnd(state, /\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g, name, after)
      return end && { html: sample(state.text.slice(after, end.start), valueAt('0')), end: end.end }
    }
  }
  if (CALLOUT.test(name)) {
    const isClosed = findEnd(
      state,
      new RegExp(`\\{\\{[<%] ?/ ?${name} ?[>%]\\}\\}`, 'g'),
      name,
      after,
    )
    if (isClosed) return { html: '\n\n<aside class="callout">\n\n' }
  }
  const [, closed = ''] = /^\/\s*([\w-]{1,60})$/.exec(words) ?? []
  if (CALLOUT.test(closed)) return { html: '\n\n</aside>\n\n' }
  if (closed === '') state.unknown.add(name)
  return undefined
}

function replaceLiquid(state: Prepare, inner: string, after: number): Replaced | undefined {
  const words = inner.replace(/^-|-$/g, '').trim()
  const [name = '', argument = ''] = words.split(/\s+/, 2)
  if (name === 'highlight') {
    const end = findEnd(state, /\{%-?\s*endhighlight\s*-?%\}/g, 'liquid', after)
    return end && { html: sample(state.text.slice(after, end.start), argument), end: end.end }
  }
  if (name === 'post_url' || name === 'link') {
    const found = state.links.find(argument)
    if (found !== undefined) return { html: found }
  }
  if (name === 'raw' || name === 'endraw') return { html: '' }
  if (name === 'youtube') return block(embedHtml(`https://www.youtube.com/watch?v=${argument}`))
  state.unknown.add(name)
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

function figureHtml(src: string, alt: string, caption: string): string {
  const words = caption && `<figcaption>${escapeText(caption)}</figcaption>`
  return `\n\n<figure><img${attributesOf({ src, alt: alt || caption })} />${words}</figure>\n\n`
}

function block(html: string): Replaced {
  return { html: `\n\n${html}\n\n` }
}

/** A fence that is longer than all in the sample. */
function sample(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}${language.replace(/[^\w+#-]/g, '')}\n${text.replace(/^\n/, '')}\n${fence}\n\n`
}

/** Values without a name have their position. */
function readValues(text: string): Map<string, string> {
  const values = new Map<string, string>()
  let position = 0
  for (const [, name, quoted, single, bare, alone, word] of text.matchAll(VALUE)) {
    const value = quoted ?? single ?? bare ?? alone ?? word ?? ''
    values.set(name?.toLowerCase() ?? String(position++), value)
  }
  return values
}
