// The viewer's deleted posts, page by page, and what can be done with one. Knows nothing of how it
// looks.
import { useEffect, useState } from 'react'
import type { DeletedPost } from '#contract/history.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import type { Failure } from '../api/result.ts'
import { forgetFeed } from '../feed/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { endDeleted, listDeleted, restoreDeleted } from '../posts/history-api.ts'

/** Whose rows they are: those of another person are not shown. */
type Rows = { userId: string; rows: DeletedPost[]; next: string }

export function useDeletedPosts() {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const userId = userData?.$id ?? ''
  const [shown, setShown] = useState<Rows>()
  const [error, setError] = useState<string>()
  const [isLoading, setLoading] = useState(false)
  const own = shown?.userId === userId ? shown : undefined

  async function load(): Promise<void> {
    setLoading(true)
    setError(undefined)
    const page = await listDeleted(api, { cursor: own?.next ?? '' })
    setLoading(false)
    if (!page.ok) return fail(page.failure)
    const { deleted, next } = page.value
    const known = new Set(own?.rows.map(({ $id }) => $id))
    const added = deleted.filter(({ $id }) => !known.has($id))
    setShown({ userId, rows: [...(own?.rows ?? []), ...added], next })
  }
  function fail(failure: Failure): void {
    setError(texts.deletedPosts.failed(reasonOf(failure)))
    // The session has ended: the page must know it.
    if (failure.code === 401) void refresh()
  }
  function takeAway({ $id }: DeletedPost): void {
    setShown((now) => now && { ...now, rows: now.rows.filter((row) => row.$id !== $id) })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once for each person
  useEffect(() => {
    if (userId) void load()
  }, [userId])
  return {
    rows: own?.rows,
    isEnd: own?.next === '',
    isLoading,
    error,
    load,
    /** @returns the id of the restored post */
    async restore(post: DeletedPost): Promise<string | undefined> {
      setError(undefined)
      const restored = await restoreDeleted(api, post.$id)
      if (!restored.ok) {
        fail(restored.failure)
        return undefined
      }
      forgetFeed()
      takeAway(post)
      return restored.value.$id
    },
    /** @returns whether it is gone: another window may have ended it before */
    async end(post: DeletedPost): Promise<boolean> {
      setError(undefined)
      const ended = await endDeleted(api, post.$id)
      if (!ended.ok && ended.failure.code !== 404) {
        fail(ended.failure)
        return false
      }
      takeAway(post)
      return true
    },
  }
}

function reasonOf({ code, message }: Failure): string {
  if (code === 401) return texts.failures.signedOut
  if (code === 0) return texts.failures.checkConnection
  return code === 429 ? texts.failures.tooManyTries : message
}
