// What the viewer began and has not published: inactive posts of the server, and unsaved texts of
// this device.
import { useEffect, useState } from 'react'
import { countWords } from '#contract/plain-text.ts'
import { type Failure, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import type { Draft } from '../drafts/draft.ts'
import { findHeldDrafts, type Release, whenLetGo } from '../drafts/draft-locks.ts'
import { deleteDraftsOfPost, discardDraft, drafts } from '../drafts/drafts.ts'
import { removeFromLists } from '../lists/post-lists.ts'
import { type ListPage, useList } from '../lists/use-list.ts'
import { type DraftSummary, deletePost } from '../posts/posts-api.ts'
import { type FirstDashboard, loadDrafts } from './dashboard-loader.ts'

/** `device`: a new text of this device; `changes`: unsaved ones of a post that is on the server. */
export type DraftRow = {
  id: string
  kind: 'server' | 'device' | 'changes'
  title: string
  changedAt: string
  /** Leads to the form. */
  path: string
  /** The id of the post that it belongs to. */
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
  const [kept, setKept] = useState<Draft[]>([])
  const [isGathering, setGathering] = useState(true)
  const [deletions, setDeletions] = useState(0)
  useEffect(() => {
    let isCurrent = true
    let stopWaiting: Release = () => {}
    async function gather(): Promise<void> {
      const { idle, held } = await findDrafts(userId)
      if (!isCurrent) return
      setKept(idle)
      // A tab that is being closed has its draft open for a moment longer.
      stopWaiting = whenLetGo(held, () => void gather())
      // After they have been laid out: what appears where it is has not moved.
      requestAnimationFrame(() => requestAnimationFrame(() => setGathering(false)))
    }
    void gather()
    return () => {
      isCurrent = false
      stopWaiting()
    }
  }, [userId])

  /** @returns why it is still there */
  async function remove(row: DraftRow): Promise<Failure | undefined> {
    if (row.kind === 'server') {
      const deleted = await deletePost(api, row.id)
      if (!deleted.ok && deleted.failure.code !== 404) return deleted.failure
      removeFromLists(row.id)
      stored.remove(row.id)
      setDeletions((count) => count + 1)
      await deleteDraftsOfPost({ userId, postId: row.id })
      return undefined
    }
    await discardDraft({ userId, postId: row.slug }, row.id)
    setKept((now) => now.filter(({ id }) => id !== row.id))
    return undefined
  }
  const { page, failure, isLoading, loadMore } = stored
  return {
    page,
    failure,
    isLoading,
    loadMore,
    /** Undefined until there is something to show. */
    rows: page || kept.length > 0 ? toRows(page, kept) : undefined,
    /** How many there are, also those that are not loaded yet. */
    total: countDrafts(page, kept),
    /** Whether unsaved texts of this device may still come. */
    isGathering,
    /** How many posts were deleted here. */
    deletions,
    remove,
  }
}

/** @returns `held` are ids of drafts that another tab has open and saves: they are not offered */
async function findDrafts(userId: string): Promise<{ idle: Draft[]; held: string[] }> {
  const found = await drafts.findAllOf(userId)
  // Asked later: the form that this tab has just left has given its draft back by then.
  const open = await findHeldDrafts()
  return {
    idle: found.filter(({ id }) => !open.has(id)),
    held: found.map(({ id }) => id).filter((id) => open.has(id)),
  }
}

/** The newest first. Unsaved text of an inactive post is found in its form. */
function toRows(page: ListPage<DraftSummary> | undefined, kept: Draft[]): DraftRow[] {
  const stored = page?.rows ?? []
  const rows = [...stored.map(toServerRow), ...withoutStored(page, kept).map(toDeviceRow)]
  return rows.toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt))
}

function withoutStored(page: ListPage<DraftSummary> | undefined, kept: Draft[]): Draft[] {
  const stored = new Set(page?.rows.map(({ $id }) => $id))
  return kept.filter(({ slug, basedOn }) => !(basedOn && stored.has(slug)))
}

/** Unsaved changes of an inactive post may belong to one that the server has counted already. */
function countDrafts(page: ListPage<DraftSummary> | undefined, kept: Draft[]): number {
  const isCounted = ({ basedOn, status }: Draft) =>
    page?.isLast === false && basedOn !== undefined && status !== 'active'
  return (page?.total ?? 0) + withoutStored(page, kept).filter((one) => !isCounted(one)).length
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
