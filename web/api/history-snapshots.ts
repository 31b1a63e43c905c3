// What pages showed when they were left, by entry of the tab's history, so that "Back" shows it
// again: also after a reload, and from another site. Kept in sessionStorage, which ends with the
// tab.
import { findStored, store as storeOnDevice } from '../head/device-storage.ts'

const STORAGE_KEY = 'left-places'
/** Where the router keeps the scroll position of each entry; it writes when a document unloads. */
export const SCROLL_STORAGE_KEY = 'left-scroll'
const SNAPSHOTS_MAX = 8
/** Browsers give a site at least 5 MB of sessionStorage. */
const CHARS_MAX = 600_000

/** Without it, a snapshot lives as long as the document. */
type TabStorage = {
  find(key: string): string | null
  /** @returns whether there was room */
  store(key: string, value: string | undefined): boolean
}

/** How this document was opened: the entry of the history, and whether by "Back" or "Forward". */
type Opening = { key: string; isReturn: boolean }

type SnapshotsOptions = {
  storage: TabStorage
  opening: Opening
}

export type Snapshots = {
  /** What was kept for this entry; it may come from an older version of the app. */
  find(key: string): unknown
  save(key: string, value: object): void
  /** Replaces every snapshot by what `work` makes of it; undefined removes it. */
  update(work: (value: unknown) => unknown): void
  /** For signing out: no data of the user is left behind. */
  clear(): void
  /**
   * How far an entry was scrolled when its document was left, in CSS pixels. Answers once: from
   * then on the router knows.
   */
  takeScroll(key: string): number | undefined
}

export function makeSnapshots({ storage, opening }: SnapshotsOptions): Snapshots {
  const scrolled = new Map(Object.entries(parse(storage.find(SCROLL_STORAGE_KEY)) ?? {}))
  let kept: Map<string, unknown> | undefined

  function snapshots(): Map<string, unknown> {
    if (kept) return kept
    const stored = parse(storage.find(STORAGE_KEY))
    kept = new Map(Array.isArray(stored) ? (stored as [string, unknown][]) : [])
    // A reload must show current data.
    if (!opening.isReturn) kept.delete(opening.key)
    return kept
  }

  function store(): void {
    const entries = [...snapshots()]
    let text = JSON.stringify(entries)
    while (text.length > CHARS_MAX) {
      entries.shift()
      text = JSON.stringify(entries)
    }
    // An older snapshot would be wrong.
    if (!storage.store(STORAGE_KEY, text)) storage.store(STORAGE_KEY, undefined)
  }

  if (!opening.isReturn) scrolled.delete(opening.key)
  return {
    find: (key) => snapshots().get(key),
    save(key, value) {
      snapshots().delete(key)
      snapshots().set(key, value)
      for (const oldest of [...snapshots().keys()].slice(0, -SNAPSHOTS_MAX))
        snapshots().delete(oldest)
      store()
    },
    update(work) {
      for (const [key, value] of snapshots()) {
        const changed = work(value)
        if (changed === undefined) snapshots().delete(key)
        else snapshots().set(key, changed)
      }
      store()
    },
    clear() {
      kept = new Map()
      storage.store(STORAGE_KEY, undefined)
    },
    takeScroll(key) {
      const y: unknown = scrolled.get(key)
      scrolled.delete(key)
      return typeof y === 'number' ? y : undefined
    },
  }
}

function parse(text: string | null): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Call while the app starts: later the history is at another entry. */
function getOpening(): Opening {
  if (typeof window === 'undefined') return { key: '', isReturn: false }
  const [navigation] = performance.getEntriesByType('navigation')
  const isReturn =
    !isAtServedAddress() ||
    (navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward')
  const key: unknown = window.history.state?.key
  return { key: typeof key === 'string' ? key : 'default', isReturn }
}

/** Whether the address still is that of the markup: the user may have gone back meanwhile. */
export function isAtServedAddress(): boolean {
  return window.servedAddress === location.pathname + location.search
}

/** The snapshots of this tab. */
export const snapshots = makeSnapshots({
  storage: {
    find: (key) => findStored(key, 'sessionStorage'),
    store: (key, value) => storeOnDevice(key, value, 'sessionStorage'),
  },
  opening: getOpening(),
})
