// Every item of the editor that makes something of the text: where it begins, what is filled in,
// and what must come of it. The names are those that `listItems` reads from the screen. In one
// piece because it is one list.
import type { Page } from '@playwright/test'
import {
  beginWith,
  CONTEXT,
  currentHtml,
  type Filling,
  FLOATING,
  fillDialog,
  type ItemPath,
  type Place,
  pick,
  selectCells,
  TOOLBAR,
  use,
} from './editor-ui.ts'

export type EditorItem = {
  /** The text before, and where the cursor is in it; a word of a paragraph when left out. */
  from?: { html: string; at: Place }
  /** Two cells to draw the pointer across. */
  across?: readonly [string, string]
  /** Pressed before, so that there is something to paste. */
  first?: ItemPath
  /** What the dialog is given. */
  filling?: Filling
  /** Where in the grid of table sizes, or which sign among all. */
  picked?: { row: number; column: number } | { sign: string }
  /**
   * Part of the HTML that comes of it, the widths of cells left aside; all of it for a pattern with
   * both ends.
   */
  makes: string | RegExp
}

const WORD = { html: '<p>alpha beta gamma</p>', at: { word: 'beta' } }
/** Nothing selected. */
const START = { html: '<p>alpha beta gamma</p>', at: { inside: 'p' } }
const cells = (second: string): string =>
  `<table style="border-collapse: collapse; width: 100%;"><tbody><tr><td>one</td><td>two</td></tr><tr>${second}</tr></tbody></table>`
const TABLE = { html: cells('<td>three</td><td>four</td>'), at: { word: 'three' } }
const SPANNING = { html: cells('<td colspan="2">three</td>'), at: { word: 'three' } }
const LINK = { html: '<p>alpha <a href="/post">beta</a></p>', at: { word: 'beta' } }
const STYLED = {
  html: '<p>alpha <strong><em>beta</em></strong> <span style="color: #e03e2d;">gamma</span></p>',
  at: { word: 'beta' },
}
const COLOURED = {
  html: '<p>alpha <span style="color: #e03e2d; background-color: #fbeeb8;">beta</span></p>',
  at: { word: 'beta' },
}

/** A picture of this site, put where the list says this. */
export const PICTURE = 'PICTURE'

const COLOURS = {
  'Light Green': '#bfedd2',
  'Light Yellow': '#fbeeb8',
  'Light Red': '#f8cac6',
  'Light Purple': '#eccafa',
  'Light Blue': '#c2e0f4',
  Green: '#2dc26b',
  Yellow: '#f1c40f',
  Red: '#e03e2d',
  Purple: '#b96ad9',
  Blue: '#3598db',
  'Dark Turquoise': '#169179',
  Orange: '#e67e23',
  'Dark Red': '#ba372a',
  'Dark Purple': '#843fa1',
  'Dark Blue': '#236fa1',
  'Light Gray': '#ecf0f1',
  'Medium Gray': '#ced4d9',
  Gray: '#95a5a6',
  'Dark Gray': '#7e8c8d',
  'Navy Blue': '#34495e',
  Black: '#000000',
  White: '#ffffff',
}
const FONTS = [
  ...[
    'Andale Mono',
    'Arial',
    'Arial Black',
    'Book Antiqua',
    'Comic Sans MS',
    'Courier New',
    'Georgia',
    'Helvetica',
    'Impact',
    'Symbol',
  ],
  ...['Tahoma', 'Terminal', 'Times New Roman', 'Trebuchet MS', 'Verdana', 'Webdings', 'Wingdings'],
]
const SIDES = { Left: 'left', Center: 'center', Right: 'right', Justify: 'justify' }

/** As the editor writes a colour. */
function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return `rgb(${red}, ${green}, ${blue})`
}

function under(
  place: string,
  items: Record<string, string | RegExp>,
  from = WORD,
): Record<string, EditorItem> {
  return Object.fromEntries(
    Object.entries(items).map(([name, makes]) => [`${place} > ${name}`, { from, makes }]),
  )
}

function colours(place: string, property: string): Record<string, EditorItem> {
  const chosen = under(
    place,
    Object.fromEntries(
      Object.entries(COLOURS).map(([name, colour]) => [
        name,
        `style="${property}: ${rgb(colour)};">beta</span>`,
      ]),
    ),
  )
  const left =
    property === 'color'
      ? '<span style="background-color: rgb(251, 238, 184);">beta</span>'
      : '<span style="color: rgb(224, 62, 45);">beta</span>'
  return {
    ...chosen,
    [`${place} > Remove color`]: { from: COLOURED, makes: left },
    [`${place} > Custom color`]: {
      from: WORD,
      filling: { '#': '12ab9f' },
      makes: `style="${property}: rgb(18, 171, 159);">beta</span>`,
    },
  }
}

