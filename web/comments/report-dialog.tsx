// Reports a post or a comment, and shows when it was reported.
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
  const [details, setDetails] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failureText, setFailureText] = useState<string>()
  const kind = commentId ? 'comment' : 'post'
  const isSent = useRef(false)
  // The note about the report takes the focus, because it replaces the menu that opened the dialog.
  const focusNote = useEffectEvent(() => {
    if (isSent.current) document.getElementById(noteIdOf(commentId ?? postId))?.focus()
  })
  useEffect(() => () => focusNote(), [])

  async function handleSubmit() {
    setBusy(true)
    const failure = await send({ postId, ...(commentId && { commentId }), reason, words: details })
    setBusy(false)
    setFailureText(failure)
    if (failure) return
    isSent.current = true
    onClose()
    toasts.show({ kind: 'ok', text: words.sent })
  }
  return (
    <FormDialog
      title={words.titles[kind]}
      submitLabel={words.send}
      isSubmitDisabled={isBusy}
      onSubmit={() => void handleSubmit()}
      onClose={onClose}
    >
      <p>{words.hints[kind]}</p>
      <Options legend={words.legend} options={OPTIONS} selected={reason} onChoose={setReason} />
      <Field
        label={
          <>
            {words.details} <span className="field__kind">{words.optional}</span>
          </>
        }
        hint={words.count(details.length, REPORT_WORDS_MAX_CHARS)}
      >
        {(ids) => (
          <textarea
            {...ids}
            className="input"
            rows={3}
            dir="auto"
            maxLength={REPORT_WORDS_MAX_CHARS}
            value={details}
            onChange={({ currentTarget }) => setDetails(currentTarget.value)}
          />
        )}
      </Field>
      {failureText && <Alert kind="error">{failureText}</Alert>}
    </FormDialog>
  )
}

const noteIdOf = (id: string) => `reported-${id}`

/** The note that the viewer has reported something. @param props.id of the post or comment */
export function Reported({ id, time }: { id: string; time: string }) {
  return (
    <span className="row row--tight quiet" id={noteIdOf(id)} tabIndex={-1}>
      <Flag className="icon icon--small" aria-hidden="true" />
      <span>{words.reported(<LocalDate time={time} />)}</span>
    </span>
  )
}

/** The menu of a post for readers other than its author. */
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
