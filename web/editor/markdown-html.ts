// Converts Markdown to HTML, which is then cleaned like any other paste. No text is lost: a tag
// that posts may not contain stays as text.

import { Marked, type MarkedExtension, type Tokens } from 'marked'
import { findCodeLanguage, PLAIN_CODE } from '#contract/code-languages.ts'
import { endOfAddress } from '#contract/web-addresses.ts'

/** Elements that writers use in Markdown and that the cleaning keeps or reads. */
const KNOWN_TAG =
  /^<\/?(?:a|abbr|b|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|rp|rt|ruby|s|samp|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var)(?:\s[^<]*)?\/?>$/i
const BARE_ADDRESS = /^(?:https?:\/\/|www\.)[^\s<]/i

export const MARKDOWN_OPTIONS: MarkedExtension = {
  gfm: true,
  // `false` falls back to the package's tokenizer.
  tokenizer: {
    // A single tilde means "about" and formats nothing, as in typed text (typed-markdown.ts).
    del: (text) => (text.startsWith('~~') ? false : undefined),
    url: (text) => (BARE_ADDRESS.test(text) ? linkAtStart(text) : false),
  },
  renderer: {
    html: ({ text }) =>
      text
        .replace(/<!--[\s\S]*?-->/g, '')
        .replace(/<[^<>]*>?/g, (tag) => (KNOWN_TAG.test(tag) ? tag : escaped(tag))),
    code: ({ text, lang }: Tokens.Code) => codeHtml(text, lang),
  },
}

export const marked = new Marked(MARKDOWN_OPTIONS)

/** A link at the start of the text, which ends where an address in a comment would end. */
function linkAtStart(text: string): Tokens.Link | undefined {
  const raw = text.slice(0, endOfAddress(text, 0))
  const href = /^www\./i.test(raw) ? `http://${raw}` : raw
  if (!URL.canParse(href)) return undefined
  return { type: 'link', raw, href, text: raw, tokens: [{ type: 'text', raw, text: raw }] }
}

export function codeHtml(text: string, lang: string | undefined): string {
  const [name = ''] = lang?.trim().split(/[\s{,]/) ?? []
  const { id } = findCodeLanguage(name) ?? { id: PLAIN_CODE }
  return `<pre class="language-${id}"><code>${escaped(text)}</code></pre>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
