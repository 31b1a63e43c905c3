// The footnotes of a post's text (api.md §10.4): a mark leads to its note by a key.

/** The key of a footnote, as the source of a pattern. */
export const FOOTNOTE_KEY = '[a-z0-9-]{1,40}'

// --- in Markdown

export const FOOTNOTE_MARK = /^\[\^([^\s\]]{1,40})\]/
const NOTE_START = /^ {0,3}\[\^([^\s\]]{1,40})\]:[ \t]*/
/** Further lines of a paragraph, and indented lines after an empty one. */
const NOTE_LINE = /\n(?:[ \t]*\n)?(?: {2,}|\t)[^\n]+|\n(?![ \t]*(?:\n|\[\^))[^\n]+/y

/** The note that begins a text: its whole source, its label and its Markdown. */
export function readFootnote(
  source: string,
): { raw: string; label: string; text: string } | undefined {
  const [start, label = ''] = NOTE_START.exec(source) ?? []
  if (start === undefined) return undefined
  const lineEnd = source.indexOf('\n', start.length)
  let end = lineEnd < 0 ? source.length : lineEnd
  for (let line: RegExpExecArray | null; ; end += line[0].length) {
    NOTE_LINE.lastIndex = end
    line = NOTE_LINE.exec(source)
    if (!line) break
  }
  const raw = source.slice(0, source[end] === '\n' ? end + 1 : end)
  return { raw, label, text: raw.slice(start.length).replace(/\n(?: {1,4}|\t)/g, '\n') }
}
