// The viewer's drafts: inactive posts on the server, and unsaved texts on this device.
import { useEffect, useState } from 'react'
import { countWords } from '#contract/plain-text.ts'
import { type Failure, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { listLockedDrafts, onDraftUnlocked, type Release } from '../drafts/draft-locks.ts'
import { type Draft, draftStore } from '../drafts/draft-store.ts'
import { removeFromLists } from '../lists/post-lists.ts'
import { type ListPage, useList } from '../lists/use-list.ts'
import { type DraftSummary, deletePost } from '../posts/posts-api.ts'
import { type FirstDashboard, loadDrafts } from './dashboard-loader.ts'

/** `device`: an unsaved new post; `changes`: unsaved changes of a post on the server. */
export type DraftRow = {
  id: string
  kind: 'server' | 'device' | 'changes'
  title: string
  changedAt: string
  /** Of the form. */
  path: string
  /** Id of the post. */
  slug?: string
  words: number
  post?: DraftSummary
}

export function useDrafts(userId: string) {
  const api = useApi()
  const first = useInitialData<FirstDashboard>(userId)
  const stored = useList({
    first: first?.ok ? first.value.drafts : undefined,
    load: (before) => loadDrafts(api, userId, before),
  })
  const [unsaved, setUnsaved] = useState<Draft[]>([])
  const [isGathering, setGathering] = useState(true)
  const [deletions, setDeletions] = useState(0)
  useEffect(() => {
    let isCurrent = true
    let stopWaiting: Release = () => {}
    async function gather(): Promise<void> {
      const { idle, held } = await findDrafts(userId)
      if (!isCurrent) return
      setUnsaved(idle)
      // A tab that is being closed has its draft open for a moment longer.
      stopWaiting = onDraftUnlocked(held, () => void gather())
      // Two frames later they are laid out: showing them now moves nothing.
      requestAnimationFrame(() => requestAnimationFrame(() => setGathering(false)))
    }
    void gather()
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
  const { page, failure, isLoading, loadMore } = stored
  return {
    page,
    failure,
    isLoading,
    loadMore,
    /** Undefined until there is something to show. */
    rows: page || unsaved.length > 0 ? toRows(page, unsaved) : undefined,
    /** How many there are, also those that are not loaded yet. */
    total: countDrafts(page, unsaved),
    /** Whether unsaved texts of this device may still come. */
    isGathering,
    /** How many posts were deleted here. */
    deletions,
    remove,
  }
}

/** @returns `held` are ids of drafts that another tab has open and saves: they are not offered */
async function findDrafts(userId: string): Promise<{ idle: Draft[]; held: string[] }> {
  const deviceDrafts = await draftStore.listAll(userId)
  // Read after the drafts: the form that this tab has just left has released its lock by then.
  const open = await listLockedDrafts()
  return {
    idle: deviceDrafts.filter(({ id }) => !open.has(id)),
    held: deviceDrafts.map(({ id }) => id).filter((id) => open.has(id)),
  }
}

/** The newest first. Unsaved text of an inactive post is found in its form. */
function toRows(page: ListPage<DraftSummary> | undefined, unsaved: Draft[]): DraftRow[] {
  const stored = page?.rows ?? []
  const rows = [...stored.map(toServerRow), ...withoutStored(page, unsaved).map(toDeviceRow)]
  return rows.toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt))
}

function withoutStored(page: ListPage<DraftSummary> | undefined, unsaved: Draft[]): Draft[] {
  const stored = new Set(page?.rows.map(({ $id }) => $id))
  return unsaved.filter(({ slug, basedOn }) => !(basedOn && stored.has(slug)))
}

/** Unsaved changes of an inactive post may belong to one that the server has counted already. */
function countDrafts(page: ListPage<DraftSummary> | undefined, unsaved: Draft[]): number {
  const isCounted = ({ basedOn, status }: Draft) =>
    page?.isLast === false && basedOn !== undefined && status !== 'active'
  return (
    (page?.total ?? 0) + withoutStored(page, unsaved).filter((draft) => !isCounted(draft)).length
  )
}

function toServerRow(post: DraftSummary): DraftRow {
  const { $id: id, title, $updatedAt: changedAt, words = 0 } = post
  return { id, kind: 'server', title, changedAt, words, path: `/edit-post/${id}`, slug: id, post }
}

function toDeviceRow({ id, title, slug, content, changedAt, basedOn }: Draft): DraftRow {
  const row = { id, title: title.trim(), changedAt, words: countWords(content) }
  return basedOn !== undefined && slug !== ''
    ? { ...row, kind: 'changes', path: `/edit-post/${slug}`, slug }
    : { ...row, kind: 'device', path: '/add-post' }
}
