// Limits an undo step to text typed without a pause, at most a sentence, or to one composed word.
// The package itself ends a step only when the caret moves or a command runs.

import type { Editor } from 'hugerte'

const PAUSE_MS = 1000
/** The remembered end of the typed text: enough for the characters that end a sentence. */
const END_MAX_CHARS = 8
/** Characters that may follow the end of a sentence. */
const CLOSING = '\'"’”»)\\]」』）】》〉'
const ENDED = new RegExp(`[.!?…؟।][${CLOSING}]*$`)
/** Chinese and Japanese sentences follow each other without a space. */
const ENDED_WIDE = new RegExp(`[。！？｡．][…${CLOSING}]*$`)
const ENDING = new RegExp(`^[。！？｡．…${CLOSING}]`)

export function splitUndoSteps(editor: Editor): void {
  splitTyping(editor)
  addComposedSteps(editor)
}

/** Ends a step before text that is typed after a pause or after a sentence. */
function splitTyping(editor: Editor): void {
  let lastMs = 0
  let end = ''
  const endStep = () => {
    editor.undoManager.add()
    editor.undoManager.beforeChange()
  }
  const isAfterPause = () => {
    const currentMs = performance.now()
    const pauseMs = currentMs - lastMs
    lastMs = currentMs
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
 * The undo manager misses composed and dictated text, which has no key events: each word becomes a
 * step of its own, at the latest before an undo. Changes made by undo itself are never a step, even
 * if the editor repairs the text afterwards; otherwise repeated undo would never end.
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
