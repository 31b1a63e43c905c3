// The buttons and the menu of a comment: for its writer, other readers and moderators.
import { EyeOff, Flag, Link as LinkIcon, Pencil, Reply, Trash2, UserX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { COMMENT_EDIT_SECONDS, type CommentDocument } from '#contract/comments.ts'
import { commentElementId } from '#contract/post-url.ts'
import { useApi } from '../api/client.ts'
import { serverNowMs } from '../api/server-clock.ts'
import { clockText } from '../dates/dates.tsx'
import { RowMenu } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { usePublicPath } from '../posts/post-paths.ts'
import { Button } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { useCopying } from '../ui/copying.ts'
import { MenuItem } from '../ui/menu.tsx'
import type { Discussion } from './discussion.ts'
import { useOwnReports } from './own-reports.ts'
import { ReportDialog, Reported } from './report-dialog.tsx'
import { useModeration } from './use-moderation.ts'

const words = texts.commentActions

type CommentToolsProps = { comment: CommentDocument; discussion: Discussion }

export function CommentTools({ comment, discussion }: CommentToolsProps) {
  const { $id, status, userId } = comment
  const { page, viewer, setOpenField } = discussion
  const [isReporting, setReporting] = useState(false)
  const { ask, dialog } = useConfirm()
  const { setStatus, remove, hideAll } = useModeration(discussion)
  const isOwn = userId === viewer.$id
  const editableUntil = useEditableUntil(comment, isOwn && page.state === 'open')
  const mayReply = page.canWrite && status === 'shown' && !editableUntil
  const mayModerate = page.canModerate && !isOwn
  const mayHide = mayModerate && status === 'shown'
  const reportedAt = useOwnReports(discussion.post.$id).timeOf($id)
  const handleDelete = () =>
    ask({
      title: words.deletion.title,
      text: words.deletion.text,
      confirmLabel: words.delete,
      onConfirm: () => remove(comment),
    })
  const handleHideAll = () =>
    ask({
      title: words.hiding.title(comment.userName),
      text: words.hiding.text,
      confirmLabel: words.hiding.confirm,
      onConfirm: () => hideAll(comment),
    })
  return (
    <div className="comment__tools">
      <div className="row">
        {editableUntil && (
          <Button
            kind="ghost"
            Icon={Pencil}
            onClick={() => setOpenField({ id: $id, kind: 'edit' })}
          >
            {words.edit}
          </Button>
        )}
        {mayReply && (
          <Button
            kind="ghost"
            Icon={Reply}
            data-shortcut="reply"
            onClick={() => setOpenField({ id: $id, kind: 'reply' })}
          >
            {words.reply}
          </Button>
        )}
        {mayModerate && status !== 'shown' && (
          <Button onClick={() => void setStatus(comment, 'shown')}>
            {status === 'waiting' ? words.approve : words.show}
          </Button>
        )}
        {mayModerate && status === 'waiting' && (
          <Button kind="ghost" Icon={EyeOff} onClick={() => void setStatus(comment, 'hidden')}>
            {words.hideShort}
          </Button>
        )}
        {editableUntil ? (
          <>
            <Button kind="ghost" Icon={Trash2} aria-haspopup="dialog" onClick={handleDelete}>
              {words.delete}
            </Button>
            <span className="quiet">{words.until(editableUntil)}</span>
          </>
        ) : (
          (!reportedAt || mayHide) && (
            <MoreMenu
              comment={comment}
              discussion={discussion}
              isOwn={isOwn}
              mayHide={mayHide}
              mayReport={!isOwn && !reportedAt && status === 'shown'}
              onReport={() => setReporting(true)}
              onHide={() => void setStatus(comment, 'hidden')}
              onHideAll={handleHideAll}
              onDelete={handleDelete}
            />
          )
        )}
        {reportedAt && <Reported id={$id} time={reportedAt} />}
      </div>
      {isReporting && (
        <ReportDialog
          postId={discussion.post.$id}
          commentId={$id}
          onClose={() => setReporting(false)}
        />
      )}
      {dialog}
    </div>
  )
}

/** @returns the time of day until which the writer may edit; undefined when they may not */
function useEditableUntil({ $createdAt }: CommentDocument, mayEdit: boolean): string | undefined {
  const endMs = Date.parse($createdAt) + COMMENT_EDIT_SECONDS * 1000
  const [isOver, setOver] = useState(() => serverNowMs() >= endMs)
  useEffect(() => {
    if (!mayEdit || isOver) return
    const leftMs = Math.min(endMs - serverNowMs(), COMMENT_EDIT_SECONDS * 1000)
    const timer = setTimeout(() => setOver(true), leftMs)
    return () => clearTimeout(timer)
  }, [mayEdit, isOver, endMs])
  return mayEdit && !isOver ? clockText(new Date(endMs).toISOString()) : undefined
}

type MoreMenuProps = CommentToolsProps & {
  isOwn: boolean
  mayHide: boolean
  mayReport: boolean
  onReport: () => void
  onHide: () => void
  onHideAll: () => void
  onDelete: () => void
}

function MoreMenu(props: MoreMenuProps) {
  const { comment, discussion, isOwn, mayHide, mayReport } = props
  const { client } = useApi()
  const copy = useCopying()
  const path = usePublicPath()(discussion.post)
  function handleCopy() {
    const address = new URL(path, client.config.endpoint)
    address.search = `?comment=${comment.$id}`
    address.hash = commentElementId(comment.$id)
    void copy(address.href, texts.copying.linkCopied)
  }
  return (
    <RowMenu label={words.more(comment.userName)} isSheet>
      <MenuItem Icon={LinkIcon} onPress={handleCopy}>
        {texts.copying.link}
      </MenuItem>
      {mayReport && (
        <MenuItem Icon={Flag} onPress={props.onReport}>
          {texts.reports.report}
        </MenuItem>
      )}
      {mayHide && (
        <>
          <MenuItem Icon={EyeOff} onPress={props.onHide}>
            {words.hide}
          </MenuItem>
          <MenuItem Icon={UserX} onPress={props.onHideAll}>
            <bdi>{words.hideAll(firstNameOf(comment.userName))}</bdi>
          </MenuItem>
        </>
      )}
      {isOwn && (
        <MenuItem Icon={Trash2} isDanger onPress={props.onDelete}>
          {words.delete}
        </MenuItem>
      )}
    </RowMenu>
  )
}

function firstNameOf(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name
}
