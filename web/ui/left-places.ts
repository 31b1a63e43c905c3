// What pages showed when they were left, by entry of the tab's history, so that "Back" finds it
// again: also after a reload, and from another site. The browser drops it with the tab. Knows no
// product word.

const STORAGE_KEY = 'left-places'
/** Where the router keeps how far each entry was scrolled; it writes when a document goes away. */
export const SCROLL_STORAGE_KEY = 'left-scroll'
const PLACES_MAX = 8
/** A browser gives a site 5 MB at least, for everything of a tab. */
const CHARS_MAX = 600_000

type TabStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * How this document was come to: by which entry of the history, and whether by "Back" or "Forward".
 */
type Arrival = { key: string; isReturn: boolean }

type PlacesNeeds = {
  /** undefined where storage is blocked: then a place lives as long as the document. */
  findStore: () => TabStore | undefined
  arrival: Arrival
}

export type Places = {
  /** Whatever was kept for this entry; it may come from an older version of the app. */
  find(key: string): unknown
  keep(key: string, value: object): void
  /** Lays a change over every place; undefined drops one. */
  change(work: (value: unknown) => unknown): void
  /** Nothing of a person stays behind when they sign out. */
  forgetAll(): void
  /**
   * How far an entry was scrolled when another document left it; answers once, since the router
   * knows of all that comes after.
   */
  takeScroll(key: string): number | undefined
}

export function makePlaces({ findStore, arrival }: PlacesNeeds): Places {
  const scrolled = new Map(Object.entries(parse(findStore()?.getItem(SCROLL_STORAGE_KEY)) ?? {}))
  let kept: Map<string, unknown> | undefined

  function places(): Map<string, unknown> {
    if (kept) return kept
    const stored = parse(findStore()?.getItem(STORAGE_KEY))
    kept = new Map(Array.isArray(stored) ? (stored as [string, unknown][]) : [])
    // A reload asks for what is there now.
    if (!arrival.isReturn) kept.delete(arrival.key)
    return kept
  }

  function store(): void {
    const entries = [...places()]
    let text = JSON.stringify(entries)
    while (text.length > CHARS_MAX) {
      entries.shift()
      text = JSON.stringify(entries)
    }
    try {
      findStore()?.setItem(STORAGE_KEY, text)
    } catch {
      findStore()?.removeItem(STORAGE_KEY) // full: an older state would be a wrong one
    }
  }

  if (!arrival.isReturn) scrolled.delete(arrival.key)
  return {
    find: (key) => places().get(key),
    keep(key, value) {
      places().delete(key)
      places().set(key, value)
      for (const oldest of [...places().keys()].slice(0, -PLACES_MAX)) places().delete(oldest)
      store()
    },
    change(work) {
      for (const [key, value] of places()) {
        const changed = work(value)
        if (changed === undefined) places().delete(key)
        else places().set(key, changed)
      }
      store()
    },
    forgetAll() {
      kept = new Map()
      findStore()?.removeItem(STORAGE_KEY)
    },
    takeScroll(key) {
      const y: unknown = scrolled.get(key)
      scrolled.delete(key)
      return typeof y === 'number' ? y : undefined
    },
  }
}

function parse(text: string | null | undefined): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Reading the property itself throws where storage is blocked. */
function findSessionStorage(): TabStore | undefined {
  try {
    return window.sessionStorage
  } catch {
    return undefined
  }
}

/** Read while the app starts: later the history is somewhere else. */
function readArrival(): Arrival {
  if (typeof window === 'undefined') return { key: '', isReturn: false }
  const [navigation] = performance.getEntriesByType('navigation')
  const isReturn =
    navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward'
  const key: unknown = window.history.state?.key
  return { key: typeof key === 'string' ? key : 'default', isReturn }
}

/** The places of this tab. */
export const places = makePlaces({
  findStore: typeof window === 'undefined' ? () => undefined : findSessionStorage,
  arrival: readArrival(),
})
