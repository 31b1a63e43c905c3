// Dropped images and other objects land between two blocks of the text, never inside a word,
// wherever the pointer is. The browser handles dragged text.

import type { Editor } from 'hugerte'
import { selectedObject } from './caret-beside-objects.ts'
import { insertImages } from './image-uploads.ts'
import { addLine } from './insert-block.ts'
import { blockOf, blocksOf, isElement, isEmptyLine, isObject, objectOf } from './objects.ts'

export function dropBetweenBlocks(editor: Editor): void {
  let dragged: HTMLElement | undefined
  editor.on(
    'dragstart',
    ({ target }) => {
      dragged = draggedObject(editor, target)
    },
    true,
  )
  editor.on('dragend', () => {
    dragged = undefined
  })
  editor.on(
    'drop',
    (event) => {
      if (editor.mode.isReadOnly()) return
      const files = imageFiles(event.dataTransfer)
      if (dragged) {
        event.preventDefault()
        moveObject(editor, dragged, findGap(editor, event.clientY))
        dragged = undefined
      } else if (files.length > 0) {
        event.preventDefault()
        insertFiles(editor, files, findGap(editor, event.clientY))
      }
    },
    true,
  )
}

/** The object under the pointer, unless it is dragged together with selected text. */
function draggedObject(editor: Editor, target: EventTarget | null): HTMLElement | undefined {
  const element = isElement(target as Node | null) ? (target as HTMLElement) : undefined
  const object =
    element?.closest<HTMLElement>('[contenteditable="false"]') ??
    element?.closest<HTMLElement>('img, video, audio, iframe')
  if (!object || !editor.getBody().contains(object)) return undefined
  const range = editor.selection.getRng()
  const isWithText = range.intersectsNode(object) && range.toString().trim() !== ''
  return isWithText && selectedObject(editor) !== object ? undefined : object
}

/** Empty if the drop also contains HTML, as from another page: that is cleaned like a paste. */
function imageFiles(transfer: DataTransfer | null | undefined): File[] {
  if (!transfer || transfer.types.includes('text/html')) return []
  return [...transfer.files].filter(({ type }) => type.startsWith('image/'))
}

type Gap = { block: Node; isAfter: boolean }

/** The boundary between two blocks of the text that is nearest to the pointer. */
function findGap(editor: Editor, y: number): Gap {
  const blocks = blocksOf(editor.getBody())
  const nextBlock = blocks.find((block) => {
    const { top, bottom } = block.getBoundingClientRect()
    return y < (top + bottom) / 2
  })
  if (nextBlock) return { block: nextBlock, isAfter: false }
  // A text without blocks has only the body.
  return { block: blocks.at(-1) ?? editor.getBody(), isAfter: true }
}

function insertFiles(editor: Editor, files: readonly File[], gap: Gap): void {
  editor.focus()
  editor.selection.setCursorLocation(lineAt(gap), 0)
  insertImages(editor, files)
}

/** Reuses an empty line, so that none is left over. */
function lineAt({ block, isAfter }: Gap): HTMLElement {
  return isEmptyLine(block) ? block : addLine(block, isAfter)
}

function moveObject(editor: Editor, dragged: HTMLElement, gap: Gap): void {
  const object = objectOf(dragged) ?? dragged
  if (object.contains(gap.block) || gap.block === object) return
  editor.undoManager.transact(() => {
    const oldBlock = blockOf(object)
    const line = lineAt(gap)
    if (isObject(object)) line.replaceWith(object)
    else {
      line.replaceChildren(object)
      if (isElement(oldBlock) && editor.dom.isEmpty(oldBlock)) editor.dom.setHTML(oldBlock, '<br>')
    }
    editor.dispatch('input')
  })
  editor.selection.select(dragged)
  editor.nodeChanged()
}
