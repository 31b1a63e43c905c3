// Locks of the browser (Web Locks): which drafts are open in some tab, and which tab saves a post.
// They end with their tab, also when it crashes. A site without TLS has none: each tab acts as if
// it were the only one.

export type Release = () => void

function findLocks(): LockManager | undefined {
  return typeof navigator === 'undefined' ? undefined : navigator.locks
}

const DRAFT = 'draft/'

/** This tab has the draft open: other tabs do not offer it. */
export function lockDraft(id: string): Release {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  findLocks()
    ?.request(DRAFT + id, () => isReleased)
    .catch(() => undefined)
  return release
}

/** Ids of drafts that are open in some tab, this one included. */
export async function listLockedDrafts(): Promise<Set<string>> {
  const locks = await findLocks()
    ?.query()
    .catch(() => undefined)
  // `onDraftUnlocked` shares the lock of a draft for a moment.
  const exclusive = (locks?.held ?? []).filter(({ mode }) => mode === 'exclusive')
  const names = exclusive.map(({ name = '' }) => name)
  return new Set(
    names.filter((name) => name.startsWith(DRAFT)).map((name) => name.slice(DRAFT.length)),
  )
}

/**
 * Calls back once, as soon as a tab has released one of these drafts.
 *
 * @returns ends the subscription
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
      ?.request(DRAFT + id, options, handleLock)
      .catch(() => undefined)
  return () => abort.abort()
}

type WriterLockOptions = {
  userId: string
  postId: string
  /** Called with whether this tab saves the post; the first time as soon as that is known. */
  onChange: (isWriter: boolean) => void
}

export type WriterLock = {
  /** From now on this tab saves the post, and no other. */
  takeOver: () => void
  release: Release
}

/** A tab that is being reloaded holds its lock for a moment. */
const PATIENCE_MS = 500

/** One tab saves a post automatically; when it is closed, the next one does. */
export function acquireWriterLock({ userId, postId, onChange }: WriterLockOptions): WriterLock {
  const name = `writer/${userId}/${postId}`
  const locks = findLocks()
  const abort = new AbortController()
  const isReleased = new Promise<void>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve())
  })
  const report = (isWriter: boolean) => {
    if (!abort.signal.aborted) onChange(isWriter)
  }
  let patience: ReturnType<typeof setTimeout> | undefined
  const hold = () => {
    clearTimeout(patience)
    report(true)
    return isReleased
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
  if (locks) patience = setTimeout(() => report(false), PATIENCE_MS)
  wait()
  return {
    takeOver: () => void locks?.request(name, { steal: true }, hold).catch(handleLoss),
    release() {
      clearTimeout(patience)
      abort.abort()
    },
  }
}
