// Fits the HTML of a post body into its page. Works on what the server has cleaned: tags are whole
// and text is escaped there, so plain replacing is enough. Knows nothing of cleaning.

import { fitBodyImage } from '../files/body-image.ts'
import { texts } from '../locales/texts.ts'

/**
 * The title is the page's only h1; wide tables and code scroll inside themselves, within reach of
 * the keyboard; pictures load late, and one that its author did not describe is passed over by
 * screen readers; players have a name; colours that were chosen for one theme can be read in the
 * other (post.css does it, by the names they get here).
 *
 * @param html as stored, that is, sanitised (api.md §10.4)
 */
export function bodyHtml(html: string): string {
  return html
    .replace(/<(\/?)h1(?=[\s>])/gi, '<$1h2')
    .replace(
      /<table(?=[\s>])/gi,
      `<div class="scroll-x" tabindex="0" role="group" aria-label="${texts.post.table}"><table`,
    )
    .replace(/<\/table\s*>/gi, '</table></div>')
    .replace(/<pre(?=[\s>])/gi, '<pre tabindex="0"')
    .replace(/<img(?=[\s/>])[^>]*>/gi, fitImage)
    .replace(/<iframe(?=\s)(?![^>]*\stitle=)/gi, `<iframe title="${texts.post.player}"`)
    .replace(
      /(<[a-z][^>]*\sstyle=")([^"]*)"/gi,
      (_all, before: string, style: string) => `${before}${nameColors(style)}"`,
    )
}

function nameColors(style: string): string {
  return style.replace(
    /(^|;\s*)(color|background-color)(?=:)/gi,
    (_all, before: string, name: string) => before + (name.length > 5 ? '--ground' : '--ink'),
  )
}

function fitImage(tag: string): string {
  const alt = /\salt\s*=/i.test(tag) ? '' : ' alt=""'
  return fitBodyImage(tag).replace(/^<img/i, `<img loading="lazy" decoding="async"${alt}`)
}
