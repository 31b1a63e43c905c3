// Writes the @font-face rules of Literata for the comment `literata-faces` in web/styles/fonts.css:
// one for each group of letters and style. Independent of where the built files go.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CSSOptions } from 'vite'

const PACKAGE = '@fontsource-variable/literata'
const PACKAGE_GROUPS = ['cyrillic-ext', 'cyrillic', 'greek-ext', 'greek', 'vietnamese', 'latin-ext']
/**
 * The Latin groups, cut from the package's file (decision 0051). A later group takes precedence.
 */
const MORE =
  'U+00A1-00B6, U+00B8-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-200F, U+2015-2017, U+201A-201B, U+201E-2025, U+2027-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD'
const BASIC = 'U+0020-007E, U+00A0, U+00B7, U+2010-2014, U+2018-2019, U+201C-201D, U+2026'
/** Groups of one style name the same weights, so that browsers treat them as one face. */
const STYLES = [
  { style: 'normal', weight: '400 700', basic: 'normal' },
  { style: 'italic', weight: '400', basic: 'italic' },
  { style: 'italic', weight: '500 700', basic: 'italic-bold' },
]

type PostCss = Extract<NonNullable<CSSOptions['postcss']>, object>
type Plugin = Extract<NonNullable<PostCss['plugins']>[number], { postcssPlugin: string }>

/** A PostCSS plugin. */
export function fontFaces(): Plugin {
  return {
    postcssPlugin: 'font-faces',
    Comment(comment, { parse }) {
      if (comment.text === 'literata-faces')
        comment.replaceWith(parse(writeFaces(), { from: comment.source?.input.file }))
    },
  }
}

function writeFaces(): string {
  const path = createRequire(import.meta.url).resolve(`${PACKAGE}/unicode.json`)
  const ranges: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))
  return STYLES.flatMap(({ style, weight, basic }) => {
    const write = (file: string, range: string | undefined) =>
      `@font-face{font-family:"Literata Variable";font-style:${style};font-weight:${weight};font-display:optional;src:url("${file}") format("woff2");unicode-range:${range}}`
    return [
      ...PACKAGE_GROUPS.map((group) =>
        write(`${PACKAGE}/files/literata-${group}-wght-${style}.woff2`, ranges[group]),
      ),
      write(`../fonts/literata-more-${style}.woff2`, MORE),
      write(`../fonts/literata-basic-${basic}.woff2`, BASIC),
    ]
  }).join('\n')
}
