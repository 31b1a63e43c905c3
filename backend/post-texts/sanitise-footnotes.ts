// Brings the footnotes of a cleaned body into one form: numbered in the order of their marks,
// listed at the end, each with a link back. Works on cleaned HTML, where every tag is complete and
// text has no angle brackets.
import { FOOTNOTE_KEY } from '#contract/footnotes.ts'

// Bounded: in cleaned HTML each section has an end tag, and none is inside another (sanitise.ts).
// Only the first of several empty lines can begin a match.
const SECTION = /(?<!\n)\n*<section class="footnotes"[^<>]*>([\s\S]*?)<\/section>\n*/g
const MARK = String.raw`<sup class="footnote"[^<>]*>\s*<a href="#fn-(${FOOTNOTE_KEY})"[^<>]*>([^<>]*)<\/a>\s*<\/sup>`
/** Marks, and what else has the class, address or id of a part of a footnote. */
const PARTS = new RegExp(
  `${MARK}|<(sup class="footnote|a href="#|a id="|li id="|ol id=")[^<>]*>`,
  'g',
)
const BACK_LINK = / ?<a href="#fnref-[^<>]*>[^<>]*<\/a>/g
const PIECE = /<(\/?)([a-z][a-z0-9]*)\b[^<>]*>|[^<]+/g
const VOID = /^(?:br|hr|img|col|source|track)$/
const KEY = new RegExp(`^<li id="fn-(${FOOTNOTE_KEY})"`)

type Note = { key: string | undefined; html: string }

/**
 * Marks without a note become plain raised text. A note without a mark stays, at the end of the
 * list.
 */
export function fixFootnotes(html: string): string {
  if (!/<(?:section|sup class="footnote|a (?:href="#|id=)|li id=)/.test(html)) return html
  const notes: Note[] = []
  const body = html.replace(SECTION, (_all, content: string) => {
    const section = readSection(content)
    notes.push(...section.notes)
    return `\n${section.rest}`
  })
  const keys = distinctKeys(notes)
  const numbers = new Map<string, number>()
  const numbered = body.replace(PARTS, (all, key?: string, text = '') => {
    if (key === undefined) return plainTag(all)
    if (!keys.has(key)) return `<sup>${text}</sup>`
    const isFirst = !numbers.has(key)
    if (isFirst) numbers.set(key, numbers.size + 1)
    const id = isFirst ? ` id="fnref-${key}"` : ''
    return `<sup class="footnote"><a href="#fn-${key}"${id}>${numbers.get(key)}</a></sup>`
  })
  if (notes.length === 0) return numbered
  const position = ({ key = '' }: Note) => numbers.get(key) ?? notes.length + 1
  const items = notes
    .toSorted((first, second) => position(first) - position(second))
    .map((note) => itemHtml(note, numbers.has(note.key ?? '')))
  return `${numbered.trimEnd()}\n<section class="footnotes"><ol>${items.join('')}</ol></section>`
}

/** The notes of a section, and its HTML outside them. */
function readSection(content: string): { notes: Note[]; rest: string } {
  const notes: Note[] = []
  let rest = ''
  let note: Note | undefined
  let depth = 0
  let isInList = false
  for (const [piece, slash, name = ''] of content.matchAll(PIECE)) {
    if (slash) depth -= 1
    if (depth === 0 && name === 'ol') isInList = !slash
    else if (depth === 1 && isInList && name === 'li') {
      if (note) notes.push(note)
      note = slash ? undefined : { key: KEY.exec(piece)?.[1], html: '' }
    } else if (note) note.html += piece
    else rest += piece
    if (name && !slash && !VOID.test(name)) depth += 1
  }
  return { notes, rest: rest.trim() }
}

/** The first note with a key keeps it. */
function distinctKeys(notes: Note[]): Set<string> {
  const keys = new Set<string>()
  for (const note of notes) {
    if (note.key === undefined) continue
    if (keys.has(note.key)) note.key = undefined
    else keys.add(note.key)
  }
  return keys
}

function itemHtml({ key, html }: Note, hasMark: boolean): string {
  const text = html
    .replace(BACK_LINK, '')
    .replace(PARTS, (all, _key?: string, text?: string) =>
      text === undefined ? plainTag(all) : `<sup>${text}</sup>`,
    )
    .trim()
  const id = key === undefined ? '' : ` id="fn-${key}"`
  if (!hasMark) return `<li${id}>${text}</li>`
  const link = ` <a href="#fnref-${key}" class="footnote-back">↩</a>`
  const end = text.endsWith('</p>') ? text.length - '</p>'.length : text.length
  return `<li${id}>${text.slice(0, end)}${link}${text.slice(end)}</li>`
}

/** The tag without its attributes. */
function plainTag(tag: string): string {
  return tag.replace(/\s[^<>]*/, '')
}
