// Uses the browser's locks (Web Locks) to know which drafts are open in some tab, and which tab
// saves a post. A lock ends with its tab, also when the tab crashes. Without TLS, browsers offer no
// locks, and each tab acts as if it were the only one.

export type Release = () => void

function findLocks(): LockManager | undefined {
  return typeof navigator === 'undefined' ? undefined : navigator.locks
}

const DRAFT_PREFIX = 'draft/'

/** Marks the draft as open in this tab, so that other tabs do not offer it. */
export function lockDraft(id: string): Release {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  findLocks()
    ?.request(DRAFT_PREFIX + id, () => released)
    .catch(() => undefined)
  return release
}

/** Ids of drafts that are open in some tab, this one included. */
export async function listLockedDrafts(): Promise<Set<string>> {
  const locks = await findLocks()
    ?.query()
    .catch(() => undefined)
  // `onDraftUnlocked` holds shared locks for a moment; they do not mean that a draft is open.
  const exclusive = (locks?.held ?? []).filter(({ mode }) => mode === 'exclusive')
  const names = exclusive.map(({ name = '' }) => name)
  return new Set(
    names
      .filter((name) => name.startsWith(DRAFT_PREFIX))
      .map((name) => name.slice(DRAFT_PREFIX.length)),
  )
}

/**
 * Calls back once, as soon as a tab has released one of these drafts.
 *
 * @returns a function that ends the subscription
 */
export function onDraftUnlocked(ids: readonly string[], handle: () => void): Release {
  const abort = new AbortController()
  const handleLock = () => {
    if (abort.signal.aborted) return
    abort.abort()
    handle()
  }
  const options: LockOptions = { mode: 'shared', signal: abort.signal }
  for (const id of ids)
    findLocks()
      ?.request(DRAFT_PREFIX + id, options, handleLock)
      .catch(() => undefined)
  return () => abort.abort()
}

type WriterLockOptions = {
  userId: string
  postId: string
  /** Called with whether this tab saves the post: as soon as that is known, and when it changes. */
  onChange: (isWriter: boolean) => void
}

export type WriterLock = {
  /** Makes this tab, and no other, save the post from now on. */
  takeOver: () => void
  release: Release
}

/** A tab that is being reloaded still holds its lock for a moment. */
const LOCK_WAIT_MS = 500

/** Only one tab saves a post automatically; when that tab is closed, the next one takes over. */
export function acquireWriterLock({ userId, postId, onChange }: WriterLockOptions): WriterLock {
  const name = `writer/${userId}/${postId}`
  const locks = findLocks()
  const abort = new AbortController()
  const released = new Promise<void>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve())
  })
  const report = (isWriter: boolean) => {
    if (!abort.signal.aborted) onChange(isWriter)
  }
  let reportTimer: ReturnType<typeof setTimeout> | undefined
  const hold = () => {
    clearTimeout(reportTimer)
    report(true)
    return released
  }
  const wait = () => {
    if (abort.signal.aborted) return
    void locks?.request(name, { signal: abort.signal }, hold).catch(handleLoss)
  }
  /** Another tab has stolen the lock, or the browser blocks locks together with site data. */
  const handleLoss = (error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') {
      report(false)
      wait()
    } else void hold()
  }
  if (locks) reportTimer = setTimeout(() => report(false), LOCK_WAIT_MS)
  wait()
  return {
    takeOver: () => void locks?.request(name, { steal: true }, hold).catch(handleLoss),
    release() {
      clearTimeout(reportTimer)
      abort.abort()
    },
  }
}
