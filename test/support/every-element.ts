// One text with every element that the server allows in a post, including wide, long, nested and
// floating ones.

const LONG_WORD =
  'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'
const WORDS =
  'The ferry waits for whoever is still on the way down from the church with a basket, and nobody on the quay is in a hurry. '
const COLUMNS = Array.from({ length: 14 }, (_, index) => `Column ${index + 1}`)
const row = (kind: 'th' | 'td', scope = ''): string =>
  `<tr>${COLUMNS.map((name) => `<${kind}${scope}>${name}</${kind}>`).join('')}</tr>`

/** All allowed elements, for a test that expects each of them on the page. */
export const ELEMENTS_SHOWN = [
  'p',
  'br',
  'hr',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'code',
  'strong',
  'em',
  'u',
  's',
  'del',
  'ins',
  'sub',
  'sup',
  'small',

  'mark',
  'abbr',
  'cite',
  'q',
  'kbd',
  'samp',
  'var',
  'time',
  'span',
  'a',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'table',
  'caption',
  'thead',

  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'figure',
  'figcaption',
  'img',
  'audio',
  'video',
  'details',
  'summary',
]

/** @param imageUrl address of an image of this site */
export function everyElement(imageUrl: string): string {
  const image = (attributes = ''): string =>
    `<img src="${imageUrl}" alt="A river" width="1200" height="675"${attributes}>`
  return `
<p>First paragraph. ${WORDS.repeat(2)}</p>
<h2>Heading of the second rank with <em>stress</em> and <code>code</code></h2>
<p>${WORDS}<strong>Strong</strong>, <em>stressed</em>, <u>underlined</u>, <s>struck</s>, <del>deleted</del> <ins>inserted</ins>, H<sub>2</sub>O and
  E = mc<sup>2</sup>, <small>small</small>, <mark>marked</mark>, <abbr title="World Wide Web">WWW</abbr>, <cite>A title</cite>, <q>quoted</q>,
  <kbd>Ctrl</kbd> + <kbd>S</kbd>, <samp>output</samp>, <var>x</var>, <time datetime="2026-01-02">2 January</time>,
  <span style="color: #e03e2d;">red</span>, <span style="color: #000000;">black</span>, <span style="color: #ffffff;">white</span>,
  <span style="background-color: #34495e;">on blue</span>, <span style="color: #ffffff; background-color: #843fa1;">white on purple</span>, <a href="https://example.org/a/long/address/that/goes/on/and/on/without/any/place/to/break?query=1">a link</a>,
  <code>a_very_long_name_of_a_function_that_has_no_place_to_break_at_all_in_it()</code> and ${LONG_WORD}.<br>After a break.</p>
<h3>Heading of the third rank</h3><p style="text-align: justify;">${WORDS.repeat(2)}</p>
<h4>Heading of the fourth rank</h4><p style="padding-left: 40px;">${WORDS}</p>
<h5>Heading of the fifth rank</h5><p style="text-align: right;">${WORDS}</p>
<h6>Heading of the sixth rank</h6><p style="text-align: center;">${WORDS}</p>
<blockquote><p>${WORDS}</p><blockquote><p>Quoted within.</p></blockquote><p><cite>Somebody</cite></p></blockquote>
<ul><li>One</li><li>Two<ul><li>Two a<ol><li>Deeper</li></ol></li></ul></li><li><p>${WORDS}</p><p>Second paragraph</p></li></ul>
<ol style="list-style-type: lower-roman;"><li>One<ol><li>One a</li></ol></li><li>Two</li></ol>
<dl><dt>Term</dt><dd>${WORDS}</dd></dl>
<pre class="language-javascript"><code>const oneVeryLongLine = 'that has to scroll inside itself, since code is never broken: ${'0123456789'.repeat(12)}'
const next = 1</code></pre>
<table><caption>A wide table</caption><thead>${row('th', ' scope="col"')}</thead><tbody>${row('td').repeat(3)}</tbody><tfoot>${row('td')}</tfoot></table>
<table style="border-collapse: collapse; width: 100%;"><tbody><tr><th scope="row">Row</th><td>${WORDS}</td><td style="background-color: #fbeeb8;">Filled</td></tr></tbody></table>
<hr>
<figure>${image()}<figcaption>A caption under a wide image. ${WORDS}</figcaption></figure>
<p>${image(' class="align-left"')}${WORDS.repeat(3)}</p>
<figure class="align-right">${image()}<figcaption>At the right</figcaption></figure><p>${WORDS.repeat(3)}</p>
<figure class="align-center">${image()}<figcaption>In the middle</figcaption></figure>
<p>${image(' style="float: right;"')}${WORDS.repeat(3)}</p>
<details open><summary>More</summary><p>${WORDS}</p></details>
<video src="${imageUrl}" width="640" height="360" controls preload="none"></video>
<audio src="${imageUrl}" controls preload="none"></audio>
<p><iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" width="560" height="314"></iframe></p>
<p dir="rtl" lang="ar">في غرفة المكتب نافذة دُهن إطارها مرّات كثيرة حتى نسيت أنها نافذة.</p>
<p>Last paragraph.</p>`
}
