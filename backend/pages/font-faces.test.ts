// Font files as a style sheet names them.
import { expect, test } from 'vitest'
import { parseFontFaces } from './built-pages.ts'

test('every font file is found with its style, weights and ranges; fonts of the reader’s machine are not', () => {
  const css = `@font-face{font-family:A;font-style:normal;font-weight:400 700;src:url(/assets/a.woff2)format("woff2");unicode-range:U+20-7E,U+A0,U+1F??}
    @font-face { font-family: A; font-style: italic; font-weight: 600; src: url("/assets/b.woff2") format("woff2"); unicode-range: u+0400-045f }
    @font-face{font-family:B;src:url(/assets/c.woff2)}
    @font-face{font-family:Fallback;src:local(Georgia),local(Gelasio);size-adjust:107.67%} .x{color:red}`
  expect(parseFontFaces(css)).toEqual([
    {
      href: '/assets/a.woff2',
      weights: [400, 700],
      isItalic: false,
      ranges: [
        [0x20, 0x7e],
        [0xa0, 0xa0],
        [0x1f00, 0x1fff],
      ],
    },
    { href: '/assets/b.woff2', weights: [600, 600], isItalic: true, ranges: [[0x400, 0x45f]] },
    { href: '/assets/c.woff2', weights: [400, 400], isItalic: false, ranges: [[0, 0x10ffff]] },
  ])
})
