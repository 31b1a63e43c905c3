// Snapshots of what a page showed when the user left it, one for each entry of the tab's history,
// so that "Back" shows it again, also after a reload and from another site. Stored in
// sessionStorage, which ends with the tab.
import { findStored, store as storeOnDevice } from '../head/device-storage.ts'

const STORAGE_KEY = 'left-places'
/** The key under which the router stores each entry's scroll position when a document unloads. */
export const SCROLL_STORAGE_KEY = 'left-scroll'
const SNAPSHOTS_MAX = 8
/** Browsers give a site at least 5 MB of sessionStorage. */
const CHARS_MAX = 600_000

/** Without storage, a snapshot lives as long as the document. */
type TabStorage = {
  find(key: string): string | null
  /** @returns whether there was room */
  store(key: string, value: string | undefined): boolean
}

/** How this document was opened: at which history entry, and whether by "Back" or "Forward". */
type Opening = { key: string; isReturn: boolean }

type SnapshotsOptions = {
  storage: TabStorage
  opening: Opening
}

export type Snapshots = {
  /** The snapshot of this entry; an older version of the app may have stored it. */
  find(key: string): unknown
  save(key: string, value: object): void
  /** Replaces every snapshot with the result of `change`; undefined removes it. */
  update(change: (value: unknown) => unknown): void
  /** Called when the viewer changes, so that no data of the previous user is left behind. */
  clear(): void
  /**
   * The scroll position of an entry when its document unloaded, in CSS pixels. Returned once: from
   * then on the router restores it.
   */
  takeScroll(key: string): number | undefined
}

export function makeSnapshots({ storage, opening }: SnapshotsOptions): Snapshots {
  const scrollPositions = new Map(Object.entries(parse(storage.find(SCROLL_STORAGE_KEY)) ?? {}))
  let loaded: Map<string, unknown> | undefined

  function snapshots(): Map<string, unknown> {
    if (loaded) return loaded
    const stored = parse(storage.find(STORAGE_KEY))
    loaded = new Map(Array.isArray(stored) ? (stored as [string, unknown][]) : [])
    // A reload must show current data.
    if (!opening.isReturn) loaded.delete(opening.key)
    return loaded
  }

  function store(): void {
    const entries = [...snapshots()]
    let text = JSON.stringify(entries)
    while (text.length > CHARS_MAX) {
      entries.shift()
      text = JSON.stringify(entries)
    }
    // If there is no room, removes the stored snapshots, which would be outdated.
    if (!storage.store(STORAGE_KEY, text)) storage.store(STORAGE_KEY, undefined)
  }

  if (!opening.isReturn) scrollPositions.delete(opening.key)
  return {
    find: (key) => snapshots().get(key),
    save(key, value) {
      snapshots().delete(key)
      snapshots().set(key, value)
      for (const oldest of [...snapshots().keys()].slice(0, -SNAPSHOTS_MAX))
        snapshots().delete(oldest)
      store()
    },
    update(change) {
      for (const [key, value] of snapshots()) {
        const changed = change(value)
        if (changed === undefined) snapshots().delete(key)
        else snapshots().set(key, changed)
      }
      store()
    },
    clear() {
      loaded = new Map()
      storage.store(STORAGE_KEY, undefined)
    },
    takeScroll(key) {
      const y: unknown = scrollPositions.get(key)
      scrollPositions.delete(key)
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

/** Call this while the app starts: later the tab may be at another entry. */
function getOpening(): Opening {
  if (typeof window === 'undefined') return { key: '', isReturn: false }
  const [navigation] = performance.getEntriesByType('navigation')
  const isReturn =
    !isAtServedAddress() ||
    (navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward')
  const key: unknown = window.history.state?.key
  return { key: typeof key === 'string' ? key : 'default', isReturn }
}

/** Whether the address is still the one that the server rendered: the user may have left it. */
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
