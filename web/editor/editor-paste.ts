// Handles pasting into the editor. The rules for the HTML are in paste-cleaning.ts.

import type { Editor } from 'hugerte'
import { insertBlock } from './insert-block.ts'
import { cleanPaste, withoutCode } from './paste-cleaning.ts'
import { findLoneImages } from './paste-media.ts'

/**
 * Cleans HTML from elsewhere before the editor parses it: the content security policy would report
 * its event handlers. The editor itself handles plain text and what was copied within it.
 */
export function pasteCleaned(live: Editor, event: ClipboardEvent): void {
  const html = event.clipboardData?.getData('text/html') ?? ''
  const isInternal = event.clipboardData?.types.some((type) =>
    /^x-(?:hugerte|tinymce)\/html$/.test(type),
  )
  if (html === '' || isInternal) return
  const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) =>
    type.startsWith('image/'),
  )
  const descriptions = findLoneImages(withoutCode(html))
  // An image copied alone: its address is of no use here, but the clipboard has it as a file, too.
  if (files.length > 0 && descriptions.length === files.length) {
    event.preventDefault()
    void insertImageFiles(live, files, descriptions)
    return
  }
  const cleaned = cleanPaste(html)
  if (cleaned === '') return
  event.preventDefault()
  live.execCommand('mceInsertClipboardContent', false, { html: cleaned })
}

/** Each image stands between blocks, and is stored. */
export async function insertImageFiles(
  live: Editor,
  files: readonly File[],
  descriptions: readonly string[] = [],
): Promise<void> {
  const addresses = await Promise.all(files.map(dataUrlOf))
  live.undoManager.transact(() => {
    for (const [at, src] of addresses.entries())
      insertBlock(live, live.dom.createHTML('img', { src, alt: descriptions[at] ?? '' }))
  })
  await live.uploadImages()
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
