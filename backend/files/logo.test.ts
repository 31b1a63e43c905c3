// SVGs that may become the logo of the blog, and those that refer to anything outside, however it
// is encoded. `test/api/logo.test.ts` has the rest.
import { expect, test } from 'vitest'
import { SQUARE, svg } from '#test/support/logos.ts'
import { drawLogo } from './logo.ts'

const draw = (picture: string) => drawLogo(Buffer.from(picture), { side: 64 })
const style = (css: string) => svg(`<style>${css}</style><path d="M0 0h9v9z"/>`)
const path = (attributes: string) => svg(`<path ${attributes} d="M0 0h9v9z"/>`)

test.each([
  ['@import', style('@import "http://127.0.0.1:1/a.css";')],
  ['@import with an escaped letter', style('@\\69mport "http://127.0.0.1:1/a.css";')],
  ['@import with a long escape', style('@\\000069 mport "http://127.0.0.1:1/a.css";')],
  ['@import with a plain escape', style('@\\im\\port "http://127.0.0.1:1/a.css";')],
  ['@import with a reference', style('&#64;import "http://127.0.0.1:1/a.css";')],
  ['@import with references for all', style('&#x40;&#x69;mport "http://127.0.0.1:1/a.css";')],
  ['@import around a comment of XML', style('@im<!-- -->port "http://127.0.0.1:1/a.css";')],
  ['@import in capitals', style('@IMPORT URL(#a);')],
  ['an escape as a reference', style('@&#92;69mport "http://127.0.0.1:1/a.css";')],
  ['@font-face', style('@font-face{font-family:a;src:local(b)}')],
  ['an escaped @font-face', style('@f\\6fnt-face{font-family:a;src:local(b)}')],
  ['url()', path('fill="url(http://127.0.0.1:1/a.svg#b)"')],
  ['url() with blanks and quotes', path('fill="url( \'http://127.0.0.1:1/a.svg#b\' )"')],
  ['url() with an escape', path('fill="\\75rl(http://127.0.0.1:1/a.svg#b)"')],
  ['url() with an escaped address', path('fill="url(\\68ttp://127.0.0.1:1/a.svg#b)"')],
  ['url() behind a comment of CSS', path('style="fill:url(/*#*/http://127.0.0.1:1/a.svg#b)"')],
  ['url() with references', path('fill="u&#114;l&#40;http://127.0.0.1:1/a.svg#b)"')],
  ['url() of data', path('fill="url(data:image/svg+xml,x#b)"')],
  ['image-set()', path('style="cursor:image-set(\'http://127.0.0.1:1/a.png\' 1x)"')],
  ['an escaped image-set()', path('style="cursor:image\\2dset(\'a.png\' 1x)"')],
  ['a prefixed image-set()', path('style="cursor:-webkit-image-set(url(#a) 1x)"')],
  ['href', svg('<use href="/etc/passwd#a"/>')],
  ['href with an escape for the number sign', svg('<use href="\\#/../etc/passwd"/>')],
  ['href with a reference', svg('<use href="&#104;ttp://127.0.0.1:1/a.svg#a"/>')],
  ['xlink:href', svg('<use xlink:href="file:///etc/passwd#a"/>')],
  ['another prefix', svg('<use xmlns:y="http://www.w3.org/1999/xlink" y:href="a.svg#a"/>')],
  ['href in single quotes and on lines', svg("<use href\n=\n'a.svg#a'/>")],
  ['xml:base', svg('<g xml:base="http://127.0.0.1:1/a.svg"><use href="#a"/></g>')],
  ['href that is set later', svg('<use href="#a"><set attributeName="href" to="b.svg#a"/></use>')],
  ['an image', svg('<image href="#a"/>')],
  ['an image of another prefix', svg('<s-1:image xmlns:s-1="http://www.w3.org/2000/svg"/>')],
  ['XInclude', svg('<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="#a"/>')],
  ['a declaration', `<!DOCTYPE svg>${SQUARE}`],
  ['CDATA', svg('<style><![CDATA[@import "a.css";]]></style>')],
  ['another instruction', `<?xml-stylesheet href="#a"?>${SQUARE}`],
])('an SVG with %s is refused', async (_name, picture) => {
  await expect(draw(picture)).rejects.toThrow('not a plain drawing')
})

test.each([
  ['a path', SQUARE],
  [
    'a gradient of its own',
    svg(
      '<linearGradient id="g"><stop stop-color="#c00"/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/>',
    ),
  ],
  ['quotes around it', path('style="fill: url( &quot;#g&quot; )"')],
  [
    'classes, comments and a dark colour',
    style('/* colours */ .a\\:b{fill:#c00} @media (prefers-color-scheme: dark){.a{fill:#fff}}'),
  ],
  ['use of its own', svg('<path id="a" d="M0 0h9v9z"/><use xlink:href="#a"/><use href=\'#a\'/>')],
  [
    'special characters and a Windows path',
    svg(
      '<!-- me@example.org --><title>Lamp &#169; &amp; me@example.org</title><path data-file="C:\\Users\\me\\logo.png" d="M0 0h9v9z"/>',
    ),
  ],
  ['a line that says XML', `<?xml version="1.0" encoding="UTF-8"?>\n${SQUARE}`],
])('%s may be in a logo', async (_name, picture) => {
  expect((await draw(picture)).bytes.subarray(1, 4).toString()).toBe('PNG')
})
