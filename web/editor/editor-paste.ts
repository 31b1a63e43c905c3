// What happens at a paste into the editor. The rules for the HTML itself stand in
// paste-cleaning.ts.

import type { Editor } from 'hugerte'
import { cleanPaste, withoutCode } from './paste-cleaning.ts'
import { findLonePictures } from './paste-media.ts'

/**
 * HTML from elsewhere is cleaned before the editor looks at it: its handlers would be refused by
 * our policy, with a note in the console. What was copied in the editor itself and plain text go
 * the editor's own way.
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
  const pictures = findLonePictures(withoutCode(html))
  // A picture copied alone: its address is of no use here, but it lies beside as a file.
  if (files.length > 0 && pictures.length === files.length) {
    event.preventDefault()
    void insertPictures(live, files, pictures)
    return
  }
  const cleaned = cleanPaste(html)
  if (cleaned === '') return
  event.preventDefault()
  live.execCommand('mceInsertClipboardContent', false, { html: cleaned })
}

async function insertPictures(
  live: Editor,
  files: readonly File[],
  descriptions: readonly string[],
): Promise<void> {
  const addresses = await Promise.all(files.map(readAddress))
  const images = addresses.map((src, at) =>
    live.dom.createHTML('img', { src, alt: descriptions[at] ?? '' }),
  )
  live.undoManager.transact(() => live.insertContent(images.join('')))
  await live.uploadImages()
}

function readAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
