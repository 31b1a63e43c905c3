// The drafts at the top of the dashboard, each with a link to continue and a button to delete it.
import { FilePenLine, HardDrive, PenLine, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { Failure } from '../api/client.ts'
import { dayTimeText, LocalDate } from '../dates/dates.tsx'
import { EmptyBox, GrowingList, PostThumbnail, useRowFocus } from '../lists/list-parts.tsx'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { LikeStat, statusText } from '../posts/like-stat.tsx'
import type { DraftSummary, PostSummary } from '../posts/posts-api.ts'
import { ButtonLink, IconButton } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { ScheduledList } from './scheduled-list.tsx'
import type { DraftRow, useDrafts } from './use-drafts.ts'

const { draftList } = texts

type DraftsListProps = {
  drafts: ReturnType<typeof useDrafts>
  /** Supplies the images of posts with unsaved changes. */
  ownPosts: PostSummary[] | undefined
  /** Another button of the page is the primary one. */
  isQuiet: boolean
}

export function DraftsList({ drafts, ownPosts, isQuiet }: DraftsListProps) {
  const { rows, total, page, failure, isLoading, loadMore, remove } = drafts
  const title = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(title)
  const { ask, dialog } = useConfirm()
  async function handleDelete(row: DraftRow) {
    let failure: Failure | undefined
    await focusAfter(row.id, async () => {
      failure = await remove(row)
      return failure === undefined
    })
    return failure && texts.postDeletion.failed(reasonText(failure))
  }
  function confirmDelete(row: DraftRow) {
    const isOnServer = row.kind === 'server'
    ask({
      title: isOnServer ? texts.postDeletion.title : draftList.question,
      text: isOnServer ? texts.postDeletion.text : draftList.questionText,
      confirmLabel: texts.postDeletion.confirm,
      onConfirm: () => handleDelete(row),
    })
  }
  return (
    <section className="dashboard__drafts" aria-labelledby="drafts">
      <div className="apart section-header">
        <h2 id="drafts" ref={title} tabIndex={-1}>
          {draftList.title}
        </h2>
        <ButtonLink kind="ghost" to="/add-post">
          <Plus className="icon icon--small" aria-hidden="true" />
          {texts.places.newPost}
        </ButtonLink>
      </div>
      <GrowingList
        rows={rows}
        empty={<EmptyBox title={draftList.empty} hint={draftList.emptyHint} />}
        loadingText={draftList.loading}
        failureText={failure && draftList.failed}
        hasMore={page && !page.isLast}
        isLoading={isLoading}
        onLoad={loadMore}
        note={rows && <p>{texts.feed.showing(rows.length, total)}</p>}
      >
        <ul className="box box-list lines post-list post-list--actions drafts" ref={list}>
          {rows?.map((row, index) => (
            <DraftItem
              key={row.id}
              row={row}
              post={row.post ?? ownPosts?.find(({ $id }) => $id === row.slug)}
              isPrimary={index === 0 && !isQuiet}
              onDelete={() => confirmDelete(row)}
            />
          ))}
        </ul>
      </GrowingList>
      <ScheduledList drafts={drafts} />
      {dialog}
    </section>
  )
}

type DraftItemProps = {
  row: DraftRow
  post: DraftSummary | PostSummary | undefined
  isPrimary: boolean
  onDelete: () => void
}

function DraftItem({ row, post, isPrimary, onDelete }: DraftItemProps) {
  const { kind, title, wordCount } = row
  // A script localises server-rendered dates before the first paint, so nothing shifts.
  const time =
    kind === 'server' ? (
      <LocalDate time={row.changedAt} hasTime />
    ) : (
      <DayTime time={row.changedAt} />
    )
  return (
    <li className="hoverable" data-row={row.id}>
      {post?.ownImage ? (
        <PostThumbnail post={post} />
      ) : (
        <div className="thumbnail thumbnail--none">
          <FilePenLine className="icon" aria-hidden="true" />
        </div>
      )}
      <div>
        <h3 dir="auto">
          <Link
            className={title ? 'clamp' : 'clamp quiet'}
            to={post ? `/post/${post.$id}` : row.path}
          >
            {title || draftList.noTitle}
          </Link>
        </h3>
        <p className="hint row facts">
          <Chip kind={kind} status={row.post?.status} />
          {row.post?.hidden && <span className="chip">{texts.ownPosts.hidden}</span>}
          <span>
            {kind === 'server'
              ? draftList.saved(time, wordCount)
              : draftList.unsaved(time, wordCount)}
          </span>
          {row.post && row.post.like > 0 && <LikeStat like={row.post.like} />}
        </p>
      </div>
      <div className="row-actions">
        <ButtonLink
          kind={isPrimary ? 'primary' : 'secondary'}
          to={row.path}
          aria-label={draftList.continueNamed(title || draftList.unnamed)}
        >
          {draftList.continue}
        </ButtonLink>
        <IconButton
          label={title ? draftList.delete(title) : draftList.deleteUnnamed}
          aria-haspopup="dialog"
          onClick={onDelete}
          Icon={Trash2}
        />
      </div>
    </li>
  )
}

/** "today 14:02". Rendered only in the browser, which knows which day is today for the reader. */
function DayTime({ time }: { time: string }) {
  return (
    <bdi>
      <time dateTime={time}>{dayTimeText(time, { isMidSentence: true })}</time>
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
