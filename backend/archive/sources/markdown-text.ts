// The text of a Markdown file as the HTML of this blog, with what site generators and Obsidian add
// to Markdown: shortcodes, tags of Liquid, wiki links.
import { makeWorkThread } from '../../process/work-thread.ts'
import { objectHtml } from './convert-pictures.ts'
import { attributesOf, escapeText } from './html-nodes.ts'
import { tryMarkdownToHtml } from './markdown-html.ts'
import type { MarkdownLinks } from './markdown-links.ts'
import { embedShortcode, figureHtml, readShortcode } from './shortcodes.ts'

type TextLinks = MarkdownLinks & {
  /** Of Obsidian, whose links name notes. */
  isVault: boolean
  /** With elements of JSX. */
  isMdx: boolean
  /** Whether braces are tags of Liquid or the like, not text. */
  hasTags: boolean
  leaveOut(name: string): void
}

/** Longer texts are converted in a thread that can be stopped. */
const SHORT_CHARS = 10_000
const CONVERT_MAX_MS = 5000
const IDLE_MS = 1000
const MEMORY_MB = 192
const THREAD = new URL('./markdown-thread.ts', import.meta.url)

/**
 * Samples in the text, which stay; a shortcode of Hugo; a tag of Liquid, and its output; a wiki
 * link; classes of Kramdown and the like; a box; what only Obsidian and MDX have.
 */
const PARTS = new RegExp(
  [
    '`[^`\\n]{1,500}`',
    '\\{\\{[<%](?<shortcode>[^{}]{1,2000})[>%]\\}\\}',
    '\\{%(?<tag>[^{}]{1,1000})%\\}',
    '\\{\\{(?<output>[^{}]{1,500})\\}\\}',
    '(?<bang>!?)\\[\\[(?<wiki>[^[\\]\\n]{1,500})\\]\\]',
    '(?<attributes>(?:^(?:[*-] [^\\n]{0,60}\\n)?|(?<=[)*_`]))\\{(?::|[.#][a-z])[^{}\\n]{0,300}\\}|(?<=^#{1,6} [^\\n]{0,300})[ \\t]\\{[.#:][^{}\\n]{1,300}\\}[ \\t]*$)',
    '^:{3,}[ \\t]*(?<box>[^\\n]{0,200})$',
    '(?<comment>%%[^%]{0,5000}%%)',
    '==(?<mark>[^=\\n]{1,500})==',
    '(?<size>\\|\\d+(?:x\\d+)?(?=\\]\\())',
    '(?<block> \\^[\\w-]{1,40}$)',
    '<(?<element>/?[A-Z][\\w.]{0,60}(?:\\s[^<>]{0,2000})?)>',
    '(?<code>^(?:import|export)\\s(?:[^\\n;]{0,300}\\{[^{}]{0,2000}\\})?[^\\n]{0,500}$|\\{/\\*[^*]{0,2000}\\*/\\})',
  ].join('|'),
  'gm',
)
const RAW = /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}/g
/** Tags whose words are not shown. */
const CONTROL = /^(?:if|unless|for|assign|capture|case|when|set|else|elsif|elif|break|end\w*)$/
const INCLUDED = /^include\s+["']?(?:[\w./-]*\/)?([\w-]+)\.\w+["']?/
const QUERY = /^(?:dataview|dataviewjs|tasks|query)$/
const PICTURE_FILE = /\.(?:jpe?g|png|gif|webp|avif|bmp|svg)$/i
const CALLOUT =
  /^(?:notice|callout|alert|admonition|tip|info|warning|note|hint|attention|danger|caution|important)$/i
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
    const prepared = replaceTags(text.replace(/\r\n?/g, '\n'), links)
    if (prepared.length <= SHORT_CHARS) return tryMarkdownToHtml(prepared)
    const result = await convertLong(prepared)
    return typeof result === 'string' ? undefined : result.answer.html
  }
}

