// Adapts the HTML of a post body to its page. It was sanitised by the server, so that tags are
// well-formed and text is escaped: string replacement is enough.

import { fitBodyImage } from '../files/body-image.ts'
import { texts } from '../locales/texts.ts'
import { stillPlayers } from '../ui/still-players.ts'

/**
 * The title stays the page's only h1; wide tables and code scroll in a box that takes the focus;
 * images load lazily, and those without a description are hidden from screen readers; players
 * become boxes that are pressed; colours become custom properties, which the style sheet adapts to
 * the theme.
 *
 * @param html as stored, that is, sanitised (api.md §10.4)
 */
export function bodyHtml(html: string): string {
  return stillPlayers(html)
    .replace(/<(\/?)h1(?=[\s>])/gi, '<$1h2')
    .replace(
      /<table(?=[\s>])/gi,
      `<div class="scroll-x" tabindex="0" role="group" aria-label="${texts.post.table}"><table`,
    )
    .replace(/<\/table\s*>/gi, '</table></div>')
    .replace(/<pre(?=[\s>])/gi, '<pre tabindex="0"')
    .replace(/<img(?=[\s/>])[^>]*>/gi, fitImage)
    .replace(
      /(<[a-z][^>]*\sstyle=")([^"]*)"/gi,
      (_all, before: string, style: string) => `${before}${nameColors(style)}"`,
    )
}

function nameColors(style: string): string {
  return style.replace(
    /(^|;\s*)(color|background-color)(?=:)/gi,
    (_all, before: string, name: string) =>
      before + (name.length > 5 ? '--author-background' : '--author-color'),
  )
}

function fitImage(tag: string): string {
  const alt = /\salt\s*=/i.test(tag) ? '' : ' alt=""'
  return fitBodyImage(tag).replace(/^<img/i, `<img loading="lazy" decoding="async"${alt}`)
}
