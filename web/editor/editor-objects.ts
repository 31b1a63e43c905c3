// Finds the selected image, gallery, player, code sample or link of the text, and inserts or
// updates an image, code sample or link with the result of a dialog (players: embed-objects.ts).

import type { Editor } from 'hugerte'
import { PLAIN_CODE } from '#contract/code-languages.ts'
import type { CodeSample } from './code-dialog.tsx'
import { insertBlock } from './insert-block.ts'
import type { Link } from './link-dialog.tsx'
import { linesOf, textOf } from './objects.ts'

export type BodyImage = {
  src: string
  alt: string
  caption: string
  /** In pixels; undefined when it is not known. */
  size?: { width: number; height: number } | undefined
}

/** Excludes the image that represents a player. */
const IMAGE = 'img:not([data-mce-object]):not([data-mce-placeholder])'
/** The image that represents a player in the editor, where players load nothing. */
export const PLAYER = '[data-mce-object]'
/** A sound, post or other page of another site, and a post of this blog, each as a box. */
export const EMBED = 'p.embed'
export const GALLERY = 'figure.gallery'
export const CODE_SAMPLE = 'pre[class*="language-"]'
/** Marks a sample that is being typed, with the characters of its fence (typed-fences.ts). */
export const TYPED_SAMPLE = 'data-mce-typed-code'
const WORD_JOINERS = /\uFEFF/g

/** The image at the cursor, unless it is in a gallery, which has a dialog of its own. */
export function findImage(editor: Editor, at: Element = editor.selection.getNode()) {
  if (findGallery(editor, at)) return undefined
  const figure = editor.dom.getParent(at, 'figure')
  const image = figure?.querySelector(IMAGE) ?? editor.dom.getParent(at, IMAGE)
  return (image as HTMLImageElement | null) ?? undefined
}

export function findGallery(editor: Editor, at: Element = editor.selection.getNode()) {
  return (editor.dom.getParent(at, GALLERY) as HTMLElement | null) ?? undefined
}

export function readImage(image: HTMLImageElement): BodyImage {
  const caption = image.closest('figure')?.querySelector('figcaption')
  return {
    // The attribute as written; the `src` property is a full address.
    src: image.getAttribute('data-mce-src') ?? image.getAttribute('src') ?? '',
    alt: image.alt,
    caption: caption ? textOf(caption).trim() : '',
  }
}

/**
 * Inserts an image, or updates one, which keeps its position and alignment, and its size unless
 * `src` changes.
 */
export function putImage(
  editor: Editor,
  { src, alt, caption, size }: BodyImage,
  existing?: HTMLImageElement,
): void {
  const { dom } = editor
  editor.undoManager.transact(() => {
    if (!existing) {
      const image = dom.createHTML('img', { src, alt, ...sizeOf(size) })
      const words = `<figcaption>${dom.encode(caption)}</figcaption>`
      insertBlock(editor, caption ? `<figure>${image}${words}</figure>` : `<p>${image}</p>`)
      return
    }
    const isOtherImage = readImage(existing).src !== src
    dom.setAttrib(existing, 'src', src)
    existing.alt = alt
    if (isOtherImage) dom.setAttribs(existing, { width: null, height: null, ...sizeOf(size) })
    changeCaption(editor, existing, caption)
    editor.nodeChanged()
  })
}

function sizeOf(size: BodyImage['size']): Record<string, string> {
  return size ? { width: String(size.width), height: String(size.height) } : {}
}

/** The width of an image on the page; empty for that of the text. */
export type ImageWidth = '' | 'wide' | 'full'

/** The classes of figures with that width. */
const WIDTH_CLASSES = { wide: 'width-wide', full: 'width-full' }

export function readWidth(image: HTMLImageElement): ImageWidth {
  const [, width = ''] =
    /\bwidth-(wide|full)\b/.exec(image.closest('figure')?.className ?? '') ?? []
  return width as ImageWidth
}

function changeCaption(editor: Editor, image: HTMLImageElement, caption: string): void {
  if (readImage(image).caption !== caption)
    changeFigure(editor, image, { caption, width: readWidth(image) })
}

/** An image with a caption or another width than the text is a figure between the paragraphs. */
export function changeFigure(
  editor: Editor,
  image: HTMLImageElement,
  { caption, width }: { caption: string; width: ImageWidth },
): void {
  const { dom } = editor
  const figure = image.closest('figure')
  const block = dom.getParent(image, 'p,h2,h3,h4,h5,h6,div')
  const others = (figure?.className ?? 'image').replace(/ ?\bwidth-\w+/g, '')
  const attributes = {
    class: width ? `${others} ${WIDTH_CLASSES[width]}` : others,
    contenteditable: 'false',
  }
  const wrapper = caption || width ? dom.create('figure', attributes) : dom.create('p')
  const replaced = figure ?? image
  replaced.replaceWith(wrapper)
  wrapper.append(image)
  if (caption) dom.add(wrapper, 'figcaption', { contenteditable: 'true' }, dom.encode(caption))
  // A figure belongs between paragraphs, not inside one.
  if (block && !figure) dom.split(block, wrapper)
}

