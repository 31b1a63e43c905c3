// How a person wants the editor to behave, as their preferences say (product.md §O16).
import type { Prefs } from '#contract/accounts.ts'

export type EditorPreferences = {
  /** The menus stand above the tools; without, they come with Alt + F9. */
  hasMenuBar: boolean
  /** Pasted Markdown becomes formatted text; else it stays as typed. */
  formatsMarkdown: boolean
}

/** @param prefs may hold anything: whatever is no choice is the usual one */
export function readEditorPreferences({ editorBars, markdownPaste }: Prefs): EditorPreferences {
  return { hasMenuBar: editorBars !== 'toolbar', formatsMarkdown: markdownPaste !== 'typed' }
}
