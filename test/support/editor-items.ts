// Every editor item that changes the text: the initial text, the input of its dialog and the
// expected HTML. The names are those that `listItems` reads from the screen. In one piece because
// it is one list.
import type { Page } from '@playwright/test'
import {
  BLOCKS,
  colours,
  DATES,
  FONTS,
  HEADING,
  HEADINGS,
  INLINE,
  SIDES,
  under,
} from './editor-formats.ts'
import {
  CELL_LOOKS,
  IMAGE_FILLING,
  IMAGE_MADE,
  LINK_FILLING,
  LINK_MADE,
  mediaSides,
  ROW_LOOKS,
  rowsAndColumns,
  TABLE_LOOKS,
} from './editor-objects.ts'
import {
  type EditorItem,
  IMAGE,
  LINK,
  PICTURE,
  SPANNING,
  START,
  STYLED,
  TABLE,
  WORD,
} from './editor-texts.ts'
import {
  beginWith,
  CONTEXT,
  FLOATING,
  fillDialog,
  pick,
  selectCells,
  TOOLBAR,
  use,
} from './editor-ui.ts'

/** Items that change the text, by name. */
export const EDITOR_ITEMS: Record<string, EditorItem> = {
  'File > New document': { makes: /^$/ },
  'Edit > Cut': { makes: '<p>alpha&nbsp; gamma</p>' },
  'Insert > Image...': {
    filling: { ...IMAGE_FILLING, 'Caption optional': 'Night' },
    makes: `${IMAGE_MADE}\n<figcaption>Night</figcaption>\n</figure>`,
  },
  'Insert > Link...': { filling: LINK_FILLING, makes: LINK_MADE },
  'Insert > Media...': {
    filling: { Source: 'https://www.youtube.com/watch?v=M7lc1UVf-VE' },
    makes:
      '<iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" width="560" height="314"',
  },
  'Insert > Code sample...': {
    from: START,
    filling: { Language: 'JavaScript', Code: 'const a = 1 < 2 && "b"' },
    makes: '<pre class="language-javascript"><code>const a = 1 &lt; 2 &amp;&amp; "b"</code></pre>',
  },
  'Insert > Table': {
    picked: { row: 2, column: 3 },
    makes:
      /<thead>\n<tr>\n(?:<th[^>]* scope="col">&nbsp;<\/th>\n){3}<\/tr>\n<\/thead>\n<tbody>\n<tr>\n(?:<td>&nbsp;<\/td>\n){3}<\/tr>/,
  },
  'Insert > Special character...': {
    picked: { character: 'Euro sign' },
    makes: '<p>alpha &euro; gamma</p>',
  },
  'Insert > Horizontal line': { makes: '<hr>' },
  'Insert > Contents': { makes: '<nav class="contents"></nav>' },
  ...under('Insert > Date/time', DATES),
  ...under('Format', INLINE),
  ...under('Format > Formats > Inline', INLINE),
  ...under('Format > Formats > Headings', HEADINGS),
  ...under('Format > Formats > Blocks', { Quote: BLOCKS.Quote, Code: BLOCKS.Code }),
  ...under('Format > Formats > Blocks', { Paragraph: '<p>alpha' }, HEADING),
  ...under('Format > Blocks', BLOCKS),
  ...under('Format > Blocks', { Paragraph: '<p>alpha' }, HEADING),
  ...under(`${TOOLBAR} > Blocks`, BLOCKS),
  ...under(`${TOOLBAR} > Blocks`, { Paragraph: '<p>alpha' }, HEADING),
  ...under(
    'Format > Fonts',
    Object.fromEntries(
      FONTS.map((font) => [
        font,
        `<span style="font-family: ${/ /.test(font) ? `'${font.toLowerCase()}'` : font.toLowerCase()}`,
      ]),
    ),
  ),
  ...under(
    'Format > Font sizes',
    Object.fromEntries(
      ['8pt', '10pt', '12pt', '14pt', '18pt', '24pt', '36pt'].map((size) => [
        size,
        `<span style="font-size: ${size};">beta`,
      ]),
    ),
  ),
  ...under(
    'Format > Line height',
    Object.fromEntries(
      ['1', '1.1', '1.2', '1.3', '1.4', '1.5', '2'].map((height) => [
        height,
        `<p style="line-height: ${height};">`,
      ]),
    ),
  ),
  ...under(
    'Format > Align',
    Object.fromEntries(
      Object.entries(SIDES).map(([name, side]) => [name, `<p style="text-align: ${side};">`]),
    ),
  ),
  ...mediaSides(),
  ...colours('Format > Text colour', 'color'),
  ...colours('Format > Background colour', 'background-color'),
  ...colours(`${TOOLBAR} > Text colour`, 'color'),
  'Format > Clear formatting': { from: STYLED, makes: '<p>alpha beta <span' },
  'Table > Table': {
    picked: { row: 1, column: 1 },
    makes: /<thead>\n<tr>\n<th[^>]* scope="col">&nbsp;<\/th>\n<\/tr>\n<\/thead>/,
  },
  'Table > Cell > Cell properties': {
    from: TABLE,
    filling: CELL_LOOKS,
    makes:
      /<th style="width: 40%; text-align: right; vertical-align: bottom; background-color: [^;]*; border: 3px dotted [^;]*;">three<\/th>/,
  },
  'Table > Cell > Merge cells': {
    from: TABLE,
    across: ['three', 'four'],
    makes: '<td colspan="2">three<br>four</td>',
  },
  'Table > Cell > Split cell': { from: SPANNING, makes: '<td>three</td>\n<td>&nbsp;</td>' },
  ...rowsAndColumns('Table > Row > ', 'Table > Column > '),
  ...rowsAndColumns(`${FLOATING} > `, `${FLOATING} > `),
  'Table > Row > Row properties': {
    from: TABLE,
    filling: ROW_LOOKS,
    makes:
      /width: 100%;">\n<thead>\n<tr style="height: 48px; text-align: center; background-color: [^;]*; border-style: solid; border-color: [^;]*;">\n<th scope="col">three/,
  },
  'Table > Row > Cut row': {
    from: TABLE,
    makes: '<tbody>\n<tr>\n<td>one</td>\n<td>two</td>\n</tr>\n</tbody>',
  },
  'Table > Row > Paste row before': {
    from: TABLE,
    first: ['Table', 'Row', 'Cut row'],
    makes: /<td>three<\/td>\n<td>four<\/td>\n<\/tr>\n<tr>\n<td>one/,
  },
  'Table > Row > Paste row after': {
    from: TABLE,
    first: ['Table', 'Row', 'Cut row'],
    makes: /<td>one<\/td>\n<td>two<\/td>\n<\/tr>\n<tr>\n<td>three/,
  },
  'Table > Column > Cut column': {
    from: TABLE,
    makes: '<tr>\n<td>two</td>\n</tr>\n<tr>\n<td>four</td>\n</tr>',
  },
  'Table > Column > Paste column before': {
    from: TABLE,
    first: ['Table', 'Column', 'Cut column'],
    makes: '<td>three</td>\n<td>four</td>',
  },
  'Table > Column > Paste column after': {
    from: TABLE,
    first: ['Table', 'Column', 'Cut column'],
    makes: '<td>four</td>\n<td>three</td>',
  },
  'Table > Table properties': {
    from: TABLE,
    filling: TABLE_LOOKS,
    makes:
      /<table style="border-collapse: collapse; width: 90%; height: 120px; margin-left: auto; margin-right: auto; background-color: [^;]*; border: 2px dashed [^;]*;"><caption>Caption/,
  },
  'Table > Delete table': {
    from: { ...TABLE, html: `<p>alpha</p>${TABLE.html}` },
    makes: '<p>alpha</p>',
  },
  [`${FLOATING} > Table properties`]: {
    from: TABLE,
    filling: { Width: '50%', Alignment: 'Left' },
    makes: 'float: left',
  },
  [`${FLOATING} > Text width`]: { from: PICTURE, makes: '<p><img' },
  [`${FLOATING} > Wide`]: { from: PICTURE, makes: '<figure class="image width-wide"><img' },
  [`${FLOATING} > Full width`]: { from: PICTURE, makes: '<figure class="image width-full"><img' },
  [`${FLOATING} > Delete table`]: {
    from: { ...TABLE, html: `<p>alpha</p>${TABLE.html}` },
    makes: '<p>alpha</p>',
  },
  [`${TOOLBAR} > Image`]: {
    filling: { 'Use a URL instead': true, 'Image URL': IMAGE },
    makes: 'alt="" width="24" height="16"></p>',
  },
  [`${TOOLBAR} > Link (Ctrl+K)`]: { filling: LINK_FILLING, makes: LINK_MADE },
  [`${TOOLBAR} > Quote`]: { makes: '<blockquote>\n<p>alpha beta gamma</p>\n</blockquote>' },
  [`${TOOLBAR} > Code sample`]: {
    from: START,
    filling: { Language: 'C#', Code: 'var a = 1;' },
    makes: '<pre class="language-csharp"><code>var a = 1;</code></pre>',
  },
  ...under(TOOLBAR, {
    Bold: INLINE.Bold,
    Italic: INLINE.Italic,
    'Text colour': /<span style="color: rgb\(\d+, \d+, \d+\);">beta/,
  }),
  ...under(TOOLBAR, {
    'Align left': '<p style="text-align: left;">',
    'Align center': '<p style="text-align: center;">',
  }),
  ...under(TOOLBAR, {
    'Align right': '<p style="text-align: right;">',
    Justify: '<p style="text-align: justify;">',
  }),
  ...under(TOOLBAR, { 'Bullet list': '<ul>\n<li>alpha', 'Numbered list': '<ol>\n<li>alpha' }),
  ...under(`${TOOLBAR} > Bullet list`, {
    Default: '<ul>',
    Circle: '<ul style="list-style-type: circle;">',
    Square: '<ul style="list-style-type: square;">',
  }),
  ...under(`${TOOLBAR} > Numbered list`, {
    Default: '<ol>',
    ...Object.fromEntries(
      ['Lower Alpha', 'Lower Greek', 'Lower Roman', 'Upper Alpha', 'Upper Roman'].map((kind) => [
        kind,
        `<ol style="list-style-type: ${kind.toLowerCase().replace(' ', '-')};">`,
      ]),
    ),
  }),
  [`${TOOLBAR} > Decrease indent`]: {
    from: { html: '<p style="padding-left: 80px;">alpha beta</p>', at: { word: 'beta' } },
    makes: '<p style="padding-left: 40px;">',
  },
  [`${TOOLBAR} > Increase indent`]: { makes: '<p style="padding-left: 40px;">' },
  [`${TOOLBAR} > Clear formatting`]: { from: STYLED, makes: '<p>alpha beta <span' },
  [`${CONTEXT} > Remove link`]: { from: LINK, makes: '<p>alpha beta</p>' },
}

/** The name of an item as `listItems` reads it. */
export const onScreen = (name: string): string => name.replace(/ \(.*\)$/, '')

/** Begins with a fresh text and uses one item as a writer does. */
export async function makeWith(page: Page, name: string, image: string): Promise<void> {
  const { from = WORD, across, first, filling, picked } = EDITOR_ITEMS[name] ?? { makes: '' }
  await beginWith(page, from.html.replace(IMAGE, image), from.at)
  if (across) await selectCells(page, across)
  if (first) await use(page, first)
  await use(page, onScreen(name).split(' > '))
  if (picked) await pick(page, picked)
  if (filling)
    await fillDialog(
      page,
      Object.fromEntries(
        Object.entries(filling).map(([label, value]) => [label, value === IMAGE ? image : value]),
      ),
    )
}

/** Removes the widths of cells, which depend on the width of the screen. */
export function withoutWidths(html: string): string {
  return html.replace(/(<td)[^>]* style="width: [\d.]+%;"/g, '$1')
}
