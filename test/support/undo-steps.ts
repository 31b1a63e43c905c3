// Every step of the editor's undo, back and forth. It is sent into a page as it is, and runs in
// Node with an editor that is handed in.

type Steps = {
  getContent(): string
  execCommand(name: string): unknown
  undoManager: { hasUndo(): boolean; hasRedo(): boolean }
}
declare const hugerte: { activeEditor: Steps }

/**
 * Takes back every step and does each again.
 *
 * @param most steps that there can be
 * @returns where the text was another one then, or ''
 */
export function undoAndRedoAll(most: number, live: Steps = hugerte.activeEditor): string {
  const seen = [live.getContent()]
  for (; live.undoManager.hasUndo() && seen.length < most; seen.unshift(live.getContent()))
    live.execCommand('undo')
  if (live.undoManager.hasUndo()) return `no end of undoing: ${seen[0]}`
  for (const [step, before] of seen.entries()) {
    if (step > 0) live.execCommand('redo')
    const now = live.getContent()
    if (now !== before) return `redone ${step} of ${seen.length - 1}: ${before} became ${now}`
  }
  return live.undoManager.hasRedo() ? 'more to redo than was undone' : ''
}
