// The tools beside a selected picture: its width on the page, its alternative text and its caption;
// beside a gallery, an embed or a player: the button of its dialog.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import {
  changeFigure,
  EMBED,
  findImage,
  GALLERY,
  type ImageWidth,
  PLAYER,
  putImage,
  readImage,
  readWidth,
} from './editor-objects.ts'
import { OPEN_GALLERY, OPEN_MEDIA } from './insert-objects.ts'
import contentUrl from './media-content.css?url'
import { isElement } from './objects.ts'

const words = texts.pictureTools
const WIDTHS: readonly { width: ImageWidth; name: string }[] = [
  { width: '', name: 'picturetext' },
  { width: 'wide', name: 'picturewide' },
  { width: 'full', name: 'picturefull' },
]
const STYLED = 'figure, .embed, .link-card, img[src]'
const FORMS = ['alt', 'caption'] as const

export function addPictureTools(editor: Editor): void {
  const { registry } = editor.ui
  editor.on('input SetContent NodeChange', () => loadStyles(editor))
  for (const { width, name } of WIDTHS)
    registry.addToggleButton(name, {
      text: words.widths[width || 'text'],
      tooltip: words.widths[width || 'text'],
      onAction: () => setWidth(editor, width),
      onSetup: (button) =>
        onSelection(editor, () => {
          const image = findImage(editor)
          button.setActive(image !== undefined && readWidth(image) === width)
        }),
    })
  for (const form of FORMS)
    registry.addContextForm(`picture${form}`, {
      launch: { type: 'contextformtogglebutton', text: words[form], tooltip: words[form] },
      label: words[form],
      predicate: () => false,
      initValue: () => readValue(editor, form),
      commands: [
        {
          type: 'contextformbutton',
          icon: 'checkmark',
          tooltip: words.apply,
          primary: true,
          onAction: (api) => {
            const value = api.getValue()
            api.hide()
            editor.focus()
            setValue(editor, form, value)
          },
        },
      ],
    })
  registry.addContextToolbar('picture', {
    predicate: (node) => isElement(node) && node.matches('img, figure') && isPicture(editor, node),
    items: `${WIDTHS.map(({ name }) => name).join(' ')} | picturealt picturecaption`,
    position: 'node',
    scope: 'node',
  })
  addChangeButton(editor, { name: 'changegallery', selector: GALLERY, command: OPEN_GALLERY })
  const selector = `${EMBED}, ${PLAYER}`
  addChangeButton(editor, { name: 'changemedia', selector, command: OPEN_MEDIA })
}

/** Few texts need these styles; the package loads them once. */
function loadStyles(editor: Editor): void {
  if (!editor.getBody().querySelector(STYLED)) return
  // Without them the text only looks plainer.
  editor.dom.styleSheetLoader.load(contentUrl).catch(() => {})
}

/**
 * Updates a button now and whenever the selection changes.
 *
 * @returns a function that ends this
 */
export function onSelection(editor: Editor, update: () => void): () => void {
  update()
  editor.on('NodeChange', update)
  return () => editor.off('NodeChange', update)
}

type ChangeButton = { name: string; selector: string; command: string }

function addChangeButton(editor: Editor, { name, selector, command }: ChangeButton): void {
  const { registry } = editor.ui
  const onAction = () => editor.execCommand(command)
  registry.addButton(name, { text: words.change, tooltip: words.change, onAction })
  registry.addContextToolbar(name, {
    predicate: (node) => isElement(node) && node.matches(selector),
    items: name,
    position: 'node',
    scope: 'node',
  })
}

function isPicture(editor: Editor, node: HTMLElement): boolean {
  return findImage(editor, node) !== undefined && !node.matches(PLAYER)
}

function setWidth(editor: Editor, width: ImageWidth): void {
  const image = findImage(editor)
  if (!image) return
  editor.undoManager.transact(() => {
    changeFigure(editor, image, { caption: readImage(image).caption, width })
    editor.selection.select(image.closest('figure') ?? image)
  })
  editor.nodeChanged()
}

function readValue(editor: Editor, form: (typeof FORMS)[number]): string {
  const image = findImage(editor)
  return image ? readImage(image)[form] : ''
}

function setValue(editor: Editor, form: (typeof FORMS)[number], value: string): void {
  const image = findImage(editor)
  if (!image) return
  putImage(editor, { ...readImage(image), [form]: value.trim() }, image)
  editor.selection.select(image.closest('figure') ?? image)
  editor.nodeChanged()
}
