// Reads a gallery for its dialog, and inserts or updates it. New pictures are uploaded in their
// place in the gallery (image-uploads.ts). Loaded with the dialog.

import type { Editor } from 'hugerte'
import { imageUploadsOf } from './image-uploads.ts'
import { insertBlock } from './insert-block.ts'
import { textOf } from './objects.ts'
import { makeElement } from './paste-writer.ts'

export type GalleryPicture = {
  /** A picture of the text, or a file to be uploaded. */
  source: { figure: HTMLElement } | { file: File }
  alt: string
  caption: string
}
export type Gallery = { pictures: GalleryPicture[]; caption: string }

export function readGallery(gallery: HTMLElement): Gallery {
  const figures = [...gallery.querySelectorAll<HTMLElement>('figure')]
  const pictures = figures.map((figure) => ({
    source: { figure },
    alt: imageOf(figure)?.alt ?? '',
    caption: captionOf(figure),
  }))
  return { pictures, caption: captionOf(gallery) }
}

export function imageOf(figure: Element): HTMLImageElement | undefined {
  return figure.querySelector('img') ?? undefined
}

function captionOf(figure: Element): string {
  const caption = figure.querySelector(':scope > figcaption')
  return caption ? textOf(caption).trim() : ''
}

/** Without pictures, removes the gallery. */
export function putGallery(
  editor: Editor,
  { pictures, caption }: Gallery,
  existing?: HTMLElement,
): void {
  const starts: (() => void)[] = []
  editor.undoManager.transact(() => {
    const figures = pictures.map((picture) => figureOf(editor, picture, starts))
    const parts = [...figures, ...captionParts(caption)]
    if (existing && figures.length > 0) existing.replaceChildren(...parts)
    else if (existing) existing.remove()
    else if (figures.length > 0) {
      const gallery = makeElement('figure', { class: 'gallery' })
      gallery.append(...parts)
      insertBlock(editor, gallery.outerHTML)
    }
    editor.nodeChanged()
  })
  for (const start of starts) start()
}

function figureOf(editor: Editor, picture: GalleryPicture, starts: (() => void)[]): Element {
  const { source, alt, caption } = picture
  const figure = 'figure' in source ? source.figure : makeElement('figure', { class: 'image' })
  for (const old of figure.querySelectorAll('figcaption')) old.remove()
  if ('file' in source) {
    const upload = imageUploadsOf(editor)?.begin({ file: source.file, attributes: { alt } })
    if (upload) {
      figure.append(upload.block)
      starts.push(upload.start)
    }
  } else imageOf(figure)?.setAttribute('alt', alt)
  figure.append(...captionParts(caption))
  return figure
}

function captionParts(caption: string): Element[] {
  if (caption.trim() === '') return []
  const element = makeElement('figcaption')
  element.textContent = caption.trim()
  return [element]
}
