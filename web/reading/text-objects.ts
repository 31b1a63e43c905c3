// Adapts headings, footnotes, task lists and contents of a post's HTML to its page. The server has
// sanitised the HTML and given headings their ids (api.md §10.4).
import { escapeHtml, plainText } from '#contract/plain-text.ts'
import { texts } from '../locales/texts.ts'

export type Heading = { id: string; text: string; children: Heading[] }

// Bounded: in sanitised HTML each heading has an end tag.
const HEADING = /<h([23]) id="([^"]*)"[^<>]*>([\s\S]*?)<\/h\1>/g
const MARK = /(\s|&nbsp;)*<sup class="footnote"><a ([^<>]*)>(\d+)(?=<)/g
/** Keeps the number on the line of the word before it, in every script. */
const WORD_JOINER = '\u2060'

/** The headings of the second level, with those of the third below them. */
export function findHeadings(html: string): Heading[] {
  const headings: Heading[] = []
  for (const [, level, id = '', inside = ''] of html.matchAll(HEADING)) {
    const heading = { id, text: plainText(inside), children: [] }
    const list = level === '3' ? headings.at(-1)?.children : undefined
    ;(list ?? headings).push(heading)
  }
  return headings
}

/** Longer HTML has more than three windows of text. */
const LONG_HTML_CHARS = 4000

/** Whether a body has what reading-aids.ts works on. */
export function needsReadingAids(html: string): boolean {
  return html.length > LONG_HTML_CHARS || html.includes('<sup class="footnote">')
}

/** Whether a body has what text-objects.css and prose-media.css are for. */
export function hasTextObjects(html: string): boolean {
  return /<(?:img|figure|aside|nav|section|sup)\b|class="(?:embed|tasks)"/.test(html)
}

/** @param html with headings from the second level on */
export function showTextObjects(html: string): string {
  const { headingLink, footnotes, footnote, backToText, taskDone, taskOpen, contents } = texts.post
  return html
    .replace(/<nav class="contents">/, (nav) => nav + contentsHtml(html, contents))
    .replace(
      HEADING,
      (all, level: string, id: string, inside: string) =>
        `${all.slice(0, -'</h2>'.length)}<a class="heading-link" href="#${id}" aria-label="${escapeHtml(headingLink(plainText(inside)))}"></a></h${level}>`,
    )
    .replace(
      MARK,
      (_all, space: string | undefined, attributes: string, number: string) =>
        `${space ? '&nbsp;' : ''}${WORD_JOINER}<sup class="footnote"><a ${attributes} aria-label="${footnote(number)}">${number}`,
    )
    .replace('<section class="footnotes">', (tag) => `${tag}<h2>${footnotes}</h2>`)
    .replace(/ class="footnote-back"/g, `$& aria-label="${backToText}"`)
    .replace(
      /<li class="task( done)?">/g,
      (tag, done) => `${tag}<span class="visually-hidden">${done ? taskDone : taskOpen} </span>`,
    )
}

function contentsHtml(html: string, title: string): string {
  return `<h2>${title}</h2>${listHtml(findHeadings(html))}`
}

function listHtml(headings: Heading[]): string {
  if (headings.length === 0) return ''
  const items = headings.map(
    ({ id, text, children }) =>
      `<li><a href="#${id}">${escapeHtml(text)}</a>${listHtml(children)}</li>`,
  )
  return `<ol>${items.join('')}</ol>`
}
