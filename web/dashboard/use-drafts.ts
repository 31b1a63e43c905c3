// The viewer's drafts: inactive posts on the server, and unsaved texts on this device.
import { useEffect, useState } from 'react'
import { countWords } from '#contract/plain-text.ts'
import { type Failure, succeed, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { listLockedDrafts, onDraftUnlocked, type Release } from '../drafts/draft-locks.ts'
import { type Draft, draftStore } from '../drafts/draft-store.ts'
import { removeFromLists } from '../lists/post-lists.ts'
import { type ListPage, useList } from '../lists/use-list.ts'
import { NEW_PAGE_PATH } from '../posts/post-paths.ts'
import { type DraftSummary, deletePost, scheduledTimeOf } from '../posts/posts-api.ts'
import { type InitialDashboard, loadDrafts, loadScheduled } from './dashboard-loader.ts'

/** `device`: an unsaved new post; `changes`: unsaved changes to a post on the server. */
export type DraftRow = {
  id: string
  kind: 'server' | 'device' | 'changes'
  title: string
  changedAt: string
  /** Path of the form. */
  path: string
  /** Id of the post. */
  slug?: string
  wordCount: number
  post?: DraftSummary
}

export function useDrafts(userId: string) {
  const api = useApi()
  const initial = useInitialData<InitialDashboard>(userId)
  const stored = useList({
    initial: initial?.ok ? initial.value.drafts : undefined,
    load: (previous) => loadDrafts(api, userId, previous),
  })
  const upcoming = useList({
    initial: initial?.ok && initial.value.scheduled ? succeed(initial.value.scheduled) : undefined,
    load: () => loadScheduled(api, userId),
  })
  const [unsaved, setUnsaved] = useState<Draft[]>([])
  const [isCollecting, setCollecting] = useState(true)
  const [deletions, setDeletions] = useState(0)
  useEffect(() => {
    let isCurrent = true
    let stopWaiting: Release = () => {}
    async function collect(): Promise<void> {
      const { available, lockedIds } = await findDeviceDrafts(userId)
      if (!isCurrent) return
      setUnsaved(available)
      // A tab that is being closed keeps its draft locked for a moment.
      stopWaiting = onDraftUnlocked(lockedIds, () => void collect())
      // Two frames later the drafts are laid out: showing the rest then moves nothing.
      requestAnimationFrame(() => requestAnimationFrame(() => setCollecting(false)))
    }
    void collect()
    return () => {
      isCurrent = false
      stopWaiting()
    }
  }, [userId])

  /** @returns why it was not deleted */
  async function remove(row: DraftRow): Promise<Failure | undefined> {
    if (row.kind === 'server') {
      const deleted = await deletePost(api, row.id)
      if (!deleted.ok && deleted.failure.code !== 404) return deleted.failure
      removeFromLists(row.id)
      stored.remove(row.id)
      setDeletions((count) => count + 1)
      await draftStore.discardAllOfPost({ userId, postId: row.id })
      return undefined
    }
    await draftStore.discard({ userId, postId: row.slug }, row.id)
    setUnsaved((current) => current.filter(({ id }) => id !== row.id))
    return undefined
  }
  /** Replaces the row of a post whose schedule has ended, or begun again. */
  function putScheduled(post: DraftSummary): void {
    for (const list of [stored, upcoming]) list.remove(post.$id)
    if (post.status !== 'active') stored.insert(post, 0)
    if (scheduledTimeOf(post) !== undefined) upcoming.insert(post, 0)
  }
  const { page, failure, isLoading, loadMore } = stored
  const scheduled = findScheduled(page?.rows, upcoming.page?.rows)
  const ids = new Set(scheduled.map(({ $id }) => $id))
  return {
    page,
    failure,
    isLoading,
    loadMore,
    /** Undefined until there is something to show. */
    rows:
      page || unsaved.length > 0
        ? toRows(page, unsaved).filter(({ slug }) => !slug || !ids.has(slug))
        : undefined,
    /** The number of drafts, without scheduled ones; with those that are not loaded yet. */
    total: Math.max(0, countDrafts(page, unsaved) - ids.size),
    /** The scheduled posts, the soonest first. */
    scheduled,
    putScheduled,
    /** Whether the unsaved texts of this device are still being collected. */
    isCollecting,
    /** The number of posts that were deleted on this page. */
    deletions,
    remove,
  }
}

/** Overdue posts are only among the drafts. */
function findScheduled(drafts: DraftSummary[] = [], upcoming: DraftSummary[] = []): DraftSummary[] {
  const all = new Map([...upcoming, ...drafts].map((post) => [post.$id, post]))
  return [...all.values()]
    .filter((post) => scheduledTimeOf(post) !== undefined)
    .toSorted((a, b) => (a.publishedAt ?? '').localeCompare(b.publishedAt ?? ''))
}

/** @returns drafts that no tab has open, and the ids of those that a tab has open and saves */
async function findDeviceDrafts(
  userId: string,
): Promise<{ available: Draft[]; lockedIds: string[] }> {
  const deviceDrafts = await draftStore.listAll(userId)
  // Read after the drafts: the form that this tab has just left has released its lock by then.
  const locked = await listLockedDrafts()
  return {
    available: deviceDrafts.filter(({ id }) => !locked.has(id)),
    lockedIds: deviceDrafts.map(({ id }) => id).filter((id) => locked.has(id)),
  }
}

/** Newest first. Unsaved changes to an inactive post have no row: the post's form offers them. */
function toRows(page: ListPage<DraftSummary> | undefined, unsaved: Draft[]): DraftRow[] {
  const stored = page?.rows ?? []
  const rows = [...stored.map(toServerRow), ...withoutStored(page, unsaved).map(toDeviceRow)]
  return rows.toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt))
}

function withoutStored(page: ListPage<DraftSummary> | undefined, unsaved: Draft[]): Draft[] {
  const stored = new Set(page?.rows.map(({ $id }) => $id))
  return unsaved.filter(({ slug, basedOn }) => !(basedOn && stored.has(slug)))
}

/** Leaves out unsaved changes to an inactive post that the server may already have counted. */
function countDrafts(page: ListPage<DraftSummary> | undefined, unsaved: Draft[]): number {
  const isCounted = ({ basedOn, status }: Draft) =>
    page?.isLast === false && basedOn !== undefined && status !== 'active'
  return (
    (page?.total ?? 0) + withoutStored(page, unsaved).filter((draft) => !isCounted(draft)).length
  )
}

function toServerRow(post: DraftSummary): DraftRow {
  const { $id: id, title, $updatedAt: changedAt, words: wordCount = 0 } = post
  return {
    id,
    kind: 'server',
    title,
    changedAt,
    wordCount,
    path: `/edit-post/${id}`,
    slug: id,
    post,
  }
}

function toDeviceRow(draft: Draft): DraftRow {
  const { id, title, slug, content, changedAt, basedOn, isPage } = draft
  const row = { id, title: title.trim(), changedAt, wordCount: countWords(content) }
  return basedOn !== undefined && slug !== ''
    ? { ...row, kind: 'changes', path: `/edit-post/${slug}`, slug }
    : { ...row, kind: 'device', path: isPage ? NEW_PAGE_PATH : '/add-post' }
}
