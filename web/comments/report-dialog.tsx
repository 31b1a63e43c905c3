// Reporting a post or a comment, and what stands there once it is reported.
import { Flag } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { REPORT_WORDS_MAX_CHARS } from '#contract/limits.ts'
import type { ReportReason } from '#contract/reports.ts'
import { LocalDate } from '../dates/dates.tsx'
import { RowMenu } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Options } from '../ui/options.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useOwnReports } from './own-reports.ts'

const words = texts.reports
const OPTIONS = Object.entries(words.reasons).map(([value, name]) => ({
  value: value as ReportReason,
  name,
}))

type ReportDialogProps = { postId: string; commentId?: string; onClose: () => void }

export function ReportDialog({ postId, commentId, onClose }: ReportDialogProps) {
  const { send } = useOwnReports(postId)
  const toasts = useToasts()
  const [reason, setReason] = useState<ReportReason>('spam')
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const kind = commentId ? 'comment' : 'post'
  const isSent = useRef(false)
  // The menu that it was opened from may be gone.
  const leave = useEffectEvent(() => {
    if (isSent.current) document.getElementById(idOf(commentId ?? postId))?.focus()
  })
  useEffect(() => () => leave(), [])

  async function handleSubmit() {
    setBusy(true)
    const failure = await send({ postId, ...(commentId && { commentId }), reason, words: said })
    setBusy(false)
    setFailed(failure)
    if (failure) return
    isSent.current = true
    onClose()
    toasts.show({ kind: 'ok', text: words.sent })
  }
  return (
    <FormDialog
      title={words.titles[kind]}
      submitLabel={words.send}
      isSubmitOff={isBusy}
      onSubmit={() => void handleSubmit()}
      onClose={onClose}
    >
      <p>{words.hints[kind]}</p>
      <Options legend={words.legend} options={OPTIONS} now={reason} onChoose={setReason} />
      <Field
        label={
          <>
            {words.details} <span className="field__kind">{words.optional}</span>
          </>
        }
        hint={words.count(said.length, REPORT_WORDS_MAX_CHARS)}
      >
        {(ids) => (
          <textarea
            {...ids}
            className="input"
            rows={3}
            dir="auto"
            maxLength={REPORT_WORDS_MAX_CHARS}
            value={said}
            onChange={({ currentTarget }) => setSaid(currentTarget.value)}
          />
        )}
      </Field>
      {failed && <Alert kind="error">{failed}</Alert>}
    </FormDialog>
  )
}

const idOf = (id: string) => `reported-${id}`

/** @param props.id of the post or comment */
export function Reported({ id, time }: { id: string; time: string }) {
  return (
    <span className="row row--tight quiet" id={idOf(id)} tabIndex={-1}>
      <Flag className="icon icon--small" aria-hidden="true" />
      <span>{words.reported(<LocalDate time={time} />)}</span>
    </span>
  )
}

/** What others than its author can do with a post. */
export function ReaderMenu({ postId }: { postId: string }) {
  const time = useOwnReports(postId).timeOf(postId)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {time ? (
        <Reported id={postId} time={time} />
      ) : (
        <RowMenu label={words.morePost} isSheet>
          <MenuItem Icon={Flag} onPress={() => setOpen(true)}>
            {words.report}
          </MenuItem>
        </RowMenu>
      )}
      {isOpen && <ReportDialog postId={postId} onClose={() => setOpen(false)} />}
    </>
  )
}
