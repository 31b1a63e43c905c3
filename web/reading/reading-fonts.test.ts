// Which font files a post is sent with.
import { describe, expect, test } from 'vitest'
import type { FontFace } from '#contract/pages.ts'
import { fontsFor, lettersOf } from './reading-fonts.ts'

const LATIN: FontFace['ranges'] = [
  [0x20, 0x7e],
  [0x2018, 0x2019],
]
const MORE: FontFace['ranges'] = [[0xa1, 0xff]]
const ALL: FontFace['weights'] = [400, 700]
const FACES: FontFace[] = [
  { href: '/latin', isItalic: false, weights: ALL, ranges: LATIN },
  { href: '/more', isItalic: false, weights: ALL, ranges: MORE },
  { href: '/greek', isItalic: false, weights: ALL, ranges: [[0x370, 0x3ff]] },
  { href: '/latin-italic', isItalic: true, weights: [400, 400], ranges: LATIN },
  { href: '/more-italic', isItalic: true, weights: [400, 400], ranges: MORE },
  { href: '/latin-bold-italic', isItalic: true, weights: [500, 700], ranges: LATIN },
  { href: '/more-italic', isItalic: true, weights: [500, 700], ranges: MORE },
]

describe('the font files are chosen for', () => {
  test.each([
    ['plain words', 'Lamps', '<p>Night</p>', ['/latin']],
    ['the title alone', 'Zoë', '', ['/latin', '/more']],
    ['a letter written as an entity', 'Lamps', '<p>&#235;</p>', ['/latin', '/more']],
    ['another script', 'Lamps', '<p>Λύχνος</p>', ['/latin', '/greek']],
    ['a script that the type does not have', '夜', '<p>夜</p>', []],
    ['emphasis', 'Lamps', '<p>A <em>samar</em> tonight</p>', ['/latin', '/latin-italic']],
    [
      'an accent only inside emphasis',
      'Lamps',
      '<p>A <em>fête</em></p>',
      ['/latin', '/latin-italic', '/more-italic'],
    ],
    [
      'an accent after emphasis with a line break in it',
      'Lamps',
      '<p><i>a<br>b</i> é</p>',
      ['/latin', '/more', '/latin-italic'],
    ],
    [
      'bold emphasis',
      'Lamps',
      '<p><strong>a <em>fête</em></strong></p>',
      ['/latin', '/latin-bold-italic', '/more-italic'],
    ],
    ['emphasis in a heading', 'Lamps', '<h2><em>x</em></h2>', ['/latin', '/latin-bold-italic']],
    ['both', 'Lamps', '<p><em>é</em><b><i>é</i></b></p>', ['/latin', '/more-italic']],
    ['a quotation', 'Lamps', '<blockquote><p>Night</p></blockquote>', ['/latin', '/latin-italic']],
    ['one in Arabic', 'Lamps', '<blockquote dir="rtl"><p>12</p></blockquote>', ['/latin']],
    [
      'a style of its own',
      'Lamps',
      '<p><span style="font-style: italic">x</span></p>',
      ['/latin', '/latin-italic'],
    ],
    ['emphasis around nothing', 'Lamps', '<p><em> &nbsp;</em>x</p>', ['/latin']],
    [
      'letters set in another type',
      'Lamps',
      '<pre><code>é <em>x</em></code></pre><table><tr><td>é</td></tr></table>',
      ['/latin'],
    ],
  ])('%s', (_name, text, html, expected) => {
    expect(fontsFor(FACES, { text, letters: lettersOf(html) })).toEqual(expected)
  })
})
