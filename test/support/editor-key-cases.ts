// Cases for keys pressed beside objects (images, code, tables …) and in list items with several
// blocks. Used in jsdom and in the browser.

const IMAGE = '<img src="/favicon.svg" alt="pier" width="64" height="64">'
const VIDEO = '<iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE"></iframe>'

/** Objects in a text: the HTML, the element to press, and the part of the saved HTML to expect. */
export const OBJECTS = {
  'code sample': {
    html: '<pre class="language-javascript"><code>let a</code></pre>',
    pressed: 'pre',
    saved: 'let a</code></pre>',
  },
  'captioned image': {
    html: `<figure>${IMAGE}<figcaption>Gulls</figcaption></figure>`,
    pressed: 'img',
    saved: '<figcaption>Gulls</figcaption></figure>',
  },
  image: { html: `<p>${IMAGE}</p>`, pressed: 'img', saved: 'height="64"></p>' },
  video: { html: `<p>${VIDEO}</p>`, pressed: '.mce-object', saved: '</iframe></p>' },
  rule: { html: '<hr>', pressed: 'hr', saved: '<hr>' },
  table: {
    html: '<table><tbody><tr><td>one</td></tr></tbody></table>',
    pressed: undefined,
    saved: '</table>',
  },
}

export const ABOVE = ['Control+Home', 'End', 'Delete']
const BELOW = ['Control+End', 'Home', 'Backspace']
/** The HTML around an object, and the keys that select it there. */
export const NEIGHBOURS: Record<string, [before: string, after: string, keys: string[]]> = {
  'below the first block': ['', '<p>last</p>', BELOW],
  'above the last block, behind a list': ['<ul><li>first</li></ul>', '', ABOVE],
  'above a quote': ['<p>first</p><blockquote>', '<p>said</p></blockquote>', ABOVE],
  'in an item': ['<ul><li>first', '</li><li>last</li></ul>', ABOVE],
  'above an item': ['<ul><li>first', '</li><li>last</li></ul>', BELOW],
}

/** List items with several blocks: where Enter is pressed, and the HTML expected after it. */
export const SPLIT_ITEMS = {
  'at the end of a paragraph': [
    '<li><p>one</p><p>two</p></li>',
    { inside: 'p', isAtEnd: true },
    '<li><p>one</p></li><li><p>new words&nbsp;</p><p>two</p></li>',
  ],
  'at the end of words in bold': [
    '<li><p>first <strong>one</strong></p><p>two</p></li>',
    { inside: 'strong', isAtEnd: true },
    '<li><p>first <strong>one</strong></p></li><li><p>new words&nbsp;</p><p>two</p></li>',
  ],
  'at the start of a paragraph': [
    '<li><p>one</p><p>two</p></li>',
    { inside: 'p + p', isAtEnd: false },
    '<li><p>one</p></li><li><p>new words two</p></li>',
  ],
  'at the end of words before a paragraph': [
    '<li>one<p>two</p></li>',
    { inside: 'li', isAtEnd: true },
    '<li>one</li><li><p>new words&nbsp;</p><p>two</p></li>',
  ],
  'in front of words behind a paragraph': [
    '<li><p>one</p>two</li>',
    { inside: 'p', isAtEnd: true },
    '<li><p>one</p></li><li><p>new words&nbsp;</p>two</li>',
  ],
  'before a quote': [
    '<li><p>one</p><blockquote><p>two</p></blockquote></li>',
    { inside: 'p', isAtEnd: true },
    '<li><p>one</p></li><li><p>new words&nbsp;</p><blockquote><p>two</p></blockquote></li>',
  ],
} as const
