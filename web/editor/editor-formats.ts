// The formats of the editor's tools, limited to elements, attributes and styles that the server's
// cleaning keeps (threat-model.md §8). Knows nothing of cleaning itself.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { CODE_SAMPLE, readCode, TYPED_SAMPLE } from './editor-objects.ts'

const IS_CODE = /\blanguage-/
const SHARED = /^(?:table|col|td|th)$/
const SHARE = /(?<=\bwidth: )([\d.]+)%/g
const SIDES = [
  ['alignleft', 'left'],
  ['aligncenter', 'center'],
  ['alignright', 'right'],
  ['alignjustify', 'justify'],
] as const
const TEXT_BLOCKS = 'p,h1,h2,h3,h4,h5,h6,blockquote,pre,div,ul,ol,li,tr,td,th,caption,figcaption'

/**
 * Text is aligned by a style, images and players by a class: for them the style would need
 * `display`, which is not kept.
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

function tableStyles(side: (typeof SIDES)[number][1]): Record<string, string> {
  if (side === 'center') return { marginLeft: 'auto', marginRight: 'auto' }
  return side === 'justify' ? {} : { float: side }
}

const { groups, blocks, inline, letters } = texts.formats

/** @param titles by the name of the format */
function itemsOf(titles: Record<string, string>): { title: string; format: string }[] {
  return Object.entries(titles).map(([format, title]) => ({ title, format }))
}

/** Styles by which a pasted text lies over others, hides them or loads something. None is kept. */
const OVERLAYING = [
  ...['position', 'inset', 'z-index', 'top', 'right', 'bottom', 'left', 'transform', 'translate'],
  ...['display', 'visibility', 'opacity', 'filter', 'clip-path', 'pointer-events', 'cursor'],
  ...['background', 'background-image', 'list-style', 'list-style-image', 'border-image'],
  ...['border-image-source', 'mask', 'mask-image', 'content', 'animation', 'transition'],
]

export const EDITOR_FORMATS = {
  formats: ALIGNMENT,
  // What says that it comes from the editor itself may come from another page, too.
  invalid_styles: { '*': OVERLAYING.join(' ') },
  invalid_elements: 'form,input,button,select,textarea,object,embed,details,summary',
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
  // Tables are formatted by styles, because the old attributes are not kept.
  table_style_by_css: true,
  table_default_attributes: {},
  table_default_styles: { 'border-collapse': 'collapse', width: '100%' },
  // Without colours, so that names in the menus keep the colour of the menu.
  preview_styles:
    'font-family font-size font-weight font-style text-decoration text-transform border border-radius',
  // While writing, a player in the text loads nothing from its host.
  media_live_embeds: false,
  media_alt_source: false,
  media_poster: false,
}

/**
 * Converts markup that only the editor uses, and that the server would not keep: it is added when
 * HTML is put into the editor, and removed when it is read.
 */
export function convertMarkup(editor: Editor): void {
  convertFigures(editor)
  convertCode(editor)
  keepAlignmentOfPlayers(editor)
  // The editor's dialog marks a decorative image by its role; readers know it by the empty `alt`.
  editor.parser.addNodeFilter('img', (images) => {
    for (const image of images) if (image.attr('alt') === '') image.attr('role', 'presentation')
  })
  editor.serializer.addNodeFilter('img', (images) => {
    for (const image of images) image.attr('role', null)
  })
  editor.serializer.addNodeFilter('table', (tables) => {
    for (const table of tables) table.attr('border', null)
  })
  editor.serializer.addAttributeFilter('style', (styled) => {
    for (const one of styled)
      if (SHARED.test(one.name)) one.attr('style', roundShares(one.attr('style') ?? '') || null)
  })
}

/**
 * The package measures the shares of a table with more digits than the server keeps, and a rule at
 * the edge makes them a little more than the whole.
 */
function roundShares(style: string): string {
  return style.replace(SHARE, (_all, share: string) => {
    return `${Math.min(Math.round(Number(share) * 100) / 100, 100)}%`
  })
}

/**
 * In the editor an image represents a player; the package copies all attributes to it but the
 * class.
 */
function keepAlignmentOfPlayers(editor: Editor): void {
  const isAlignment = (word: string): boolean => word.startsWith('align-')
  editor.on('SetContent', () => {
    for (const player of editor.getBody().querySelectorAll('img[data-mce-object]')) {
      player.classList.add(
        ...(player.getAttribute('data-mce-p-class') ?? '').split(' ').filter(isAlignment),
      )
    }
  })
  // Before the package's own filter, which puts the player back.
  editor.serializer.addAttributeFilter('data-mce-object', (players) => {
    for (const player of players)
      player.attr(
        'data-mce-p-class',
        player.attr('class')?.split(' ').filter(isAlignment).join(' ') || null,
      )
  })
}

/**
 * A code sample stands as a whole, and is changed in its dialog. Its colours are the server's
 * business: in the editor it is plain text, as it was typed.
 */
function convertCode(editor: Editor): void {
  editor.parser.addNodeFilter('pre', (samples) => {
    for (const sample of samples)
      if (IS_CODE.test(sample.attr('class') ?? '')) sample.attr('contenteditable', 'false')
  })
  editor.serializer.addNodeFilter('pre', (samples) => {
    for (const sample of samples)
      if (IS_CODE.test(sample.attr('class') ?? '')) sample.attr('contenteditable', null)
  })
  editor.on('SetContent', () => {
    for (const sample of editor.dom.select(`${CODE_SAMPLE}:not([${TYPED_SAMPLE}])`)) {
      const [only] = sample.childNodes
      const isPlain =
        sample.childNodes.length === 1 &&
        only?.nodeName === 'CODE' &&
        only.firstChild === only.lastChild &&
        only.firstChild?.nodeType !== Node.ELEMENT_NODE
      if (isPlain) continue
      const code = editor.dom.create('code')
      code.textContent = readCode(sample).code
      sample.replaceChildren(code)
    }
  })
}

/** The editor recognises images with a caption by a class, which the server does not keep. */
function convertFigures(editor: Editor): void {
  editor.parser.addNodeFilter('figure', (figures) => {
    for (const figure of figures) {
      if (figure.getAll('img').length === 0) continue
      figure.attr('class', addClass(figure.attr('class'), 'image'))
      // It stands as a whole; only its caption is written in.
      figure.attr('contenteditable', 'false')
      for (const caption of figure.getAll('figcaption')) caption.attr('contenteditable', 'true')
    }
  })
  editor.serializer.addNodeFilter('figure', (figures) => {
    for (const figure of figures) {
      figure.attr('class', withoutClass(figure.attr('class'), 'image'))
      figure.attr('contenteditable', null)
      for (const caption of figure.getAll('figcaption')) caption.attr('contenteditable', null)
    }
  })
}

function addClass(list: string | undefined, name: string): string {
  const names = list?.split(' ').filter(Boolean) ?? []
  return names.includes(name) ? names.join(' ') : [name, ...names].join(' ')
}

function withoutClass(list: string | undefined, name: string): string | null {
  return (
    list
      ?.split(' ')
      .filter((one) => one !== '' && one !== name)
      .join(' ') || null
  )
}
