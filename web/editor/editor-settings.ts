// The settings of the editor: its features, and how images, pastes and external media get into the
// text.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { autoHeight } from './auto-height.ts'
import { protectObjects } from './caret-beside-objects.ts'
import { dropBetweenBlocks } from './drop-between-blocks.ts'
import { ensureEditableLines } from './editable-lines.ts'
import { fixAccessibleNames } from './editor-accessibility.ts'
import contentUrl from './editor-content.css?url'
import { convertMarkup, EDITOR_FORMATS } from './editor-formats.ts'
import { type PasteOptions, pasteCleaned, pastePlain } from './editor-paste.ts'
import { EDITOR_PLUGINS, EDITOR_TOOLBAR } from './editor-plugins.ts'
import { linkExternalMedia } from './external-media.ts'
import { ImageUploads } from './image-uploads.ts'
import { handleTextObjects } from './load-text-objects.ts'
import { embedTypedAddresses, pasteAddress } from './lone-address.ts'
import { addMarkdownShortcuts } from './markdown-shortcuts.ts'
import { addObjectTools, type ToolOptions } from './object-tools.ts'
import { cleanPaste, withoutActiveContent } from './paste-cleaning.ts'
import { repairJoinedBlocks, repairSplitItems } from './repair-blocks.ts'
import { shapeTables } from './table-shape.ts'
import { pasteLines } from './typed-fences.ts'
import { splitUndoSteps } from './undo-steps.ts'

const TABLE_TOOLS =
  'tableprops tabledelete | tableinsertrowbefore tableinsertrowafter tabledeleterow | tableinsertcolbefore tableinsertcolafter tabledeletecol'
/** Each step holds the whole text. */
const UNDO_MAX = 200
const SMALL_SCREEN = '(max-width: 40em), (pointer: coarse)'

type EditorOptions = PasteOptions & ToolOptions

/**
 * @source product.md §9 "Editor", product.md §O32. No `content_style`: it would write a style
 *   element, which the CSP refuses.
 */
export function makeEditorSettings(options: EditorOptions) {
  const { storeImage } = options
  return {
    ...EDITOR_FORMATS,
    height: 'auto', // it grows with its text (auto-height.ts, editor-layout.css)
    menubar: 'file edit view insert format table help',
    menu: {
      edit: {
        title: texts.editorItems.editMenu,
        items: 'undo redo | cut copy paste pastetext | selectall | find',
      },
    },
    custom_colors: false,
    plugins: EDITOR_PLUGINS,
    toolbar: EDITOR_TOOLBAR,
    // On small screens the tools scroll sideways, so that the text does not move down.
    toolbar_mode: matchMedia(SMALL_SCREEN).matches ? ('scrolling' as const) : ('wrap' as const),
    skin: false as const,
    content_css: [contentUrl],
    // Browsers that translate the page must leave the author's text as it is.
    body_class: 'prose notranslate',
    branding: false,
    promotion: false,
    elementpath: false,
    resize: false,
    browser_spellcheck: true,
    contextmenu: 'link image codesample table',
    // `addMarkdownShortcuts` handles typed Markdown.
    text_patterns: false as const,
    table_header_type: 'sectionCells' as const,
    table_toolbar: TABLE_TOOLS,
    iframe_aria_text: texts.editor.frame,
    placeholder: texts.editor.invitation,
    // Addresses of our own images stay paths of this site.
    relative_urls: false,
    convert_urls: false,
    directionality: texts.direction,
    paste_data_images: true,
    smart_paste: false, // editor-paste.ts handles pasted addresses
    paste_remove_styles_if_webkit: false, // `cleanPaste` reads the styles before it removes them
    paste_preprocess: (_editor: Editor, pasted: { content: string; internal: boolean }) => {
      if (!pasted.internal) pasted.content = cleanPaste(pasted.content)
    },
    custom_undo_redo_levels: UNDO_MAX,
    end_container_on_empty_block: 'blockquote,aside',
    automatic_uploads: true,
    images_file_types: 'png,jpg,jpeg,gif',
    images_upload_handler: async (blobInfo: { blob: () => Blob; filename: () => string }) => {
      const blob = blobInfo.blob()
      const stored = await storeImage(new File([blob], blobInfo.filename(), { type: blob.type }))
      if (stored.ok) return stored.value.address
      throw new Error(stored.failure.message)
    },
    setup: (editor: Editor) => {
      new ImageUploads(editor, storeImage)
      handlePaste(editor, options)
      embedTypedAddresses(options, editor)
      leaveFullScreenOnEscape(editor)
      fixAccessibleNames(editor)
      ensureEditableLines(editor)
      repairSplitItems(editor)
      protectObjects(editor)
      splitUndoSteps(editor)
      repairJoinedBlocks(editor)
      autoHeight(editor)
      dropBetweenBlocks(editor)
      addObjectTools(options, editor)
      shapeTables(editor)
      handleTextObjects(editor)
      addMarkdownShortcuts(editor)
      editor.on('PreInit', () => convertMarkup(editor))
      editor.on('PostRender', () => removeBuiltInStyles(editor))
      editor.on('BeforeSetContent', (event) => {
        event.content = linkExternalMedia(withoutActiveContent(event.content))
      })
    },
  }
}

/** Removes HugeRTE's styles for Firefox and iOS, which it would write to a style element. */
function removeBuiltInStyles(editor: Editor): void {
  editor.contentStyles = []
}

/** Cleans pastes unless the user chose plain text. */
function handlePaste(editor: Editor, options: PasteOptions): void {
  let isPlain = false
  let isPlainOnce = false
  editor.on('PastePlainTextToggle', ({ state }) => {
    isPlain = state
  })
  editor.on('keydown', ({ key, shiftKey, ctrlKey, metaKey }) => {
    isPlainOnce = shiftKey && (ctrlKey || metaKey) && key.toLowerCase() === 'v'
  })
  editor.on('paste', (event: ClipboardEvent) => {
    if (pasteLines(editor, event)) event.preventDefault()
    else if (isPlain || isPlainOnce) pastePlain(editor, event)
    else if (pasteAddress(options, editor, event)) return
    else pasteCleaned(options, editor, event)
    isPlainOnce = false
  })
}

function leaveFullScreenOnEscape(editor: Editor): void {
  editor.on('keydown', ({ key }) => {
    if (key === 'Escape' && editor.plugins.fullscreen?.isFullscreen())
      editor.execCommand('mceFullScreen')
  })
}
