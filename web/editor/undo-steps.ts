// How far one undo goes back: over what was typed without a pause, at most a sentence, or over one
// composed word. The package alone ends a step only where the caret moves or a command comes.

import type { Editor } from 'hugerte'

const PAUSE_MS = 1000
/** So much of what was typed last is remembered: the signs that end a sentence. */
const END_MAX_CHARS = 8
/** Signs that may stand between the end of a sentence and the next one. */
const CLOSING = '\'"’”»)\\]」』）】》〉'
const ENDED = new RegExp(`[.!?…؟।][${CLOSING}]*$`)
/** Chinese and Japanese sentences follow each other without a space. */
const ENDED_WIDE = new RegExp(`[。！？｡．][…${CLOSING}]*$`)
const ENDING = new RegExp(`^[。！？｡．…${CLOSING}]`)

export function splitUndoSteps(editor: Editor): void {
  splitTyping(editor)
  addComposedSteps(editor)
}

/** A step ends before what is typed after a pause, or after a sentence. */
function splitTyping(editor: Editor): void {
  let lastMs = 0
  let end = ''
  const endStep = () => {
    editor.undoManager.add()
    editor.undoManager.beforeChange()
  }
  const isAfterPause = () => {
    const now = performance.now()
    const pauseMs = now - lastMs
    lastMs = now
    return pauseMs >= PAUSE_MS
  }
  editor.on('beforeinput', (event) => {
    const { inputType, data, isComposing } = event
    if (event.defaultPrevented || isComposing) return
    const typed = inputType === 'insertText' ? (data ?? '') : ''
    if (isAfterPause() || endsSentence(end, typed)) endStep()
    end = typed === '' ? '' : (end + typed).slice(-END_MAX_CHARS)
  })
  editor.on('compositionstart', () => {
    if (isAfterPause()) endStep()
  })
  editor.on('compositionend', () => {
    isAfterPause()
    end = ''
  })
}

function endsSentence(end: string, next: string): boolean {
  return ENDED_WIDE.test(end)
    ? next !== '' && !ENDING.test(next)
    : ENDED.test(end) && /^\s/.test(next)
}

/**
 * What is composed or dictated comes without keys, of which the undo manager does not hear: a word
 * is a step of its own, and what was not yet one becomes one before anything is undone. What
 * undo itself has brought is no step, even where the editor mends it: undo would never end.
 */
function addComposedSteps(editor: Editor): void {
  let isNew = false
  editor.on('input', () => {
    isNew = true
  })
  editor.on('addundo undo redo', () => {
    isNew = false
  })
  editor.on('compositionend', () => {
    setTimeout(() => {
      if (!editor.removed) editor.undoManager.add()
    })
  })
  editor.on(
    'BeforeExecCommand',
    ({ command }) => {
      if (isNew && command.toLowerCase() === 'undo') editor.undoManager.add()
    },
    true,
  )
}
