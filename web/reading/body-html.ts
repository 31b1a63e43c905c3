// Adapts the HTML of a post body to its page. The server has sanitised it: tags are well-formed and
// text is escaped, so that string replacement is enough.
import { findCodeLanguage, PLAIN_CODE } from '#contract/code-languages.ts'
import { deferEmbeds } from '../editor/click-to-load-embeds.ts'
import { deferPlayers } from '../editor/click-to-load-players.ts'
import { texts } from '../locales/texts.ts'
import { linkPictures } from './body-pictures.ts'
import { showTextObjects } from './text-objects.ts'

/**
 * Changes h1 to h2, because the title is the page's only h1; adds links to headings, labels to
 * footnotes and tasks, and the lists of contents; puts tables and code into focusable scroll boxes;
 * gives code a bar with its language and a copy button; makes images links to themselves; replaces
 * players and embeds with boxes, which load them when pressed; turns colours into custom
 * properties, which the style sheet adapts to the theme.
 *
 * @param html as stored, that is, sanitised (api.md §10.4)
 */
export function bodyHtml(html: string): string {
  return (
    showTextObjects(withMedia(html).replace(/<(\/?)h1(?=[\s>])/gi, '<$1h2'))
      .replace(
        /<table(?=[\s>])/gi,
        `<div class="scroll-x" tabindex="0" role="group" aria-label="${texts.post.table}"><table`,
      )
      .replace(/<\/table\s*>/gi, '</table></div>')
      // Bounded: in sanitised HTML each `pre` has an end tag.
      .replace(/<pre(\s[^<>]*)?>([\s\S]*?)<\/pre\s*>/gi, frameCode)
      .replace(
        /(<[a-z][^<>]*\sstyle=")([^"<>]*)"/gi,
        (_all, precedingText: string, style: string) => `${precedingText}${nameColors(style)}"`,
      )
  )
}

function withMedia(html: string): string {
  return linkPictures(deferEmbeds(deferPlayers(html)))
}

/** Removes the addresses of links, which still look like links. */
export function withoutLinks(html: string): string {
  return html.replace(
    /(<a\b[^<>]*?\s)href="[^"<>]*"/gi,
    (_all, precedingText: string) => `${precedingText}role="link"`,
  )
}

const LANGUAGE = /\sclass="(?:[^"]*\s)?language-([^\s"]+)/i
const COPY_SIGN =
  '<svg class="icon icon--small" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect width="14" height="14" x="8" y="8" rx="2" ry="2"/><path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2"/></svg>'

function frameCode(_all: string, attributes = '', inside = ''): string {
  const name = (LANGUAGE.exec(attributes) ?? LANGUAGE.exec(inside.slice(0, 300)))?.[1] ?? ''
  const language = findCodeLanguage(name)
  const label = language && language.id !== PLAIN_CODE ? language.label : ''
  const { code } = texts
  return `<figure class="code-sample" aria-label="${code.label(label)}"><div class="code-sample__bar" lang="${texts.language}" dir="ltr"><span>${label || code.unnamed}</span><button class="btn btn--ghost code-sample__copy" type="button">${COPY_SIGN}${code.copy}</button></div><pre tabindex="0"${attributes}>${inside}</pre></figure>`
}

function nameColors(style: string): string {
  return style.replace(
    /(^|;\s*)(color|background-color)(?=:)/gi,
    (_all, precedingText: string, name: string) =>
      precedingText + (name.length > 5 ? '--author-background' : '--author-color'),
  )
}
