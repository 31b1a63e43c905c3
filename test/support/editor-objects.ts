// Dialog input for tables, links and images, and the expected HTML (editor-items.ts).
import { type EditorItem, IMAGE, TABLE } from './editor-texts.ts'
import type { Filling } from './editor-ui.ts'

export function rowsAndColumns(row: string, column: string): Record<string, EditorItem> {
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

export const TABLE_LOOKS: Filling = {
  Width: '90%',
  Height: '120',
  Caption: 'Shown',
  Alignment: 'Centre',
  'Border width': '2',
  'Border style': 'Dashed',
  'Border colour': '#e03e2d',
  'Background colour': '#fbeeb8',
}

export const CELL_LOOKS: Filling = {
  Width: '40%',
  'Kind of cell': 'Header cell',
  Alignment: 'Right',
  'Vertical alignment': 'Bottom',
  'Border width': '3px',
  'Border style': 'Dotted',
  'Border colour': '#3598db',
  'Background colour': '#ecf0f1',
}

export const ROW_LOOKS: Filling = {
  'Kind of row': 'Header',
  Alignment: 'Centre',
  Height: '48px',
  'Border style': 'Solid',
  'Border colour': '#2dc26b',
  'Background colour': '#c2e0f4',
}

export const LINK_FILLING: Filling = {
  Text: 'elsewhere',
  URL: 'https://example.org/a?b=c&d=e#f',
}

export const LINK_MADE =
  '<p>alpha <a href="https://example.org/a?b=c&amp;d=e#f">elsewhere</a> gamma</p>'

export const IMAGE_FILLING: Filling = {
  'Use a URL instead': true,
  'Image URL': IMAGE,
  'What is in the picture alt text': 'Gulls on a rail',
}

export const IMAGE_MADE = 'alt="Gulls on a rail" width="24" height="16">'

const MEDIA = {
  image: {
    html: `<p><img src="${IMAGE}" alt="Gulls on a rail" width="24" height="16"></p>`,
    at: { pressed: 'img' },
  },
  'image with a caption': {
    html: `<figure><img src="${IMAGE}" alt="Gulls on a rail" width="24" height="16"><figcaption>Gulls</figcaption></figure>`,
    at: { pressed: 'img' },
  },
  player: {
    html: '<p><iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" width="560" height="314"></iframe></p>',
    at: { pressed: 'img' },
  },
}

const MEDIA_SIDES = { Left: 'align-left', Center: 'align-center', Right: 'align-right' }

/** Alignment of images and players; the part of the name in brackets is not on the screen. */
export function mediaSides(): Record<string, EditorItem> {
  const cases = Object.entries(MEDIA).flatMap(([kind, from]) =>
    Object.entries(MEDIA_SIDES).map(([name, side]): [string, EditorItem] => [
      `Format > Align > ${name} (${kind})`,
      { from, makes: side },
    ]),
  )
  return Object.fromEntries(cases)
}
