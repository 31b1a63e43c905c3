// Markdown as HTML, with footnotes.
import { Marked, type Token, type Tokens } from 'marked'

const MARK = /^\[\^([^\s\]]{1,40})\]/
const NOTE_START = /^ {0,3}\[\^([^\s\]]{1,40})\]:[ \t]*/
/** Further lines of a note: of its paragraph, and indented ones after an empty line. */
const NOTE_LINE = /\n(?:[ \t]*\n)?(?: {2,}|\t)[^\n]+|\n(?![ \t]*(?:\n|\[\^))[^\n]+/y

type Note = { id: string; marks: number; tokens: Token[] }

/** @returns undefined when it is nested too deeply */
export function tryMarkdownToHtml(text: string): string | undefined {
  try {
    return markdownToHtml(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/** @throws RangeError when it is nested too deeply */
export function markdownToHtml(text: string): string {
  const notes = new Map<string, Note>()
  const marked = new Marked(
    { gfm: true },
    {
      extensions: [
        {
          name: 'footnote',
          level: 'block',
          tokenizer(source) {
            const note = readNote(source)
            if (!note || notes.has(note.label)) return undefined
            const tokens = this.lexer.blockTokens(note.text, [])
            notes.set(note.label, { id: `${notes.size + 1}`, marks: 0, tokens })
            return { type: 'footnote', raw: note.raw }
          },
          renderer: () => '',
        },
        {
          name: 'footnoteMark',
          level: 'inline',
          start: (source) => source.indexOf('[^'),
          tokenizer(source) {
            const [raw, label = ''] = MARK.exec(source) ?? []
            const isMark = raw !== undefined && notes.has(label)
            return isMark ? { type: 'footnoteMark', raw, label } : undefined
          },
          renderer({ label }: Tokens.Generic) {
            const note = notes.get(label)
            if (!note) return ''
            const id = note.marks++ === 0 ? ` id="fnref-${note.id}"` : ''
            return `<sup><a href="#fn-${note.id}"${id}>1</a></sup>`
          },
        },
      ],
    },
  )
  const html = marked.parse(text, { async: false })
  if (notes.size === 0) return html
  const items = [...notes.values()].map(
    ({ id, tokens }) =>
      `<li id="fn-${id}">${marked.parser(tokens)}<a href="#fnref-${id}">↩</a></li>`,
  )
  return `${html}<section class="footnotes"><ol>${items.join('')}</ol></section>`
}

function readNote(source: string): { raw: string; label: string; text: string } | undefined {
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
