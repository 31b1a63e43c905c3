// Which drafts are open in which tab. The browser keeps the locks: they end with their tab, also
// when it crashes. Where it has none (a site without TLS), every tab is alone.

/** @returns ends it */
export type Release = () => void

function locksOf(): LockManager | undefined {
  return typeof navigator === 'undefined' ? undefined : navigator.locks
}

const DRAFT = 'draft/'

/** This tab has the draft open: others do not offer it. */
export function lockDraft(id: string): Release {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  locksOf()
    ?.request(DRAFT + id, () => isReleased)
    .catch(() => undefined)
  return release
}

/** Ids of drafts that are open in some tab, this one included. */
export async function findHeldDrafts(): Promise<Set<string>> {
  const locks = await locksOf()
    ?.query()
    .catch(() => undefined)
  // `whenLetGo` shares the lock of a draft for a moment.
  const forms = (locks?.held ?? []).filter(({ mode }) => mode === 'exclusive')
  const names = forms.map(({ name = '' }) => name)
  return new Set(
    names.filter((name) => name.startsWith(DRAFT)).map((name) => name.slice(DRAFT.length)),
  )
}

/**
 * Calls back once, as soon as a tab has let one of these drafts go.
 *
 * @returns ends it
 */
export function whenLetGo(ids: readonly string[], handle: () => void): Release {
  const over = new AbortController()
  const tell = () => {
    if (over.signal.aborted) return
    over.abort()
    handle()
  }
  const options: LockOptions = { mode: 'shared', signal: over.signal }
  for (const id of ids)
    locksOf()
      ?.request(DRAFT + id, options, tell)
      .catch(() => undefined)
  return () => over.abort()
}

type SoleWriterOptions = {
  userId: string
  postId: string
  /** Hears whether this tab saves the post; the first time as soon as it is known. */
  onChange: (isSole: boolean) => void
}

export type SoleWriter = {
  /** From now on this tab saves the post, and no other. */
  takeOver: () => void
  end: Release
}

/** A tab that is being reloaded holds its lock for a moment. */
const PATIENCE_MS = 500

/** One tab saves a post by itself; when it is closed, the next one does. */
export function acquireWriterLock({ userId, postId, onChange }: SoleWriterOptions): SoleWriter {
  const name = `writer/${userId}/${postId}`
  const locks = locksOf()
  const over = new AbortController()
  const isOver = new Promise<void>((resolve) => {
    over.signal.addEventListener('abort', () => resolve())
  })
  const tell = (isSole: boolean) => {
    if (!over.signal.aborted) onChange(isSole)
  }
  let patience: ReturnType<typeof setTimeout> | undefined
  const hold = () => {
    clearTimeout(patience)
    tell(true)
    return isOver
  }
  const wait = () => {
    if (over.signal.aborted) return
    void locks?.request(name, { signal: over.signal }, hold).catch(lose)
  }
  /** Another tab took the lock away, or the browser blocks locks with the site's data. */
  const lose = (error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') {
      tell(false)
      wait()
    } else void hold()
  }
  if (locks) patience = setTimeout(() => tell(false), PATIENCE_MS)
  wait()
  return {
    takeOver: () => void locks?.request(name, { steal: true }, hold).catch(lose),
    end() {
      clearTimeout(patience)
      over.abort()
    },
  }
}
