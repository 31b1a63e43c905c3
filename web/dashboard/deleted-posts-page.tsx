// /dashboard/deleted: posts that were deleted and can still be brought back.
import './dashboard-sheets.css'
import { ArrowLeft, Hourglass } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { DeletedPost } from '#contract/history.ts'
import { useApi } from '../api/api-context.tsx'
import { previewOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { dateText } from '../posts/day-time.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useDeletedPosts } from './use-deleted-posts.ts'
import { useRowFocus } from './use-row-focus.ts'

const { deletedPosts } = texts
const THUMB = { width: 104, height: 58 }
const DAY_MS = 24 * 3600 * 1000
const FEW_DAYS = 3

export function DeletedPostsPage() {
  const { rows, isEnd, isLoading, error, load, restore, end } = useDeletedPosts()
  const [asked, setAsked] = useState<DeletedPost>()
  const title = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(title)
  const toasts = useToasts()
  const navigate = useNavigate()

  async function handleRestore(post: DeletedPost) {
    const slug = await focusAfter(post.$id, () => restore(post))
    if (slug === undefined) return
    const onPress = () => void navigate(`/post/${slug}`)
    const action = { label: deletedPosts.open, onPress }
    toasts.show({ kind: 'ok', text: deletedPosts.restored(post.title), action })
  }
  async function handleEnd(post: DeletedPost) {
    setAsked(undefined)
    if (await focusAfter(post.$id, () => end(post)))
      toasts.show({ kind: 'ok', text: deletedPosts.ended(post.title) })
  }
  return (
    <div className="narrow-page">
      <PageTitle screen={deletedPosts.title} />
      <Link className={`${buttonClass('ghost')} narrow-page__back`} to="/dashboard">
        <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
        {deletedPosts.back}
      </Link>
      <h1 ref={title} tabIndex={-1}>
        {deletedPosts.title}
      </h1>
      <p className="lead-line">{deletedPosts.lead}</p>
      {error && <Alert kind="error">{error}</Alert>}
      {!rows && !error && <LoadingText>{deletedPosts.loading}</LoadingText>}
      {rows?.length === 0 && isEnd && (
        <div className="empty-box">
          <b>{deletedPosts.empty}</b>
          <span>{deletedPosts.emptyHint}</span>
        </div>
      )}
      {rows && rows.length > 0 && (
        <>
          <h2 className="visually-hidden">{deletedPosts.heading}</h2>
          {/* biome-ignore lint/a11y/noRedundantRoles: without bullets some readers no longer call it a list */}
          <ul className="post-list post-list--actions deleted-posts" role="list" ref={list}>
            {rows.map((post) => (
              <DeletedRow
                key={post.$id}
                post={post}
                onRestore={() => void handleRestore(post)}
                onEnd={() => setAsked(post)}
              />
            ))}
          </ul>
        </>
      )}
      {(error || (rows && !isEnd)) && (
        <div className="load-more">
          <Button isBusy={isLoading} busyLabel={deletedPosts.loading} onClick={() => void load()}>
            {error ? texts.actions.tryAgain : texts.actions.loadMore}
          </Button>
        </div>
      )}
      {asked && (
        <ConfirmDialog
          title={deletedPosts.question}
          confirmLabel={deletedPosts.forGood}
          cancelLabel={texts.actions.cancel}
          onConfirm={() => void handleEnd(asked)}
          onCancel={() => setAsked(undefined)}
        >
          {deletedPosts.questionText(asked.title)}
        </ConfirmDialog>
      )}
    </div>
  )
}

type DeletedRowProps = { post: DeletedPost; onRestore: () => void; onEnd: () => void }

function DeletedRow({ post, onRestore, onEnd }: DeletedRowProps) {
  const api = useApi()
  const { title, postId, ownImage: fileId } = post
  const days = Math.max(1, Math.ceil((Date.parse(post.expire) - Date.now()) / DAY_MS))
  const image = fileId
    ? previewOf(api, api.settings.contentBucketId, { fileId, ...THUMB })
    : undefined
  return (
    <li data-row={post.$id}>
      <div className="thumbnail">
        <FeaturedImage image={image} title={title} slug={postId} />
      </div>
      <div>
        <h3 dir="auto">{title}</h3>
        <p className="facts">
          <span>{deletedPosts.deletedOn(dateText(post.deletedAt))}</span>
          <span className={`chip chip--icon${days <= FEW_DAYS ? ' chip--warn' : ''}`}>
            <Hourglass className="icon icon--small" aria-hidden="true" />
            {deletedPosts.daysLeft(days)}
          </span>
        </p>
      </div>
      <div className="row-actions">
        <Button kind="secondary" aria-label={deletedPosts.restoreNamed(title)} onClick={onRestore}>
          {deletedPosts.restore}
        </Button>
        <Button
          kind="ghost"
          className="deleted-posts__end"
          aria-label={deletedPosts.forGoodNamed(title)}
          onClick={onEnd}
        >
          {deletedPosts.forGood}
        </Button>
      </div>
    </li>
  )
}
