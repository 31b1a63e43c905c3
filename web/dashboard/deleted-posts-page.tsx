// /dashboard/deleted: posts that were deleted and can still be restored.
import './dashboard-sheets.css'
import { ArrowLeft, Hourglass } from 'lucide-react'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import type { DeletedPost } from '#contract/versions.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, succeed, useApi } from '../api/client.ts'
import { serverNowMs } from '../api/server-clock.ts'
import { dateText } from '../dates/dates.tsx'
import { EmptyBox, GrowingList, PostThumbnail, useRowFocus } from '../lists/list-parts.tsx'
import { forgetFeed } from '../lists/post-lists.ts'
import { type ListPage, useList } from '../lists/use-list.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { listDeleted, purgeDeleted, restoreDeleted } from '../posts/history-api.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { PageTitle } from '../ui/screens.tsx'
import { useToasts } from '../ui/toasts.tsx'

const { deletedPosts } = texts
const DAY_MS = 24 * 3600 * 1000
const WARN_DAYS = 3

export function DeletedPostsPage() {
  const userId = useViewer().userData?.$id
  return userId && <DeletedPosts key={userId} />
}

function DeletedPosts() {
  const { page, isLoading, failure, loadMore, restore, remove } = useDeletedPosts()
  const { ask, dialog } = useConfirm()
  const title = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(title)
  const toasts = useToasts()
  const navigate = useNavigate()

  async function handleRestore(post: DeletedPost) {
    const postId = await focusAfter(post.$id, () => restore(post))
    if (postId === undefined) return
    const onPress = () => void navigate(`/post/${postId}`)
    const action = { label: deletedPosts.open, onPress }
    toasts.show({ kind: 'ok', text: deletedPosts.restored(post.title), action })
  }
  const confirmDelete = (post: DeletedPost) =>
    ask({
      title: deletedPosts.question,
      text: deletedPosts.questionText(post.title),
      confirmLabel: deletedPosts.deletePermanently,
      // Failures are shown on the page, so the dialog can close at once.
      onConfirm: () => void handleDelete(post),
    })
  async function handleDelete(post: DeletedPost) {
    if (await focusAfter(post.$id, () => remove(post)))
      toasts.show({ kind: 'ok', text: deletedPosts.permanentlyDeleted(post.title) })
  }
  return (
    <div className="narrow-page">
      <PageTitle screen={deletedPosts.title} />
      <ButtonLink kind="ghost" className="narrow-page__back" to="/dashboard">
        <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
        {deletedPosts.back}
      </ButtonLink>
      <h1 ref={title} tabIndex={-1}>
        {deletedPosts.title}
      </h1>
      <p className="lead-line">{deletedPosts.lead}</p>
      <GrowingList
        rows={page?.rows}
        empty={<EmptyBox title={deletedPosts.empty} hint={deletedPosts.emptyHint} />}
        loadingText={deletedPosts.loading}
        failureText={failure && deletedPosts.failed(reasonText(failure))}
        hasMore={page && !page.isLast}
        isLoading={isLoading}
        busyLabel={deletedPosts.loading}
        onLoad={loadMore}
      >
        <h2 className="visually-hidden">{deletedPosts.heading}</h2>
        <ul className="box box-list lines post-list post-list--actions deleted-posts" ref={list}>
          {page?.rows.map((post) => (
            <DeletedRow
              key={post.$id}
              post={post}
              onRestore={() => void handleRestore(post)}
              onDelete={() => confirmDelete(post)}
            />
          ))}
        </ul>
      </GrowingList>
      {dialog}
    </div>
  )
}

type DeletedRowProps = { post: DeletedPost; onRestore: () => void; onDelete: () => void }

function DeletedRow({ post, onRestore, onDelete }: DeletedRowProps) {
  const { title, postId, ownImage } = post
  const days = Math.max(1, Math.ceil((Date.parse(post.expire) - serverNowMs()) / DAY_MS))
  return (
    <li className="hoverable" data-row={post.$id}>
      <PostThumbnail post={{ $id: postId, title, ownImage }} />
      <div>
        <h3 dir="auto">{title}</h3>
        <p className="hint row facts">
          <span>{deletedPosts.deletedOn(dateText(post.deletedAt))}</span>
          <span className={`chip chip--icon${days <= WARN_DAYS ? ' chip--warn' : ''}`}>
            <Hourglass className="icon icon--small" aria-hidden="true" />
            {deletedPosts.daysLeft(days)}
          </span>
        </p>
      </div>
      <div className="row-actions">
        <Button aria-label={deletedPosts.restoreNamed(title)} onClick={onRestore}>
          {deletedPosts.restore}
        </Button>
        <Button
          kind="ghost"
          className="deleted-posts__end"
          aria-label={deletedPosts.deletePermanentlyNamed(title)}
          onClick={onDelete}
        >
          {deletedPosts.deletePermanently}
        </Button>
      </div>
    </li>
  )
}

type DeletedPage = ListPage<DeletedPost> & { next: string }

/** Loads the viewer's deleted posts page by page, and restores or permanently deletes them. */
function useDeletedPosts() {
  const api = useApi()
  const { refresh } = useViewer()
  const {
    page,
    isLoading,
    loadMore,
    remove: removeRow,
    failure,
    setFailure,
  } = useList<DeletedPage>({
    initial: undefined,
    async load(previousPage) {
      const deleted = await listDeleted(api, { cursor: previousPage?.next ?? '' })
      if (!deleted.ok) {
        refreshViewer(deleted.failure)
        return deleted
      }
      const { deleted: rows, total, next } = deleted.value
      return succeed({ rows, total, next, isLast: next === '' })
    },
  })
  /** If the session has ended, the page must show it. */
  function refreshViewer({ code }: Failure): void {
    if (code === 401) void refresh()
  }
  function handleFailure(failure: Failure): void {
    setFailure(failure)
    refreshViewer(failure)
  }
  return {
    page,
    isLoading,
    loadMore,
    failure,
    /** @returns the id of the restored post */
    async restore(post: DeletedPost): Promise<string | undefined> {
      setFailure(undefined)
      const restored = await restoreDeleted(api, post.$id)
      if (!restored.ok) {
        handleFailure(restored.failure)
        return undefined
      }
      forgetFeed()
      removeRow(post.$id)
      return restored.value.$id
    },
    /** @returns whether the post is gone: another window may already have deleted it */
    async remove(post: DeletedPost): Promise<boolean> {
      setFailure(undefined)
      const deleted = await purgeDeleted(api, post.$id)
      if (!deleted.ok && deleted.failure.code !== 404) {
        handleFailure(deleted.failure)
        return false
      }
      removeRow(post.$id)
      return true
    },
  }
}
