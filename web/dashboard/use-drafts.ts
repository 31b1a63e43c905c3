// What the viewer began and has not published: inactive posts of the server, and unsaved texts of
// this device.
import { useEffect, useEffectEvent, useState } from 'react'
import { countWords } from '#contract/plain-text.ts'
import { type Failure, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import type { Draft } from '../drafts/draft.ts'
import { findHeldDrafts, type Release, whenLetGo } from '../drafts/draft-locks.ts'
import { deleteDraftsOfPost, discardDraft, drafts } from '../drafts/drafts.ts'
import { removeFromLists } from '../lists/post-lists.ts'
import { type DraftPage, type DraftSummary, deletePost, listDrafts } from '../posts/posts-api.ts'
import type { FirstDashboard } from './dashboard-loader.ts'

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
  const server = useServerDrafts(userId)
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
      server.takeAway(row.id)
      setDeletions((count) => count + 1)
      await deleteDraftsOfPost({ userId, postId: row.id })
      return undefined
    }
    await discardDraft({ userId, postId: row.slug }, row.id)
    setKept((now) => now.filter(({ id }) => id !== row.id))
    return undefined
  }
  const { page } = server
  return {
    ...server,
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

/** The inactive posts, page by page; the first page may have come with the document. */
function useServerDrafts(userId: string) {
  const api = useApi()
  const first = useInitialData<FirstDashboard>(userId)
  const came = first?.ok ? first.value.drafts : undefined
  const [page, setPage] = useState(came?.ok ? came.value : undefined)
  const [hasFailed, setFailed] = useState(came?.ok === false)
  const [isLoading, setLoading] = useState(false)

  async function load(): Promise<void> {
    if (isLoading) return
    setLoading(true)
    setFailed(false)
    const next = await listDrafts(api, userId, page?.posts.at(-1)?.$id)
    setLoading(false)
    if (next.ok) setPage(page ? joined(page, next.value) : next.value)
    else setFailed(true)
  }
  const loadFirst = useEffectEvent(() => {
    if (!page && !hasFailed) void load()
  })
  useEffect(() => loadFirst(), [userId])
  function takeAway(slug: string): void {
    setPage((now) => {
      const posts = now?.posts.filter(({ $id }) => $id !== slug)
      return now && posts && { ...now, posts, total: Math.max(posts.length, now.total - 1) }
    })
  }
  return { page, hasFailed, isLoading, load, takeAway }
}

function joined(before: DraftPage, { posts, total, isLast }: DraftPage): DraftPage {
  const known = new Set(before.posts.map(({ $id }) => $id))
  return { posts: [...before.posts, ...posts.filter(({ $id }) => !known.has($id))], total, isLast }
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
function toRows(page: DraftPage | undefined, kept: Draft[]): DraftRow[] {
  const stored = page?.posts ?? []
  const rows = [...stored.map(toServerRow), ...withoutStored(page, kept).map(toDeviceRow)]
  return rows.toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt))
}

function withoutStored(page: DraftPage | undefined, kept: Draft[]): Draft[] {
  const stored = new Set(page?.posts.map(({ $id }) => $id))
  return kept.filter(({ slug, basedOn }) => !(basedOn && stored.has(slug)))
}

/** Unsaved changes of an inactive post may belong to one that the server has counted already. */
function countDrafts(page: DraftPage | undefined, kept: Draft[]): number {
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
