// A new draft may be stored in the moment in which its window is reloaded: the answer still comes,
// and the address of the draft does not, because a reload goes to the address where it began. The
// tab remembers the draft, so that the form which opens instead leads to it.

const STORAGE_KEY = 'stored-draft'
const PATH = '/add-post'

type Stored = { userId: string; slug: string }

/** What this document was opened in place of. */
const atOpening = typeof window === 'undefined' ? undefined : takeAtOpening()

/** @returns the draft that the reloaded form had become, if this person wrote it */
export function findStoredAtLast(userId: string | undefined): string | undefined {
  return atOpening && atOpening.userId === userId ? atOpening.slug : undefined
}

/** As long as the form that was stored is on the screen. */
export function noteStoredDraft(stored: Stored): void {
  try {
    window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored))
  } catch {
    // Storage is blocked: the draft is on the dashboard.
  }
}

export function forgetStoredDraft(): void {
  try {
    window.sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // switched off: nothing is there
  }
}

function takeAtOpening(): Stored | undefined {
  try {
    const text = window.sessionStorage.getItem(STORAGE_KEY)
    window.sessionStorage.removeItem(STORAGE_KEY)
    const [opening] = performance.getEntriesByType('navigation')
    const isReload = opening instanceof PerformanceNavigationTiming && opening.type === 'reload'
    if (!text || !isReload || new URL(opening.name).pathname !== PATH) return undefined
    const { userId, slug } = JSON.parse(text) as Partial<Stored>
    return userId && slug ? { userId, slug } : undefined
  } catch {
    return undefined
  }
}
