// What the viewer began and has not published: inactive posts of the server, and unsaved texts of
// this device. Knows nothing of how it looks.
import { useEffect, useRef, useState } from 'react'
import { countWords } from '#contract/words.ts'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import type { Failure } from '../api/result.ts'
import type { Draft } from '../drafts/draft.ts'
import { deleteDraftsOfPost, discardDraft, drafts } from '../drafts/drafts.ts'
import { removeFromLists } from '../feed/post-lists.ts'
import { type DraftSummary, deletePost, listDrafts } from '../posts/posts-api.ts'
import type { FirstDashboard } from './first-own-posts.ts'

/** `device`: a new text of this device; `changes`: unsaved ones of a post that is on the server. */
export type DraftRow = {
  id: string
  kind: 'server' | 'device' | 'changes'
  title: string
  changedAt: string
  path: string
  words?: number
  post?: DraftSummary
}

/** @param onDeleted hears which post was deleted */
export function useDrafts(userId: string, onDeleted: (slug: string) => void) {
  const api = useApi()
  const first = useFirstData<FirstDashboard>(userId)
  const known = useRef(first?.ok ? first.value.drafts : undefined)
  const [rows, setRows] = useState(first?.ok ? toRows(first.value.drafts, []) : undefined)

  useEffect(() => {
    let isCurrent = true
    async function load() {
      const [stored, kept] = await Promise.all([
        known.current ?? listDrafts(api, userId).then((found) => (found.ok ? found.value : [])),
        drafts.findAllOf(userId),
      ])
      if (isCurrent) setRows(toRows(stored, kept))
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [api, userId])

  /** @returns why it is still there */
  async function remove(row: DraftRow): Promise<Failure | undefined> {
    if (row.kind === 'server') {
      const deleted = await deletePost(api, row.id)
      if (!deleted.ok && deleted.failure.code !== 404) return deleted.failure
      removeFromLists(row.id)
      onDeleted(row.id)
      await deleteDraftsOfPost({ userId, postId: row.id })
    } else {
      const postId = row.kind === 'changes' ? row.path.replace('/edit-post/', '') : undefined
      await discardDraft({ userId, postId }, row.id)
    }
    setRows((now) => now?.filter(({ id }) => id !== row.id))
    return undefined
  }
  return { rows, remove }
}

/** The newest first. Unsaved text of an inactive post is found in its form. */
function toRows(stored: DraftSummary[], kept: Draft[]): DraftRow[] {
  const onServer = new Set(stored.map(({ $id }) => $id))
  const rows = [
    ...stored.map(toServerRow),
    ...kept.filter(({ slug, basedOn }) => !(basedOn && onServer.has(slug))).map(toDeviceRow),
  ]
  return rows.toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt))
}

function toServerRow(post: DraftSummary): DraftRow {
  const { $id: id, title, $updatedAt: changedAt } = post
  return { id, kind: 'server', title, changedAt, path: `/edit-post/${id}`, post }
}

function toDeviceRow({ id, title, slug, content, changedAt, basedOn }: Draft): DraftRow {
  const isChange = basedOn !== undefined && slug !== ''
  return {
    ...{ id, title: title.trim(), changedAt, words: countWords(content) },
    kind: isChange ? 'changes' : 'device',
    path: isChange ? `/edit-post/${slug}` : '/add-post',
  }
}
