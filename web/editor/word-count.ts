// Counts the words of the text for the editor's foot, as lists of drafts and versions count them;
// the package's own plugin has rules of its own for words.

import hugerte, { type Editor } from 'hugerte'
import { countWords, plainText } from '#contract/plain-text.ts'

/** Under this name the package shows the number. */
export const WORD_COUNT = 'wordcount'
/** Counting a long text takes a while: it waits for a pause. */
const PAUSE_MS = 300

hugerte.PluginManager.add(WORD_COUNT, (editor: Editor) => {
  let timer: number | undefined
  const count = () => {
    const html = editor.getBody().innerHTML
    const { length } = plainText(html)
    editor.dispatch('wordCountUpdate', {
      wordCount: { words: countWords(html), characters: length },
    })
  }
  const schedule = () => {
    clearTimeout(timer)
    timer = window.setTimeout(count, PAUSE_MS)
  }
  editor.on('init', () => {
    count()
    editor.on('keyup input SetContent BeforeAddUndo Undo Redo', schedule)
  })
  editor.on('remove', () => clearTimeout(timer))
})