/** Replaces what Markdown does not know; not in fenced samples. */
export function replaceTags(text: string, links: TextLinks): string {
  const unknown = new Set<string>()
  const plain = links.isVault ? withoutQueries(text, unknown) : text
  const samples = findSamples(plain)
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
  const whole = parts.join('') + plain.slice(end)
  return links.hasTags ? whole.replace(RAW, '') : whole
}

/** Lists of notes that a plugin of Obsidian makes. */
function withoutQueries(text: string, unknown: Set<string>): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of findSamples(text)) {
    const [, name = ''] = /^[`~\s]*([\w-]*)/.exec(text.slice(start, start + 100)) ?? []
    if (!QUERY.test(name)) continue
    unknown.add(name)
    parts.push(text.slice(from, start))
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** Obsidian writes the width of a picture behind its words. */
function withoutSize(text: string): string {
  return text.replace(/(?:^|\|)\d+(?:x\d+)?$/, '')
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
  const { links } = state
  const parts = match.groups ?? {}
  const after = match.index + match[0].length
  if (parts.shortcode !== undefined) return replaceShortcode(state, parts.shortcode, after)
  if (parts.tag !== undefined)
    return links.hasTags ? replaceLiquid(state, parts.tag, after) : undefined
  if (parts.output !== undefined)
    return links.hasTags ? replaceOutput(state, parts.output) : undefined
  if (parts.wiki !== undefined) return replaceWiki(state, parts.wiki, parts.bang === '!')
  if (parts.attributes !== undefined) return links.isVault ? undefined : { html: '' }
  if (parts.box !== undefined) return replaceBox(parts.box)
  if (parts.element !== undefined)
    return links.isMdx ? replaceElement(state, parts.element) : undefined
  if (parts.code !== undefined) return links.isMdx ? { html: '' } : undefined
  if (parts.mark === undefined)
    return links.isVault && match[0][0] !== '`' ? { html: '' } : undefined
  return links.isVault ? { html: `<mark>${parts.mark}</mark>` } : undefined
}

function replaceShortcode(state: Prepare, inner: string, after: number): Replaced | undefined {
  // Hugo shows such a tag as it is.
  const [, escaped] = /^\/\*(.*)\*\/$/s.exec(inner.trim()) ?? []
  if (escaped !== undefined) return { html: `\`{{<${escaped}>}}\`` }
  return replaceTag(state, inner.trim().replace(/(?<=.)\/$/, ''), after)
}

/**
 * A tag with its values. Of one that is not known, the picture or the address stays that it names,
 * and what is between it and its end.
 */
function replaceTag(state: Prepare, words: string, after: number): Replaced | undefined {
  const [name = ''] = /^\/?\s*[\w-]+/.exec(words) ?? []
  const values = readShortcode(words.slice(name.length))
  const valueAt = (...keys: string[]) => keys.map((key) => values.get(key)).find(Boolean) ?? ''
  const embed = embedShortcode(name.toLowerCase(), values)
  if (embed !== undefined) return { html: embed }
  switch (name.toLowerCase()) {
    case 'figure':
    case 'img':
    case 'image': {
      const url = valueAt('src', 'link', '0')
      if (/^(?:left|right|center)$|^\{/.test(url)) break
      const caption = valueAt('caption', 'title')
      const words = valueAt('alt', '1') || caption
      const figure = figureHtml({ url, alt: /^\d+$/.test(words) ? '' : words, caption })
      return { html: `\n\n${figure}\n\n` }
    }
    case 'ref':
    case 'relref':
      return { html: state.links.find(valueAt('path', '0').split('#')[0] ?? '') ?? valueAt('0') }
    case 'post_link':
    case 'post_url':
    case 'link': {
      const found = state.links.find(valueAt('0'))
      if (found === undefined) break
      if (name !== 'post_link') return { html: found }
      return {
        html: `<a${attributesOf({ href: found })}>${escapeText(valueAt('1') || valueAt('0'))}</a>`,
      }
    }
    case 'include': {
      // Its file is named like what it shows.
      const [whole = '', file = ''] = INCLUDED.exec(words) ?? []
      if (file !== '' && file !== 'include')
        return replaceTag(state, file + words.slice(whole.length), after)
      break
    }
    case 'comment':
      return replaceSample(state, name, undefined, after)
    case 'code':
    case 'codeblock':
    case 'highlight':
      return replaceSample(state, name, valueAt('lang', '0'), after)
  }
  return replaceUnknown(state, name, { values, after })
}

/** @param language undefined for what is not shown */
function replaceSample(
  state: Prepare,
  name: string,
  language: string | undefined,
  after: number,
): Replaced | undefined {
  const pattern = new RegExp(`\\{[{%][<%-]?\\s*(?:/\\s*|end)${name}\\s*[>%-]?[%}]\\}`, 'g')
  const end = findEnd(state, pattern, name, after)
  if (!end) return undefined
  const text = state.text.slice(after, end.start)
  return { html: language === undefined ? '' : sample(text, language), end: end.end }
}

function replaceUnknown(
  state: Prepare,
  name: string,
  { values, after }: { values: Map<string, string>; after: number },
): Replaced {
  const [, closed = ''] = /^(?:\/\s*|end)([\w-]{1,60})$/.exec(name) ?? []
  if (CALLOUT.test(closed)) return { html: '\n\n</aside>\n\n' }
  if (closed !== '' || name === 'end') return { html: '' }
  if (CALLOUT.test(name)) {
    const ends = new RegExp(`(?:\\{[{%][<%-]? ?(?:/ ?|end)|</)${name} ?[>%-]`, 'gi')
    if (findEnd(state, ends, name, after)) return { html: '\n\n<aside class="callout">\n\n' }
  }
  state.unknown.add(name)
  const object = CONTROL.test(name) ? '' : objectHtml(values)
  return { html: object && `\n\n${object}\n\n` }
}

function replaceLiquid(state: Prepare, inner: string, after: number): Replaced | undefined {
  const words = inner.replace(/^-|-$/g, '').trim()
  if (/^(?:raw|verbatim)$/.test(words)) {
    const end = findEnd(state, RAW, 'raw', after)
    return end && { html: state.text.slice(after, end.start), end: end.end }
  }
  return replaceTag(state, words.replace(/^([\w-]+)\((.*)\)$/s, '$1 $2'), after)
}

/** What a value of the page is, when it stands in the tag itself. */
function replaceOutput(state: Prepare, output: string): Replaced {
  const [, call, values = ''] = /^\s*([\w-]+)\((.*)\)\s*$/s.exec(output) ?? []
  if (call !== undefined) return replaceTag(state, `${call} ${values}`, 0) ?? { html: '' }
  const [, quoted] = /^\s*(?:site\.(?:base)?url\s*\|[^"']*)?["']([^"']*)["']/.exec(output) ?? []
  if (quoted === undefined && !/^\s*site\.(?:baseurl|url)\b/.test(output))
    state.unknown.add(output.trim())
  return { html: quoted ?? '' }
}

/** `:::tip Title` of Docusaurus and VitePress, up to `:::`. */
function replaceBox(line: string): Replaced {
  const [name = '', ...title] = line
    .replace(/[{}[\]]/g, ' ')
    .trim()
    .split(/\s+/)
  if (name === '') return { html: '\n\n</aside>\n\n' }
  const words = title.join(' ')
  return { html: `\n\n<aside class="callout">\n\n${words && `**${words}**\n\n`}` }
}

function replaceElement(state: Prepare, inner: string): Replaced {
  const words = inner.replace(/\/$/, '')
  return replaceTag(state, words.charAt(0).toLowerCase() + words.slice(1), 0) ?? { html: '' }
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
    const alt = withoutSize(text)
    return { html: `<img${attributesOf({ src: address ?? name, alt })} />` }
  }
  const label = escapeText(
    text ||
      target
        .replace(/^#|#\^.*$/g, '')
        .replace('#', ' › ')
        .trim(),
  )
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
