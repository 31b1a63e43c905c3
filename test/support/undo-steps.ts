// Undoes and redoes every step of the editor. The function is serialised into a page, and also runs
// in Node with an editor as argument.

type Steps = {
  getContent(): string
  execCommand(name: string): unknown
  undoManager: { hasUndo(): boolean; hasRedo(): boolean }
}
declare const hugerte: { activeEditor: Steps }

/**
 * Undoes every step and redoes each.
 *
 * @param most the maximum number of steps
 * @returns the first difference of the text, or ''
 */
export function undoAndRedoAll(most: number, live: Steps = hugerte.activeEditor): string {
  const contents = [live.getContent()]
  for (; live.undoManager.hasUndo() && contents.length < most; contents.unshift(live.getContent()))
    live.execCommand('undo')
  if (live.undoManager.hasUndo()) return `no end of undoing: ${contents[0]}`
  for (const [step, before] of contents.entries()) {
    if (step > 0) live.execCommand('redo')
    const now = live.getContent()
    if (now !== before) return `redone ${step} of ${contents.length - 1}: ${before} became ${now}`
  }
  return live.undoManager.hasRedo() ? 'more to redo than was undone' : ''
}
