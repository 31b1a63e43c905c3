// Markdown as HTML, with footnotes; convert-footnotes.ts numbers and places them.
import { Marked, type Token, type Tokens } from 'marked'
import { FOOTNOTE_MARK, readFootnote } from '#contract/footnotes.ts'

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
  const notes = new Map<string, { id: number; tokens: Token[] }>()
  const marked = new Marked({
    gfm: true,
    extensions: [
      {
        name: 'footnote',
        level: 'block',
        tokenizer(source) {
          const note = readFootnote(source)
          if (!note || notes.has(note.label)) return undefined
          notes.set(note.label, {
            id: notes.size + 1,
            tokens: this.lexer.blockTokens(note.text, []),
          })
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
          const isMark = raw !== undefined && notes.has(label)
          return isMark ? { type: 'footnoteMark', raw, label } : undefined
        },
        renderer: ({ label }: Tokens.Generic) =>
          `<sup class="footnote"><a href="#fn-${notes.get(label)?.id}">1</a></sup>`,
      },
    ],
  })
  const html = marked.parse(text, { async: false })
  const items = [...notes.values()].map(
    ({ id, tokens }) => `<li id="fn-${id}">${marked.parser(tokens)}</li>`,
  )
  return items.length === 0 ? html : `${html}<ol class="footnotes">${items.join('')}</ol>`
}
