// The tools, menu items and keys that open our dialogs for images, players, links and code samples,
// instead of the package's, and the other dialogs that the package's own tools would open; and
// Ctrl+S.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import {
  CODE_SAMPLE,
  EMBED,
  findCode,
  findGallery,
  findImage,
  findLink,
  findPlayer,
  GALLERY,
  PLAYER,
  removeLink,
} from './editor-objects.ts'
import { OPEN_GALLERY, OPEN_LINK_CARD, OPEN_MEDIA } from './insert-objects.ts'
import { isElement } from './objects.ts'
import { addPictureTools, onSelection } from './picture-toolbar.ts'

/** The dialogs whose code is loaded when they are opened (tool-dialogs.tsx). */
export type ToolName = 'source' | 'characters' | 'keys' | 'find' | 'table' | 'row' | 'cell'

export type ToolDialogProps = {
  editor: Editor
  /** Closes the dialog, and changes the text once the focus is back there. */
  closeAndApply: (apply: () => void) => void
  onClose: () => void
}

/** Opens a dialog to edit the `existing` object of the text, or to insert a new one. */
export type DialogRequest =
  | { kind: 'image'; existing: HTMLImageElement | undefined }
  | { kind: 'code'; existing: HTMLElement | undefined }
  | { kind: 'link'; existing: HTMLAnchorElement | undefined }
  | { kind: 'media'; existing: HTMLElement | undefined }
  | { kind: 'tool'; name: ToolName }
  | { kind: 'gallery'; existing: HTMLElement | undefined }
  | { kind: 'card'; existing: undefined }

export type ToolOptions = {
  openDialog: (request: DialogRequest) => void
  /** Called on Ctrl+S. */
  save: () => void
  /** Called by the item of the menus. */
  preview: () => void
  /** Called on Ctrl+Enter. */
  publish: () => void
}

const { editorTools: tools, editorItems: items } = texts

const TOOLS = {
  image: { name: 'image', command: 'mceImage', find: findImage, icon: 'image' },
  code: { name: 'codesample', command: 'codesample', find: findCode, icon: 'code-sample' },
  link: { name: 'link', command: 'mceLink', find: findLink, icon: 'link', shortcut: 'Meta+K' },
} as const

const FIND_KEYS = 'Meta+F'
const HELP_KEYS = 'Alt+0'

export function addObjectTools(options: ToolOptions, editor: Editor): void {
  const { openDialog, save, preview, publish } = options
  const { registry } = editor.ui
  for (const kind of ['image', 'code', 'link'] as const) {
    const { name, command, find, ...appearance } = TOOLS[kind]
    const open = () => {
      if (kind === 'image' && findGallery(editor)) editor.execCommand(OPEN_GALLERY)
      else openDialog({ kind, existing: find(editor) } as DialogRequest)
    }
    editor.addCommand(command, open)
    if ('shortcut' in appearance) editor.addShortcut(appearance.shortcut, '', open)
    registry.addMenuItem(name, { ...appearance, text: items[kind], onAction: open })
    registry.addToggleButton(name, {
      ...appearance,
      tooltip: tools[kind],
      onAction: open,
      onSetup: (button) => onSelection(editor, () => button.setActive(find(editor) !== undefined)),
    })
  }
  // The package's own tool has another name.
  registry.addToggleButton('quote', {
    icon: 'quote',
    tooltip: tools.quote,
    onAction: () => editor.execCommand('mceBlockQuote'),
    onSetup: (button) =>
      onSelection(editor, () => button.setActive(editor.formatter.match('blockquote'))),
  })
  // Replaces the command of the package's menu item.
  editor.on('init', () => {
    editor.addCommand(OPEN_MEDIA, () => openDialog({ kind: 'media', existing: findPlayer(editor) }))
  })
  registry.addMenuItem('preview', { icon: 'preview', text: texts.preview.title, onAction: preview })
  addToolDialogs(options, editor)
  editor.addCommand(OPEN_GALLERY, () =>
    openDialog({ kind: 'gallery', existing: findGallery(editor) }),
  )
  editor.addCommand(OPEN_LINK_CARD, () => openDialog({ kind: 'card', existing: undefined }))
  addPictureTools(editor)
  addContextMenus(editor)
  editor.addShortcut('Meta+S', '', save)
  editor.addShortcut('Meta+13', '', publish)
  openOnDoubleClick(editor)
  openLinks(editor)
}

/** Commands of the package's tools for tables. */
const TABLE_COMMANDS = {
  mceTableProps: 'table',
  mceTableRowProps: 'row',
  mceTableCellProps: 'cell',
} as const

/** Items of the menus, by the names of the package's own. */
const TOOL_ITEMS = {
  code: { tool: 'source', icon: 'sourcecode', text: items.source },
  charmap: { tool: 'characters', icon: 'insert-character', text: items.characters },
  find: { tool: 'find', icon: 'search', text: items.find, shortcut: FIND_KEYS },
  help: { tool: 'keys', icon: 'help', text: items.help, shortcut: HELP_KEYS },
} as const

function addToolDialogs({ openDialog }: ToolOptions, editor: Editor): void {
  const openTool = (name: ToolName) => openDialog({ kind: 'tool', name })
  const { registry } = editor.ui
  const help = () => openTool('keys')
  for (const [name, { tool, ...appearance }] of Object.entries(TOOL_ITEMS))
    registry.addMenuItem(name, { ...appearance, onAction: () => openTool(tool) })
  registry.addButton('help', { icon: 'help', tooltip: items.help, onAction: help })
  editor.addShortcut(HELP_KEYS, '', help)
  editor.addCommand('mceHelp', help)
  editor.on('init', () => {
    editor.shortcuts.remove(FIND_KEYS)
    editor.addShortcut(FIND_KEYS, '', () => openTool('find'))
    for (const [command, name] of Object.entries(TABLE_COMMANDS))
      editor.addCommand(command, () => openTool(name))
  })
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
    onAction: () => removeLink(editor),
  })
  registry.addContextMenu('link', {
    update: (element) => {
      if (!editor.dom.isEditable(element)) return ''
      return editor.dom.getParent(element, 'a[href]') ? 'link unlink openlink' : 'link'
    },
  })
  registry.addContextMenu('image', {
    update: (element) =>
      element.matches('img, figure') && findImage(editor, element) ? 'image' : '',
  })
  registry.addContextMenu('codesample', {
    update: (element) => (element.closest(CODE_SAMPLE) ? 'codesample' : ''),
  })
}

function openOnDoubleClick(editor: Editor): void {
  editor.on('dblclick', ({ target }) => {
    if (!isElement(target as Node | null)) return
    if (target.closest(CODE_SAMPLE)) editor.execCommand(TOOLS.code.command)
    else if (target.closest(GALLERY)) editor.execCommand(OPEN_GALLERY)
    else if (target.closest(`${PLAYER},${EMBED}`)) editor.execCommand(OPEN_MEDIA)
    else if (target.matches('img') && findImage(editor, target))
      editor.execCommand(TOOLS.image.command)
  })
}

/** Opens a link that is clicked while Ctrl or Cmd is held. */
function openLinks(editor: Editor): void {
  editor.on('click', (event) => {
    const link = editor.dom.getParent(event.target as Node, 'a[href]') as HTMLAnchorElement | null
    if (!link || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    openLink(link)
  })
}

function openLink(link: HTMLAnchorElement | undefined): void {
  if (link) window.open(link.href, '_blank', 'noopener,noreferrer')
}