const DATES = {
  'format 1': /<p>alpha \d\d:\d\d:\d\d gamma/,
  'format 2': /<p>alpha \d{4}-\d\d-\d\d gamma/,
  'format 3': /<p>alpha \d{1,2}:\d\d:\d\d [AP]M gamma/,
  'format 4': /<p>alpha \d\d\/\d\d\/\d{4} gamma/,
}
const INLINE = {
  Bold: '<strong>beta</strong>',
  Italic: '<em>beta</em>',
  Underline: '<span style="text-decoration: underline;">beta</span>',
  Strikethrough: '<s>beta</s>',
  Superscript: '<sup>beta</sup>',
  Subscript: '<sub>beta</sub>',
  Code: '<code>beta</code>',
}
const HEADINGS = { 'Heading 2': '<h2>alpha', 'Heading 3': '<h3>alpha', 'Heading 4': '<h4>alpha' }
const BLOCKS = { ...HEADINGS, Quote: '<blockquote>', Code: '<pre>alpha' }
const HEADING = { html: '<h3>alpha beta gamma</h3>', at: { word: 'beta' } }

function rowsAndColumns(row: string, column: string): Record<string, EditorItem> {
  return {
    [`${row}Insert row before`]: {
      from: TABLE,
      makes: '<td>two</td>\n</tr>\n<tr>\n<td>&nbsp;</td>\n<td>&nbsp;</td>\n</tr>\n<tr>\n<td>three',
    },
    [`${row}Insert row after`]: {
      from: TABLE,
      makes: '<td>four</td>\n</tr>\n<tr>\n<td>&nbsp;</td>\n<td>&nbsp;</td>\n</tr>',
    },
    [`${row}Delete row`]: {
      from: TABLE,
      makes: '<tbody>\n<tr>\n<td>one</td>\n<td>two</td>\n</tr>\n</tbody>',
    },
    [`${column}Insert column before`]: { from: TABLE, makes: '<td>&nbsp;</td>\n<td>three</td>' },
    [`${column}Insert column after`]: {
      from: TABLE,
      makes: '<td>three</td>\n<td>&nbsp;</td>\n<td>four</td>',
    },
    [`${column}Delete column`]: {
      from: TABLE,
      makes: '<tr>\n<td>two</td>\n</tr>\n<tr>\n<td>four</td>\n</tr>',
    },
  }
}

const TABLE_LOOKS: Filling = {
  Width: '90%',
  Height: '120px',
  'Cell spacing': '4px',
  'Cell padding': '6px',
  'Border width': '2px',
  'Show caption': true,
  Alignment: 'Center',
  Advanced: true,
  'Border style': 'Dashed',
  'Border color': '#e03e2d',
  'Background color': '#fbeeb8',
}
const CELL_LOOKS: Filling = {
  Width: '40%',
  'Cell type': 'Header cell',
  Scope: 'Row',
  'Horizontal align': 'Right',
  'Vertical align': 'Bottom',
  Advanced: true,
  'Border width': '3px',
  'Border style': 'Dotted',
  'Border color': '#3598db',
  'Background color': '#ecf0f1',
}
const ROW_LOOKS: Filling = {
  'Row type': 'Header',
  Alignment: 'Center',
  Height: '48px',
  Advanced: true,
  'Border style': 'Solid',
  'Border color': '#2dc26b',
  'Background color': '#c2e0f4',
}
const LINK_FILLING: Filling = {
  URL: 'https://example.org/a?b=c&d=e#f',
  'Text to display': 'elsewhere',
  Title: 'A tip',
  'Open link in...': 'New window',
}
const LINK_MADE =
  '<a title="A tip" href="https://example.org/a?b=c&amp;d=e#f" target="_blank" rel="noopener">elsewhere</a>'
const IMAGE_FILLING: Filling = {
  Source: PICTURE,
  'Alternative description': 'Gulls on a rail',
  Width: '24',
  Height: '16',
}
const IMAGE_MADE = 'alt="Gulls on a rail" width="24" height="16">'

const MEDIA = {
  picture: {
    html: `<p><img src="${PICTURE}" alt="Gulls on a rail" width="24" height="16"></p>`,
    at: { pressed: 'img' },
  },
  'picture with a caption': {
    html: `<figure><img src="${PICTURE}" alt="Gulls on a rail" width="24" height="16"><figcaption>Gulls</figcaption></figure>`,
    at: { pressed: 'img' },
  },
  player: {
    html: '<p><iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" width="560" height="314"></iframe></p>',
    at: { pressed: 'img' },
  },
}
const MEDIA_SIDES = { Left: 'align-left', Center: 'align-center', Right: 'align-right' }

/** Sides of what is no text; what is in brackets is not on the screen. */
function mediaSides(): Record<string, EditorItem> {
  const made = Object.entries(MEDIA).flatMap(([kind, from]) =>
    Object.entries(MEDIA_SIDES).map(([name, side]): [string, EditorItem] => [
      `Format > Align > ${name} (${kind})`,
      { from, makes: side },
    ]),
  )
  return Object.fromEntries(made)
}

