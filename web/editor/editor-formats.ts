// The formats of the editor's tools, limited to elements, attributes and styles that the server
// allows (threat-model.md §8).

import hugerte, { type AstNode, type Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { tableStyles } from './table-styles.ts'

/** The package recognises an image with a caption by this class; the server removes it. */
const FIGURE_CLASS = 'image'
const IS_CODE = /\blanguage-/
/** A gallery, an embed or a link card. */
const IS_BOX = /\b(?:gallery|embed|link-card)\b/
const HAS_WIDTH = /\bwidth-/
const BOX_NOTE = 'data-mce-note'
const WITH_PERCENTAGES = /^(?:table|col|td|th)$/
const PERCENTAGE = /(?<=\bwidth: )([\d.]+)%/g
const SIDES = [
  ['alignleft', 'left'],
  ['aligncenter', 'center'],
  ['alignright', 'right'],
  ['alignjustify', 'justify'],
] as const
const TEXT_BLOCKS = 'p,h1,h2,h3,h4,h5,h6,blockquote,pre,div,ul,ol,li,tr,td,th,caption,figcaption'

/**
 * Text is aligned by a style, images and players by a class: for them the style would need
 * `display`, which the server removes.
 */
const ALIGNMENT = Object.fromEntries(
  SIDES.map(([name, side]) => [
    name,
    [
      {
        selector: 'figure,img,audio,video,iframe',
        classes: `align-${side}`,
        collapsed: false,
        ceFalseOverride: true,
      },
      { selector: 'table', collapsed: false, styles: tableStyles(side) },
      { selector: TEXT_BLOCKS, styles: { textAlign: side }, inherit: false },
    ],
  ]),
)

const { groups, blocks, inline, letters } = texts.formats

hugerte.addI18n('en', texts.packageTexts)

/** @param titles the title of each format, by its name */
function itemsOf(titles: Record<string, string>): { title: string; format: string }[] {
  return Object.entries(titles).map(([format, title]) => ({ title, format }))
}

/** Styles that could cover or hide other content, or load something. All are removed. */
const OVERLAYING = [
  'position',
  'inset',
  'z-index',
  'top',
  'right',
  'bottom',
  'left',
  'transform',
  'translate',
  'display',
  'visibility',
  'opacity',
  'filter',
  'clip-path',
  'pointer-events',
  'cursor',
  'background',
  'background-image',
  'list-style',
  'list-style-image',
  'border-image',
  'border-image-source',
  'mask',
  'mask-image',
  'content',
  'animation',
  'transition',
]

export const EDITOR_FORMATS = {
  formats: ALIGNMENT,
  // A paste that claims to come from the editor may come from another page, too.
  invalid_styles: { '*': OVERLAYING.join(' ') },
  invalid_elements: 'form,input,button,select,textarea,object,embed,details,summary,noframes',
  // The page's title is its only `h1`.
  block_formats: Object.entries(blocks)
    .map(([format, title]) => `${title}=${format}`)
    .join(';'),
  style_formats: [
    { title: groups.headings, items: itemsOf({ h2: blocks.h2, h3: blocks.h3, h4: blocks.h4 }) },
    { title: groups.inline, items: itemsOf({ ...inline, ...letters }) },
    {
      title: groups.blocks,
      items: itemsOf({ p: blocks.p, blockquote: blocks.blockquote, pre: blocks.pre }),
    },
  ],
  // Tables are formatted by styles, because the server removes the old attributes.
  table_style_by_css: true,
  table_default_attributes: {},
  table_default_styles: { 'border-collapse': 'collapse', width: '100%' },
  // Without colours, so that names in the menus keep the colour of the menu.
  preview_styles:
    'font-family font-size font-weight font-style text-decoration text-transform border border-radius',
  // In the editor a player loads nothing from its host.
  media_live_embeds: false,
  media_alt_source: false,
  media_poster: false,
}

/**
 * Converts markup that only the editor uses, and that the server would remove: it is added when
 * HTML is put into the editor, and removed when the HTML is read.
 */
export function convertMarkup(editor: Editor): void {
  lockObjects(editor)
  convertPlayerAlignment(editor)
  editor.serializer.addNodeFilter('table', (tables) => {
    for (const table of tables) table.attr('border', null)
  })
  editor.serializer.addAttributeFilter('style', (styled) => {
    for (const element of styled)
      if (WITH_PERCENTAGES.test(element.name))
        element.attr('style', roundPercentages(element.attr('style') ?? '') || null)
  })
}

/**
 * The package writes the column widths of a table with more digits than the server stores, and with
 * borders their sum is a little over 100 %.
 */
function roundPercentages(style: string): string {
  return style.replace(PERCENTAGE, (_all, percentage: string) => {
    return `${Math.min(Math.round(Number(percentage) * 100) / 100, 100)}%`
  })
}

/**
 * In the editor an image represents a player. The package copies all attributes between the two,
 * except the class.
 */
function convertPlayerAlignment(editor: Editor): void {
  const isAlignment = (word: string): boolean => word.startsWith('align-')
  editor.on('SetContent', () => {
    for (const player of editor.getBody().querySelectorAll('img[data-mce-object]')) {
      player.classList.add(
        ...(player.getAttribute('data-mce-p-class') ?? '').split(' ').filter(isAlignment),
      )
    }
  })
  // Runs before the package's own filter, which puts the player back.
  editor.serializer.addAttributeFilter('data-mce-object', (players) => {
    for (const player of players)
      player.attr(
        'data-mce-p-class',
        player.attr('class')?.split(' ').filter(isAlignment).join(' ') || null,
      )
  })
}

/**
 * Makes code samples, images with a caption, galleries, embeds, link cards and rules atomic: a
 * click selects them, and arrow keys stop next to them. Only the caption of a single image can be
 * edited.
 */
function lockObjects(editor: Editor): void {
  editor.parser.addNodeFilter('hr,pre,figure,p,aside', (nodes) => {
    for (const node of nodes) {
      const isBox = IS_BOX.test(node.attr('class') ?? '')
      if (/^(?:p|aside)$/.test(node.name) && !isBox) continue
      if (node.name === 'pre' && !IS_CODE.test(node.attr('class') ?? '')) continue
      if (node.name === 'figure' && (isInGallery(node) || !(isBox || hasImage(node)))) continue
      node.attr('contenteditable', 'false')
      if (node.name === 'p') node.attr(BOX_NOTE, noteOf(node))
      if (isBox) continue
      const hasMarkup = node.getAll('br').length > 0 || node.getAll('span').some(isColoured)
      if (node.name === 'pre' && hasMarkup) makePlainCode(node)
      if (node.name !== 'figure') continue
      node.attr('class', `${FIGURE_CLASS} ${otherClasses(node)}`.trim())
      for (const caption of node.getAll('figcaption')) caption.attr('contenteditable', 'true')
    }
  })
  editor.serializer.addNodeFilter('hr,pre,figure,figcaption,p,aside', (nodes) => {
    for (const node of nodes) {
      node.attr('contenteditable', null)
      node.attr(BOX_NOTE, null)
      if (node.name !== 'figure') continue
      // A block of an upload (image-uploads.ts) becomes an image later.
      if (isInGallery(node) && !hasImage(node) && node.getAll('div').length === 0) node.remove()
      else if (!isInGallery(node) && !HAS_WIDTH.test(node.attr('class') ?? ''))
        node.attr('class', otherClasses(node) || null)
    }
  })
}

function isInGallery({ parent }: AstNode): boolean {
  return parent?.name === 'figure' && /\bgallery\b/.test(parent.attr('class') ?? '')
}

function hasImage(figure: AstNode): boolean {
  return figure.getAll('img').length > 0
}

/** What the box of an embed says below its title. */
function noteOf(embed: AstNode): string {
  const url = URL.parse(embed.getAll('a')[0]?.attr('href') ?? '')
  return texts.embed.note(url?.hostname.replace(/^www\./, '') ?? '')
}

/**
 * Turns a code sample into plain text, as it was typed: it is edited in its dialog, and coloured
 * only by the server.
 */
export function makePlainCode(sample: AstNode): void {
  // A break at the end only makes room for the caret.
  if (sample.lastChild?.name === 'br') sample.lastChild.remove()
  const code = hugerte.html.Node.create('code')
  const text = hugerte.html.Node.create('#text')
  text.value = readText(sample)
  code.append(text)
  sample.empty().append(code)
}

/** False for the caret's marker, a span that the editor adds when content is inserted. */
function isColoured(span: AstNode): boolean {
  return span.attr('data-mce-type') === undefined
}

function readText(node: AstNode): string {
  let text = node.name === 'br' ? '\n' : (node.value ?? '')
  for (let child = node.firstChild; child; child = child.next) text += readText(child)
  return text
}

function otherClasses(node: AstNode): string {
  const names = node.attr('class')?.split(' ') ?? []
  return names.filter((name) => name !== '' && name !== FIGURE_CLASS).join(' ')
}
