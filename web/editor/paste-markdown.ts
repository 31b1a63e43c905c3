// Pasted Markdown becomes rich text. It is inserted as typed and then formatted as an undo step of
// its own, so that one undo restores the text as typed.

import type { Editor } from 'hugerte'
import { looksLikeMarkdown } from './detect-markdown.ts'
import { parsePaste } from './paste-cleaning.ts'
import { cleanPasteWithObjects, insertPasted } from './paste-with-objects.ts'

/** Pasted Markdown that takes longer to become rich text stays as it was typed. */
const MARKDOWN_TIMEOUT_MS = 5000
/** Elements in which programs wrap plain text; all others are formatting. */
const WRAPPING = /^(?:html|head|meta|body|div|span|pre|code|br|font|style)$/
/** The language that a code editor adds to its text. */
const MODES = /"mode"\s*:\s*"([\w+#-]+)"/

/**
 * The Markdown of a paste; undefined if the paste is not Markdown. HTML in the paste must contain
 * the same text without formatting.
 */
export function findMarkdown(
  editor: Editor,
  { html, text, editorData }: { html: string; text: string; editorData: string },
): string | undefined {
  if (text.trim() === '' || editor.dom.getParent(editor.selection.getNode(), 'pre,code,figcaption'))
    return undefined
  const [, mode = 'markdown'] = MODES.exec(editorData) ?? []
  if (!['markdown', 'plaintext'].includes(mode)) return undefined
  if (html !== '' && !isWrappedText(html, text)) return undefined
  return looksLikeMarkdown(text) ? text : undefined
}

function isWrappedText(html: string, text: string): boolean {
  const body = parsePaste(html)
  const words = (string: string) => string.replace(/\s+/g, '')
  return (
    [...body.querySelectorAll('*')].every(({ localName }) => WRAPPING.test(localName)) &&
    words(body.textContent ?? '') === words(text)
  )
}

/** @param onFormatted called with a function that restores the text as typed */
export async function pasteMarkdown(
  editor: Editor,
  text: string,
  onFormatted: (keep: () => void) => void,
): Promise<void> {
  const originalHtml = editor.getContent({ format: 'raw' })
  const bookmark = editor.selection.getBookmark(2, true)
  editor.undoManager.transact(() =>
    editor.execCommand('mceInsertClipboardContent', false, { text }),
  )
  const unformattedHtml = editor.getContent({ format: 'raw' })
  const converted = await convertMarkdown(text)
  const clean = converted === undefined ? '' : await cleanPasteWithObjects(converted)
  // If the conversion fails, takes too long, or the writer has continued, the text stays as it
  // was typed.
  if (editor.removed || editor.getContent({ format: 'raw' }) !== unformattedHtml) return
  const html = unwrapLone(clean)
  if (html === '') return
  editor.undoManager.transact(() => {
    editor.setContent(originalHtml, { format: 'raw' })
    editor.selection.moveToBookmark(bookmark)
    insertPasted(editor, html)
  })
  const formatted = editor.getContent({ format: 'raw' })
  onFormatted(() => {
    editor.focus()
    if (editor.getContent({ format: 'raw' }) === formatted) editor.undoManager.undo()
  })
}

/** A single paragraph is pasted inline. */
function unwrapLone(html: string): string {
  const [, inside] = /^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>\s*$/.exec(html) ?? []
  return inside ?? html
}

/** Converts Markdown to HTML in a worker. Undefined on a failure or a timeout. */
async function convertMarkdown(text: string): Promise<string | undefined> {
  if (typeof Worker === 'undefined') return undefined
  const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
      worker.onerror = () => resolve(undefined)
      setTimeout(() => resolve(undefined), MARKDOWN_TIMEOUT_MS)
      worker.postMessage(text)
    })
  } finally {
    worker.terminate()
  }
}
