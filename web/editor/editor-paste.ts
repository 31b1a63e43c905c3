// Handles pasting into the editor. The rules for the HTML are in paste-cleaning.ts.

import type { Editor } from 'hugerte'
import type { FindPosts } from './card-posts.ts'
import { selectedObject } from './caret-beside-objects.ts'
import { linkSelected } from './editor-objects.ts'
import { imageUploadsOf, insertImages } from './image-uploads.ts'
import { cleanBody, parsePaste } from './paste-cleaning.ts'
import { collectImages, findLoneImages, type PastedData } from './paste-images.ts'
import { findMarkdown, pasteMarkdown } from './paste-markdown.ts'
import type { PasteNotice } from './paste-notice.tsx'
import { convertObjects, insertPasted } from './paste-with-objects.ts'
import type { StoreImage } from './store-image.ts'

const ADDRESS = /^https?:\/\/\S+$/i

export type PasteOptions = {
  onNotice: (notice: PasteNotice) => void
  /** Whether pasted Markdown becomes rich text. */
  convertsMarkdown: () => boolean
  storeImage: StoreImage
  findPosts: FindPosts
}

/**
 * Cleans HTML from elsewhere before the editor parses it, because the content security policy would
 * report its event handlers. The editor itself handles content that was copied from it.
 */
export function pasteCleaned(options: PasteOptions, editor: Editor, event: ClipboardEvent): void {
  const { clipboardData } = event
  const isInternal = clipboardData?.types.some((type) => /^x-(?:hugerte|tinymce)\/html$/.test(type))
  if (!clipboardData || isInternal) return
  const read = (type: string): string => clipboardData.getData(type)
  const pasted: PastedData = {
    html: read('text/html'),
    text: read('text/plain'),
    rtf: read('text/rtf'),
    files: [...clipboardData.files].filter(({ type }) => type.startsWith('image/')),
  }
  const { html, text, files } = pasted
  const isFilesAlone = html === '' && text === ''
  // A single copied image: its address is useless here, but the clipboard also has it as a file.
  const descriptions = isFilesAlone ? [] : findLoneImages(parsePaste(html))
  if (files.length > 0 && (isFilesAlone || descriptions.length === files.length)) {
    event.preventDefault()
    insertImages(editor, files, descriptions)
    return
  }
  const editorData = read('vscode-editor-data')
  const markdown = options.convertsMarkdown()
    ? findMarkdown(editor, { html, text, editorData })
    : undefined
  if (markdown !== undefined) {
    event.preventDefault()
    void pasteMarkdown(editor, markdown, (onKeep) => options.onNotice({ kind: 'markdown', onKeep }))
    return
  }
  if (html === '' || (ADDRESS.test(text.trim()) && mayLink(editor))) {
    pastePlain(editor, event)
    return
  }
  event.preventDefault()
  void pasteHtml(options, editor, pasted)
}

/**
 * Inserts plain text at once. The editor itself would read it later from a hidden field, which has
 * the caret until then: keys pressed in between would be lost.
 */
export function pastePlain(editor: Editor, event: ClipboardEvent): void {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (text === '') return
  event.preventDefault()
  const address = text.trim()
  if (ADDRESS.test(address) && mayLink(editor)) linkSelected(editor, address)
  else
    editor.undoManager.transact(() =>
      editor.execCommand('mceInsertClipboardContent', false, { text }),
    )
}

/** Whether an address links the selected words. Beside an object and in code it is plain text. */
function mayLink(editor: Editor): boolean {
  const { selection, dom } = editor
  return (
    !selection.isCollapsed() &&
    !selectedObject(editor) &&
    !dom.getParent(selection.getNode(), 'pre')
  )
}

async function pasteHtml(options: PasteOptions, editor: Editor, pasted: PastedData): Promise<void> {
  const body = parsePaste(pasted.html)
  const visitObject = await convertObjects(body)
  const { files, missing } = await collectImages(body, pasted)
  if (editor.removed) return
  const starts: (() => void)[] = []
  const makeBlock = (image: HTMLImageElement, attributes: Record<string, string>) => {
    const file = files.get(image)
    const upload = file && imageUploadsOf(editor)?.begin({ file, attributes })
    if (upload) starts.push(upload.start)
    return upload?.block
  }
  const html = cleanBody(body, { makeBlock, visitObject })
  if (html !== '') insertPasted(editor, html)
  for (const start of starts) start()
  if (missing.length > 0) options.onNotice({ kind: 'missing', missing })
}
