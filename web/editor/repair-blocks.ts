// Repairs what the browser and the package leave behind when they join blocks or split list items.

import type { Editor } from 'hugerte'
import { emptyLine } from './insert-block.ts'
import { isElement, isEmptyLine, isObject } from './objects.ts'

/** Styles that the writer has chosen also have the package's `data-mce-style`. */
const LEFT_OVER = 'span[style]:not([data-mce-style], [data-mce-type], [data-mce-bogus])'

/**
 * Removes styles that the writer did not choose. The browser adds them to keep the look of words
 * when it joins two blocks: the words of a list item joined to a heading would stay small.
 */
export function repairJoinedBlocks(editor: Editor): void {
  editor.on(
    'input',
    (event) => {
      const spans = editor.dom.select(LEFT_OVER)
      if (spans.length === 0 || (event as InputEvent).isComposing) return
      const { startContainer, startOffset } = editor.selection.getRng()
      for (const span of spans) editor.dom.remove(span, true)
      editor.selection.setCursorLocation(startContainer, startOffset)
    },
    true,
  )
}

/**
 * Adds a line for the caret to the empty half when Enter splits an item that contains paragraphs.
 * At the end or start of a paragraph the package moves the caret into the next one, where the typed
 * text would join its words.
 */
export function repairSplitItems(editor: Editor): void {
  editor.on('NewBlock', ({ newBlock }) => {
    const previousItem = newBlock.previousElementSibling
    if (!newBlock.matches('li') || !previousItem) return
    const last = edgeOf(previousItem, false)
    const first = edgeOf(newBlock, true)
    if (isEmptyLine(first)) emptyLine(editor, first)
    else if (!isBlock(editor, last) && isText(editor, first)) {
      const line = editor.getDoc().createElement('p')
      first.before(line)
      emptyLine(editor, line)
    }
    // The whole paragraph moved to the new item; an empty line that the writer added stays.
    if (isEmptyLine(last) && !last.querySelector('br') && last !== previousItem.firstChild)
      last.remove()
  })
}

/** The first or last node of an item. */
function edgeOf(item: Element, isFirst: boolean): ChildNode | null {
  let node = isFirst ? item.firstChild : item.lastChild
  while (node?.nodeType === Node.TEXT_NODE && node.nodeValue === '')
    node = isFirst ? node.nextSibling : node.previousSibling
  return node
}

function isBlock(editor: Editor, node: ChildNode | null): node is HTMLElement {
  return isElement(node) && editor.dom.isBlock(node)
}

/** Whether this is a block of text; objects and lists in an item already have a line before. */
function isText(editor: Editor, node: ChildNode | null): node is HTMLElement {
  return isBlock(editor, node) && !node.matches('ul, ol') && !isObject(node)
}
