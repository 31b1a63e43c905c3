// The tools, menu items and keys that open our own dialogs of images, links and code samples, in
// place of the package's plugins; and Ctrl+S.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { CODE_SAMPLE, findCode, findImage, findLink, removeLink } from './editor-objects.ts'

/** What a dialog is opened for: the object of the text, or a new one. */
export type Asked =
  | { kind: 'image'; changed: HTMLImageElement | undefined }
  | { kind: 'code'; changed: HTMLElement | undefined }
  | { kind: 'link'; changed: HTMLAnchorElement | undefined }

/** `save` is Ctrl+S: the form's own way to save. */
export type ToolNeeds = { ask: (asked: Asked) => void; save: () => void }

const { editorTools: tools, editorItems: items } = texts
const PLAYER = '[data-mce-object], [data-mce-placeholder]'

export function addObjectTools(needs: ToolNeeds, editor: Editor): void {
  const ask = {
    image: () => needs.ask({ kind: 'image', changed: findImage(editor) }),
    code: () => needs.ask({ kind: 'code', changed: findCode(editor) }),
    link: () => needs.ask({ kind: 'link', changed: findLink(editor) }),
  }
  addTool(editor, 'image', { text: items.image, tooltip: tools.image, icon: 'image' }, ask.image)
  addTool(
    editor,
    'codesample',
    { text: items.code, tooltip: tools.code, icon: 'code-sample' },
    ask.code,
  )
  addTool(
    editor,
    'link',
    { text: items.link, tooltip: tools.link, icon: 'link', shortcut: 'Meta+K' },
    ask.link,
  )
  addQuote(editor)
  addContextMenus(editor)
  editor.addCommand('mceImage', ask.image)
  editor.addCommand('mceLink', ask.link)
  editor.addCommand('codesample', ask.code)
  editor.addShortcut('Meta+K', '', ask.link)
  editor.addShortcut('Meta+S', '', () => needs.save())
  openOnDoubleClick(editor, ask)
  openLinks(editor)
}

type Look = { text: string; tooltip: string; icon: string; shortcut?: string }

const FINDERS = { image: findImage, codesample: findCode, link: findLink }

function addTool(
  editor: Editor,
  name: keyof typeof FINDERS,
  { text, tooltip, ...look }: Look,
  open: () => void,
): void {
  const { registry } = editor.ui
  registry.addToggleButton(name, {
    ...look,
    tooltip,
    onAction: open,
    onSetup: (button) =>
      onSelection(editor, () => {
        button.setActive(FINDERS[name](editor) !== undefined)
        button.setEnabled(mayInsert(editor))
      }),
  })
  registry.addMenuItem(name, {
    ...look,
    text,
    onAction: open,
    onSetup: (item) => onSelection(editor, () => item.setEnabled(mayInsert(editor))),
  })
}

/** The package has one of another name. */
function addQuote(editor: Editor): void {
  editor.ui.registry.addToggleButton('quote', {
    icon: 'quote',
    tooltip: tools.quote,
    onAction: () => editor.execCommand('mceBlockQuote'),
    onSetup: (button) =>
      onSelection(editor, () => {
        button.setActive(editor.formatter.match('blockquote'))
        button.setEnabled(mayInsert(editor))
      }),
  })
}

/** Not while saving; with an object selected it is changed, or another comes after it. */
function mayInsert(editor: Editor): boolean {
  return !editor.mode.isReadOnly()
}

function onSelection(editor: Editor, react: () => void): () => void {
  react()
  editor.on('NodeChange', react)
  return () => editor.off('NodeChange', react)
}

function addContextMenus(editor: Editor): void {
  const { registry } = editor.ui
  registry.addMenuItem('openlink', {
    text: items.openLink,
    icon: 'new-tab',
    onAction: () => openLink(findLink(editor)),
  })
  registry.addMenuItem('unlink', {
    text: items.removeLink,
    icon: 'unlink',
    onAction: () => {
      const link = findLink(editor)
      if (link) removeLink(editor, link)
    },
  })
  registry.addContextMenu('link', {
    update: (element) => {
      if (!editor.dom.isEditable(element)) return ''
      return editor.dom.getParent(element, 'a[href]') ? 'link unlink openlink' : 'link'
    },
  })
  registry.addContextMenu('image', {
    update: (element) =>
      element.matches('img, figure') && !element.matches(PLAYER) ? 'image' : '',
  })
  registry.addContextMenu('codesample', {
    update: (element) => (element.closest(CODE_SAMPLE) ? 'codesample' : ''),
  })
}

function openOnDoubleClick(editor: Editor, ask: Record<'image' | 'code', () => void>): void {
  editor.on('dblclick', ({ target }) => {
    if (!(target instanceof (editor.getWin() as Window & typeof globalThis).Element)) return
    if (target.closest(CODE_SAMPLE)) ask.code()
    else if (target.matches('img') && !target.matches(PLAYER)) ask.image()
  })
}

/** With Ctrl a click on a link opens it, with Alt the key Enter does. */
function openLinks(editor: Editor): void {
  editor.on('click', (event) => {
    const link = editor.dom.getParent(event.target as Node, 'a[href]') as HTMLAnchorElement | null
    if (!link || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    openLink(link)
  })
  editor.on('keydown', (event) => {
    if (event.key !== 'Enter' || !event.altKey || event.ctrlKey || event.shiftKey) return
    const link = findLink(editor)
    if (!link) return
    event.preventDefault()
    openLink(link)
  })
}

function openLink(link: HTMLAnchorElement | undefined): void {
  if (link) window.open(link.href, '_blank', 'noopener,noreferrer')
}
