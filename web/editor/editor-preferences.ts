// The user's preferences for the editor (product.md §O16).
import type { Prefs } from '#contract/accounts.ts'

export type EditorPreferences = {
  /** The menu bar is above the toolbar; otherwise Alt + F9 shows it. */
  hasMenuBar: boolean
  /** Pasted Markdown becomes formatted text; otherwise it stays as typed. */
  convertsMarkdown: boolean
}

/** @param prefs may contain anything: invalid values mean the default */
export function readEditorPreferences({ editorBars, markdownPaste }: Prefs): EditorPreferences {
  return { hasMenuBar: editorBars !== 'toolbar', convertsMarkdown: markdownPaste !== 'typed' }
}
