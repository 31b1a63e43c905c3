// Where the browser joins two blocks it keeps the look of their words by styles that nobody chose:
// a list item that is drawn into a heading would stay small. Such styles are taken away.

import type { Editor } from 'hugerte'

/** The package notes beside each style of the writer's own that it is one. */
const LEFT_OVER = 'span[style]:not([data-mce-style], [data-mce-type], [data-mce-bogus])'

export function plainJoinedBlocks(editor: Editor): void {
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