/** A player or an embed. */
export function findPlayer(editor: Editor, at = editor.selection.getNode()) {
  return (editor.dom.getParent(at, `${PLAYER},${EMBED}`) as HTMLElement | null) ?? undefined
}

export function findCode(editor: Editor, at = editor.selection.getNode()) {
  return (editor.dom.getParent(at, 'pre') as HTMLElement | null) ?? undefined
}

export function readCode(sample: HTMLElement): CodeSample {
  return {
    language: /\blanguage-([\w+#-]+)/.exec(sample.className)?.[1] ?? PLAIN_CODE,
    code: linesOf(sample),
  }
}

export function putCode(
  editor: Editor,
  { language, code }: CodeSample,
  existing?: HTMLElement,
): void {
  const { dom } = editor
  editor.undoManager.transact(() => {
    const className = `language-${language}`
    if (!existing)
      return insertBlock(editor, `<pre class="${className}"><code>${dom.encode(code)}</code></pre>`)
    existing.className =
      `${existing.className.replace(/\blanguage-[\w+#-]+/g, '').trim()} ${className}`.trim()
    dom.setHTML(existing, `<code>${dom.encode(code)}</code>`)
    dom.setAttrib(existing, 'contenteditable', 'false')
    editor.selection.select(existing)
    editor.nodeChanged()
  })
}

/** The link at the cursor, or the only one that is selected. */
export function findLink(editor: Editor, at: Element = editor.selection.getNode()) {
  const { dom, selection } = editor
  const enclosingLink =
    dom.getParent(at, 'a[href]') ?? dom.getParent(selection.getStart(), 'a[href]')
  if (enclosingLink) return enclosingLink as HTMLAnchorElement
  if (selection.isCollapsed()) return undefined
  const links = [...at.querySelectorAll<HTMLAnchorElement>('a[href]')].filter((link) =>
    selection.getRng().intersectsNode(link),
  )
  return links.length === 1 ? links[0] : undefined
}

export function readLink(editor: Editor, link: HTMLAnchorElement | undefined): Link {
  const address = link?.getAttribute('data-mce-href') ?? link?.getAttribute('href') ?? ''
  const content = link ?? editor.selection.getRng().cloneContents()
  const hasOtherContent =
    content.querySelector('img,figure,video,audio,table,p,li,h2,h3,h4,pre,hr,br') !== null
  const words = link?.textContent ?? editor.selection.getContent({ format: 'text' })
  return { text: hasOtherContent ? undefined : words.replace(WORD_JOINERS, ''), address }
}

export function putLink(
  editor: Editor,
  { text, address }: Link,
  existing?: HTMLAnchorElement,
): void {
  const { dom, selection } = editor
  editor.undoManager.transact(() => {
    if (existing) {
      dom.setAttribs(existing, { href: address })
      if (text !== undefined && text !== existing.textContent) existing.textContent = text
      leaveLink(editor, existing)
    } else if (text === undefined || text === selection.getContent({ format: 'text' })) {
      makeLink(editor, address)
    } else {
      const wrapper = { href: address, 'data-mce-new': '1' }
      editor.insertContent(dom.createHTML('a', wrapper, dom.encode(text)))
      const [link] = dom.select('a[data-mce-new]')
      link?.removeAttribute('data-mce-new')
      if (link) leaveLink(editor, link)
    }
  })
}

/** Links the selected words. One undo replaces them with the address. */
export function linkSelected(editor: Editor, address: string): void {
  const { undoManager, selection, dom } = editor
  const link = (): void => makeLink(editor, address)
  undoManager.add()
  // If table cells are selected, the address would replace their table.
  if (selection.getRng().cloneContents().querySelector('td, th')) undoManager.transact(link)
  else undoManager.extra(() => editor.insertContent(dom.encode(address)), link)
}

function makeLink(editor: Editor, href: string): void {
  editor.execCommand('mceInsertLink', false, { href })
  const range = editor.selection.getRng()
  const wrapper = editor.dom
    .select('a[href]')
    .findLast((link) => range.intersectsNode(link) && link.getAttribute('href') === href)
  if (wrapper) leaveLink(editor, wrapper)
  else editor.selection.collapse()
}

/** Moves the caret after the link, so that text typed next is not part of it. */
function leaveLink(editor: Editor, link: Element): void {
  const range = editor.dom.createRng()
  // Two adjacent links have no position for a caret between them.
  if (link.nextSibling?.nodeName === 'A') link.after('\uFEFF')
  range.setStartAfter(link)
  range.collapse(true)
  editor.selection.setRng(range)
  editor.nodeChanged()
}

export function removeLink(editor: Editor, link = findLink(editor)): void {
  if (!link) return
  editor.undoManager.transact(() => {
    const mark = editor.selection.getBookmark()
    editor.dom.remove(link, true)
    editor.selection.moveToBookmark(mark)
    editor.nodeChanged()
  })
}
