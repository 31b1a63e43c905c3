// Drafts on the dashboard, before everything else: each to go on with, or to throw away.
import { FilePenLine, HardDrive, PenLine, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Failure } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { dayTimeText } from '../posts/day-time.ts'
import { plainDate } from '../posts/local-date.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import type { DraftRow, useDrafts } from './use-drafts.ts'
import { useRowFocus } from './use-row-focus.ts'

const { draftList } = texts

export function DraftsList({ rows, remove }: ReturnType<typeof useDrafts>) {
  const title = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(title)
  const [asked, setAsked] = useState<DraftRow>()
  const [failure, setFailure] = useState<Failure>()
  async function handleRemove(row: DraftRow) {
    const isGone = await focusAfter(row.id, async () => {
      const failed = await remove(row)
      setFailure(failed)
      return failed === undefined
    })
    if (isGone) setAsked(undefined)
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
      {!rows && <LoadingText>{draftList.loading}</LoadingText>}
      {rows?.length === 0 && (
        <div className="empty-box">
          <b>{draftList.empty}</b>
          <span>{draftList.emptyHint}</span>
        </div>
      )}
      {rows && rows.length > 0 && (
        // biome-ignore lint/a11y/noRedundantRoles: without bullets some readers no longer call it a list
        <ul className="post-list post-list--actions" role="list" ref={list}>
          {rows.map((row, at) => (
            <Row key={row.id} row={row} isNewest={at === 0} onDelete={() => setAsked(row)} />
          ))}
        </ul>
      )}
      {asked && (
        <ConfirmDialog
          title={asked.kind === 'server' ? texts.postDeletion.title : draftList.question}
          confirmLabel={texts.postDeletion.confirm}
          cancelLabel={texts.actions.cancel}
          error={failure && texts.postDeletion.failed(failure.message)}
          onConfirm={() => void handleRemove(asked)}
          onCancel={() => setAsked(undefined)}
        >
          {asked.kind === 'server' ? texts.postDeletion.text : draftList.questionText}
        </ConfirmDialog>
      )}
    </section>
  )
}

type RowProps = { row: DraftRow; isNewest: boolean; onDelete: () => void }

function Row({ row, isNewest, onDelete }: RowProps) {
  const name = row.title || draftList.unnamed
  // Of the reader's time zone, which the server does not know.
  const time = useIsHydrated()
    ? dayTimeText(row.changedAt, { isInside: true })
    : plainDate(row.changedAt)
  return (
    <li data-row={row.id}>
      <div className="thumbnail thumbnail--none">
        <FilePenLine className="icon" aria-hidden="true" />
      </div>
      <div>
        <h3 dir="auto">{row.title || <span className="quiet">{draftList.noTitle}</span>}</h3>
        <p className="facts">
          <Chip kind={row.kind} />
          <span>
            {row.kind === 'server' ? draftList.saved(time) : draftList.kept(time, row.words ?? 0)}
          </span>
        </p>
      </div>
      <div className="row-actions">
        <Link
          className={buttonClass(isNewest ? 'primary' : 'secondary')}
          to={row.path}
          aria-label={draftList.goOnWith(name)}
        >
          {draftList.goOn}
        </Link>
        <Button
          kind="ghost"
          className="btn--icon"
          aria-label={row.title ? draftList.delete(row.title) : draftList.deleteUnnamed}
          aria-haspopup="dialog"
          onClick={onDelete}
        >
          <Trash2 className="icon" aria-hidden="true" />
        </Button>
      </div>
    </li>
  )
}

function Chip({ kind }: Pick<DraftRow, 'kind'>) {
  if (kind === 'server') return <span className="chip">{texts.statuses.inactive}</span>
  const Icon = kind === 'device' ? HardDrive : PenLine
  return (
    <span className="chip chip--icon chip--warn">
      <Icon className="icon icon--small" aria-hidden="true" />
      {kind === 'device' ? draftList.onDevice : draftList.changesHere}
    </span>
  )
}
