// Finds the selected image, player, code sample or link of the text, and inserts or updates one
// with the result of a dialog.

import type { Editor } from 'hugerte'
import { PLAIN_CODE } from '#contract/code-languages.ts'
import { parseVideo } from '#contract/videos.ts'
import type { CodeSample } from './code-dialog.tsx'
import { isSiteFile } from './external-media.ts'
import { caretBeside, insertBlock } from './insert-block.ts'
import type { Link } from './link-dialog.tsx'
import { linesOf, objectOf, textOf } from './objects.ts'

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
const PLAYER_ADDRESS = 'data-mce-p-src'
/** The size of a new player. On the page its box is as wide as the text. */
const PLAYER_SIZE = { width: '560', height: '314' }
export const CODE_SAMPLE = 'pre[class*="language-"]'
/** Marks a sample that is being typed, with the characters of its fence (typed-fences.ts). */
export const TYPED_SAMPLE = 'data-mce-typed-code'
const WORD_JOINERS = /\uFEFF/g

export function findImage(editor: Editor, at: Element = editor.selection.getNode()) {
  const figure = editor.dom.getParent(at, 'figure')
  const image = figure?.querySelector(IMAGE) ?? editor.dom.getParent(at, IMAGE)
  return (image as HTMLImageElement | null) ?? undefined
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

function changeCaption(editor: Editor, image: HTMLImageElement, caption: string): void {
  if (readImage(image).caption === caption) return
  const { dom } = editor
  const figure = image.closest('figure')
  const block = dom.getParent(image, 'p,h2,h3,h4,h5,h6,div')
  const attributes = { class: figure?.className ?? 'image', contenteditable: 'false' }
  const wrapper = caption ? dom.create('figure', attributes) : dom.create('p')
  const replaced = figure ?? image
  replaced.replaceWith(wrapper)
  wrapper.append(image)
  if (caption) dom.add(wrapper, 'figcaption', { contenteditable: 'true' }, dom.encode(caption))
  // A figure belongs between paragraphs, not inside one.
  if (block && !figure) dom.split(block, wrapper)
}

export function findPlayer(editor: Editor, at = editor.selection.getNode()) {
  return (editor.dom.getParent(at, PLAYER) as HTMLElement | null) ?? undefined
}

/** The address of the player's content; empty if it has several sources. */
export function readPlayer(player: HTMLElement): string {
  return player.getAttribute(PLAYER_ADDRESS) ?? ''
}

/** Inserts or updates a player. If the address cannot be played, it becomes a link. */
export function putPlayer(editor: Editor, address: string, existing?: HTMLElement): void {
  const video = parseVideo(address)
  editor.undoManager.transact(() => {
    if (video && existing?.dataset.mceObject === 'iframe')
      return editor.dom.setAttrib(existing, PLAYER_ADDRESS, video.playerUrl)
    const object = existing && objectOf(existing)
    if (object) caretBeside(editor, object, false)
    object?.remove()
    insertBlock(editor, `<p>${playerHtml(editor, address, video?.playerUrl)}</p>`)
  })
}

function playerHtml({ dom }: Editor, address: string, src: string | undefined): string {
  if (src !== undefined)
    return dom.createHTML('iframe', { src, ...PLAYER_SIZE, allowfullscreen: 'allowfullscreen' }, '')
  if (isSiteFile(address))
    return dom.createHTML('video', { src: address, controls: 'controls', ...PLAYER_SIZE }, '')
  return dom.createHTML('a', { href: address }, dom.encode(address))
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
