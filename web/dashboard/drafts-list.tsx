// Drafts on the dashboard, before everything else: each to go on with, or to throw away.
import { FilePenLine, HardDrive, PenLine, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Failure } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { dayTimeText } from '../posts/day-time.ts'
import { LikeStat } from '../posts/like-stat.tsx'
import { LocalDate } from '../posts/local-date.tsx'
import type { DraftSummary, PostSummary } from '../posts/posts-api.ts'
import { statusText } from '../posts/status-text.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { PostThumbnail } from './post-thumbnail.tsx'
import type { DraftRow, useDrafts } from './use-drafts.ts'
import { useRowFocus } from './use-row-focus.ts'

const { draftList } = texts

type DraftsListProps = {
  drafts: ReturnType<typeof useDrafts>
  /** For the images of those with unsaved changes. */
  ownPosts: PostSummary[] | undefined
  /** Another button of the page is the bright one. */
  isQuiet: boolean
}

export function DraftsList({ drafts, ownPosts, isQuiet }: DraftsListProps) {
  const { rows, total, page, hasFailed, isLoading, load, remove } = drafts
  const title = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(title)
  const [asked, setAsked] = useState<DraftRow>()
  const hasMore = page && !page.isLast
  async function handleDelete(row: DraftRow) {
    let failure: Failure | undefined
    await focusAfter(row.id, async () => {
      failure = await remove(row)
      return failure === undefined
    })
    return failure
  }
  return (
    <section className="dashboard__drafts" aria-labelledby="drafts">
      <div className="section-header">
        <h2 id="drafts" ref={title} tabIndex={-1}>
          {draftList.title}
        </h2>
        <Link className={buttonClass('ghost')} to="/add-post">
          <Plus className="icon icon--small" aria-hidden="true" />
          {texts.places.newPost}
        </Link>
      </div>
      {hasFailed && <FailedDrafts onOnline={() => void load()} />}
      {!rows && !hasFailed && <LoadingText>{draftList.loading}</LoadingText>}
      {rows?.length === 0 && !hasFailed && (
        <div className="empty-box">
          <b>{draftList.empty}</b>
          <span>{draftList.emptyHint}</span>
        </div>
      )}
      {rows && rows.length > 0 && (
        // biome-ignore lint/a11y/noRedundantRoles: without bullets some readers no longer call it a list
        <ul className="post-list post-list--actions drafts" role="list" ref={list}>
          {rows.map((row, at) => (
            <Row
              key={row.id}
              row={row}
              post={row.post ?? ownPosts?.find(({ $id }) => $id === row.slug)}
              isBright={at === 0 && !isQuiet}
              onDelete={() => setAsked(row)}
            />
          ))}
        </ul>
      )}
      {(hasFailed || hasMore) && (
        <div className="load-more">
          <Button isBusy={isLoading} busyLabel={texts.ownPosts.loading} onClick={() => void load()}>
            {hasFailed ? texts.actions.tryAgain : texts.actions.loadMore}
          </Button>
          {rows && <p>{texts.feed.showing(rows.length, total)}</p>}
        </div>
      )}
      {asked && (
        <DeleteQuestion
          row={asked}
          onDelete={() => handleDelete(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

/** Tries again by itself when the network is back. */
function FailedDrafts({ onOnline }: { onOnline: () => void }) {
  useWhenOnline(onOnline)
  return <Alert kind="error">{draftList.failed}</Alert>
}

type DeleteQuestionProps = {
  row: DraftRow
  onDelete: () => Promise<Failure | undefined>
  onClose: () => void
}

function DeleteQuestion({ row, onDelete, onClose }: DeleteQuestionProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  async function handleConfirm() {
    if (isBusy) return
    setBusy(true)
    const failed = await onDelete()
    setBusy(false)
    setFailure(failed)
    if (!failed) onClose()
  }
  const isPost = row.kind === 'server'
  return (
    <ConfirmDialog
      title={isPost ? texts.postDeletion.title : draftList.question}
      confirmLabel={texts.postDeletion.confirm}
      cancelLabel={texts.actions.cancel}
      isBusy={isBusy}
      error={failure && texts.postDeletion.failed(failure.message)}
      onConfirm={() => void handleConfirm()}
      onCancel={onClose}
    >
      {isPost ? texts.postDeletion.text : draftList.questionText}
    </ConfirmDialog>
  )
}

type RowProps = {
  row: DraftRow
  post: DraftSummary | PostSummary | undefined
  isBright: boolean
  onDelete: () => void
}

function Row({ row, post, isBright, onDelete }: RowProps) {
  const { kind, title, words } = row
  // What the server renders has the reader's own date before it is painted, so nothing moves.
  const time =
    kind === 'server' ? (
      <LocalDate time={row.changedAt} hasTime />
    ) : (
      <DayTime time={row.changedAt} />
    )
  return (
    <li data-row={row.id}>
      {post?.ownImage ? (
        <PostThumbnail post={post} />
      ) : (
        <div className="thumbnail thumbnail--none">
          <FilePenLine className="icon" aria-hidden="true" />
        </div>
      )}
      <div>
        <h3 dir="auto">
          <Link className={title ? undefined : 'quiet'} to={post ? `/post/${post.$id}` : row.path}>
            {title || draftList.noTitle}
          </Link>
        </h3>
        <p className="facts">
          <Chip kind={kind} status={row.post?.status} />
          {row.post?.hidden && <span className="chip">{texts.ownPosts.hidden}</span>}
          <span>
            {kind === 'server' ? draftList.saved(time, words) : draftList.kept(time, words)}
          </span>
          {row.post && row.post.like > 0 && <LikeStat like={row.post.like} />}
        </p>
      </div>
      <div className="row-actions">
        <Link
          className={buttonClass(isBright ? 'primary' : 'secondary')}
          to={row.path}
          aria-label={draftList.goOnWith(title || draftList.unnamed)}
        >
          {draftList.goOn}
        </Link>
        <Button
          kind="ghost"
          className="btn--icon"
          aria-label={title ? draftList.delete(title) : draftList.deleteUnnamed}
          aria-haspopup="dialog"
          onClick={onDelete}
        >
          <Trash2 className="icon" aria-hidden="true" />
        </Button>
      </div>
    </li>
  )
}

/** "today 14:02", and until the browser says which day is today, the plain date. */
function DayTime({ time }: { time: string }) {
  return (
    <bdi>
      <time dateTime={time}>{dayTimeText(time, { isInside: true })}</time>
    </bdi>
  )
}

function Chip({ kind, status }: Pick<DraftRow, 'kind'> & { status: string | undefined }) {
  if (kind === 'server') return <span className="chip">{statusText(status ?? 'inactive')}</span>
  const Icon = kind === 'device' ? HardDrive : PenLine
  return (
    <span className="chip chip--icon chip--warn">
      <Icon className="icon icon--small" aria-hidden="true" />
      {kind === 'device' ? draftList.onDevice : draftList.changesHere}
    </span>
  )
}
