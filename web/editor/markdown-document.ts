// Converts a Markdown document to HTML, with its footnotes. Runs in a worker (markdown-worker.ts).

import { Marked, type Token, type Tokens } from 'marked'
import { FOOTNOTE_MARK, readFootnote } from '#contract/footnotes.ts'
import { makeFootnoteKey } from './footnote-key.ts'
import { codeHtml, MARKDOWN_OPTIONS } from './markdown-html.ts'

const FRONT_MATTER = /^---\n((?:[\w-]+:.*\n|[ \t]+.*\n|- .*\n)+)---[ \t]*(?:\n|$)/

type Note = { key: string; number: number | undefined; tokens: Token[] }

export function markdownToHtml(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\n+/, '')
  const [whole = '', head] = FRONT_MATTER.exec(lines) ?? []
  const html = convert(lines.slice(whole.length))
  return head === undefined ? html : codeHtml(head.trimEnd(), 'yaml') + html
}

function convert(text: string): string {
  const notes = new Map<string, Note>()
  let marks = 0
  const marked = new Marked(MARKDOWN_OPTIONS, {
    extensions: [
      {
        name: 'footnote',
        level: 'block',
        tokenizer(source) {
          const note = readFootnote(source)
          if (!note || notes.has(note.label)) return undefined
          const tokens = this.lexer.blockTokens(note.text, [])
          notes.set(note.label, { key: makeFootnoteKey(), number: undefined, tokens })
          return { type: 'footnote', raw: note.raw }
        },
        renderer: () => '',
      },
      {
        name: 'footnoteMark',
        level: 'inline',
        start: (source) => source.indexOf('[^'),
        tokenizer(source) {
          const [raw, label = ''] = FOOTNOTE_MARK.exec(source) ?? []
          return raw !== undefined && notes.has(label)
            ? { type: 'footnoteMark', raw, label }
            : undefined
        },
        renderer({ label }: Tokens.Generic) {
          const note = notes.get(label)
          if (!note) return ''
          note.number ??= ++marks
          return `<sup class="footnote"><a href="#fn-${note.key}">${note.number}</a></sup>`
        },
      },
    ],
  })
  const html = marked.parse(text, { async: false })
  if (notes.size === 0) return html
  const items = [...notes.values()]
    .toSorted(
      (first, second) => (first.number ?? notes.size + 1) - (second.number ?? notes.size + 1),
    )
    .map(({ key, tokens }) => `<li id="fn-${key}">${marked.parser(tokens)}</li>`)
  return `${html}<section class="footnotes"><ol>${items.join('')}</ol></section>`
}