/** What makes something of the text, by its name. */
export const EDITOR_ITEMS: Record<string, EditorItem> = {
  'File > New document': { makes: /^$/ },
  'Edit > Cut': { makes: '<p>alpha&nbsp; gamma</p>' },
  'Insert > Image...': {
    filling: { ...IMAGE_FILLING, 'Show caption': true },
    makes: `${IMAGE_MADE}\n<figcaption>Caption</figcaption>`,
  },
  'Insert > Link...': { filling: LINK_FILLING, makes: LINK_MADE },
  'Insert > Media...': {
    filling: { Source: 'https://www.youtube.com/watch?v=M7lc1UVf-VE' },
    makes: '<iframe src="https://www.youtube.com/embed/M7lc1UVf-VE" width="560" height="314"',
  },
  'Insert > Code sample...': {
    from: START,
    filling: { Language: 'JavaScript', 'Code view': 'const a = 1 < 2 && "b"' },
    makes: '<pre class="language-javascript"><code>const a = 1 &lt; 2 &amp;&amp; "b"</code></pre>',
  },
  'Insert > Table': {
    picked: { row: 2, column: 3 },
    makes: /(?:<tr>\n(?:<td>&nbsp;<\/td>\n){3}<\/tr>\n){2}/,
  },
  'Insert > Special character...': {
    picked: { sign: 'euro sign' },
    makes: '<p>alpha &euro; gamma</p>',
  },
  'Insert > Horizontal line': { makes: '<hr>' },
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
  ...colours('Format > Text color', 'color'),
  ...colours('Format > Background color', 'background-color'),
  ...colours(`${TOOLBAR} > Text color`, 'color'),
  'Format > Clear formatting': { from: STYLED, makes: '<p>alpha beta <span' },
  'Table > Table': {
    picked: { row: 1, column: 1 },
    makes: '<tbody>\n<tr>\n<td>&nbsp;</td>\n</tr>\n</tbody>',
  },
  'Table > Cell > Cell properties': {
    from: TABLE,
    filling: CELL_LOOKS,
    makes:
      /<th style="width: 40%; background-color: [^;]*; text-align: right; vertical-align: bottom; border: 3px dotted [^;]*;" scope="row">three<\/th>/,
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
      /width: 100%;">\n<thead>\n<tr style="height: 48px; background-color: [^;]*; border-color: [^;]*; border-style: solid; text-align: center;">\n<td>three/,
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
      /<table style="border-collapse: collapse; width: 90%; height: 120px; border-spacing: 4px; background-color: [^;]*; margin-left: auto; margin-right: auto; border: 2px dashed [^;]*;"><caption>Caption/,
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
  [`${FLOATING} > Delete table`]: {
    from: { ...TABLE, html: `<p>alpha</p>${TABLE.html}` },
    makes: '<p>alpha</p>',
  },
  [`${TOOLBAR} > Insert/edit image`]: {
    filling: { Source: PICTURE, 'Image is decorative': true, Width: '24', Height: '16' },
    makes: 'alt="" width="24" height="16">',
  },
  ...under(TOOLBAR, {
    Bold: INLINE.Bold,
    Italic: INLINE.Italic,
    'Text color': /<span style="color: rgb\(\d+, \d+, \d+\);">beta/,
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

/**
 * What makes nothing of the text by itself: `writing-editor-tools.test.ts` tells what each of these
 * does.
 */
export const EDITOR_TOOLS = [
  ...([
    'File > Preview',
    'File > Print...',
    'View > Preview',
    'View > Source code',
    'View > Visual aids',
    'View > Show blocks',
    'View > Fullscreen',
  ] as const),
  ...([
    'Edit > Undo',
    'Edit > Redo',
    'Edit > Copy',
    'Edit > Paste',
    'Edit > Paste as text',
    'Edit > Select all',
    'Edit > Find and replace...',
  ] as const),
  ...([
    'Tools > Source code',
    'Tools > Word count',
    'Help > Help',
    'Toolbar > Help',
    'Toolbar > Undo',
    'Toolbar > Redo',
  ] as const),
  ...(['Table > Row > Copy row', 'Table > Column > Copy column'] as const),
  ...([
    'Context menu > Link...',
    'Context menu > Open link',
    'Context menu > Image...',
    'Context menu > Table properties',
  ] as const),
  ...([
    'Context menu > Cell',
    'Context menu > Row',
    'Context menu > Column',
    'Context menu > Delete table',
  ] as const),
] as const

/** The name of an item as `listItems` reads it. */
export const onScreen = (name: string): string => name.replace(/ \(.*\)$/, '')

/** Begins anew, uses one item as a writer does, and answers what the text is then. */
export async function makeWith(page: Page, name: string, picture: string): Promise<string> {
  const { from = WORD, across, first, filling, picked } = EDITOR_ITEMS[name] ?? { makes: '' }
  await beginWith(page, from.html.replace(PICTURE, picture), from.at)
  if (across) await selectCells(page, across)
  if (first) await use(page, first)
  await use(page, onScreen(name).split(' > '))
  if (picked) await pick(page, picked)
  if (filling)
    await fillDialog(
      page,
      Object.fromEntries(
        Object.entries(filling).map(([label, value]) => [
          label,
          value === PICTURE ? picture : value,
        ]),
      ),
    )
  return await currentHtml(page)
}

/** The same without the widths of cells, which are as wide as the screen lets them be. */
export function withoutWidths(html: string): string {
  return html.replace(/(<td)[^>]* style="width: [\d.]+%;"/g, '$1')
}
