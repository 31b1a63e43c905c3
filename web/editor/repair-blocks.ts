// Repairs what the browser or the package leaves behind where blocks are joined and list items are
// split.

import type { Editor } from 'hugerte'
import { emptyLine } from './insert-block.ts'
import { isElement, isEmptyLine, isObject } from './objects.ts'

/** The package notes beside each style of the writer's own that it is one. */
const LEFT_OVER = 'span[style]:not([data-mce-style], [data-mce-type], [data-mce-bogus])'

/**
 * Removes styles that the writer did not choose. With them the browser keeps the look of words
 * when it joins two blocks: a list item in a heading would stay small.
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
 * Gives the empty half room for a caret when Enter splits an item that holds paragraphs. At the end
 * or start of a paragraph the package puts the caret into the next one, whose words would run
 * into what is typed.
 */
export function repairSplitItems(editor: Editor): void {
  editor.on('NewBlock', ({ newBlock }) => {
    const before = newBlock.previousElementSibling
    if (!newBlock.matches('li') || !before) return
    const last = edgeOf(before, false)
    const first = edgeOf(newBlock, true)
    if (isEmptyLine(first)) emptyLine(editor, first)
    else if (!isBlock(editor, last) && isText(editor, first)) {
      const line = editor.getDoc().createElement('p')
      first.before(line)
      emptyLine(editor, line)
    }
    // All of its paragraph went on into the new item; an empty line of the writer's own is kept.
    if (isEmptyLine(last) && !last.querySelector('br') && last !== before.firstChild) last.remove()
  })
}

/** What an item begins or ends with. */
function edgeOf(item: Element, isFirst: boolean): ChildNode | null {
  let at = isFirst ? item.firstChild : item.lastChild
  while (at?.nodeType === Node.TEXT_NODE && at.nodeValue === '')
    at = isFirst ? at.nextSibling : at.previousSibling
  return at
}

function isBlock(editor: Editor, node: ChildNode | null): node is HTMLElement {
  return isElement(node) && editor.dom.isBlock(node)
}

/** A block of text; objects and lists within an item have a place before them already. */
function isText(editor: Editor, node: ChildNode | null): node is HTMLElement {
  return isBlock(editor, node) && !node.matches('ul, ol') && !isObject(node)
}
