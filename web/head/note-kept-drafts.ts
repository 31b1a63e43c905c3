// Whether this device keeps unsaved texts, known before the first paint: the dashboard, which comes
// from the server without them, then waits with what they would move.

/** How the keys begin under which the device keeps unsaved texts. */
export const KEPT_DRAFTS_PREFIX = 'draft/'

/** Runs in the head (head-script.ts). */
export function noteKeptDrafts(prefix: string): void {
  try {
    if (Object.keys(localStorage).some((key) => key.startsWith(prefix)))
      document.documentElement.dataset.keptDrafts = ''
  } catch {
    // Storage is forbidden: it keeps none.
  }
}
