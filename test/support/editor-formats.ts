// The HTML that formatting items of the editor produce, menu by menu (editor-items.ts).
import { COLOURED, type EditorItem, WORD } from './editor-texts.ts'

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

export const FONTS = [
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
  'Tahoma',
  'Terminal',
  'Times New Roman',
  'Trebuchet MS',
  'Verdana',
  'Webdings',
  'Wingdings',
]

export const SIDES = { Left: 'left', Center: 'center', Right: 'right', Justify: 'justify' }

/** As the editor writes a colour. */
function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return `rgb(${red}, ${green}, ${blue})`
}

export function under(
  place: string,
  items: Record<string, string | RegExp>,
  from = WORD,
): Record<string, EditorItem> {
  return Object.fromEntries(
    Object.entries(items).map(([name, makes]) => [`${place} > ${name}`, { from, makes }]),
  )
}

export function colours(place: string, property: string): Record<string, EditorItem> {
  const selected = under(
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
  // The tool takes the colour that was chosen last.
  return { [`${place} > Remove colour`]: { from: COLOURED, makes: left }, ...selected }
}

export const DATES = {
  'format 1': /<p>alpha \d\d:\d\d:\d\d gamma/,
  'format 2': /<p>alpha \d{4}-\d\d-\d\d gamma/,
  'format 3': /<p>alpha \d{1,2}:\d\d:\d\d [AP]M gamma/,
  'format 4': /<p>alpha \d\d\/\d\d\/\d{4} gamma/,
}

export const INLINE = {
  Bold: '<strong>beta</strong>',
  Italic: '<em>beta</em>',
  Underline: '<span style="text-decoration: underline;">beta</span>',
  Strikethrough: '<s>beta</s>',
  Superscript: '<sup>beta</sup>',
  Subscript: '<sub>beta</sub>',
  Code: '<code>beta</code>',
}

export const HEADINGS = {
  'Heading 2': '<h2>alpha',
  'Heading 3': '<h3>alpha',
  'Heading 4': '<h4>alpha',
}

export const BLOCKS = { ...HEADINGS, Quote: '<blockquote>', Code: '<pre>alpha' }

export const HEADING = { html: '<h3>alpha beta gamma</h3>', at: { word: 'beta' } }
