// The form for a new comment, a reply or an edit. Loaded, with its styles, only if the viewer may
// write or moderate.
import './writing-sheets.css'
import { CircleCheck, CloudOff } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useMemo, useRef } from 'react'
import { hasFormatting, renderComment } from '#contract/comment-text.ts'
import { COMMENT_MAX_CHARS } from '#contract/comments.ts'
import { timeOfDay } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { CommentHtml } from './comment-text.tsx'
import { type SendingOptions, useSending } from './use-sending.ts'

const count = new Intl.NumberFormat(texts.language)

type CommentFormProps = SendingOptions & {
  /** Id of the field, for links to it. */
  id?: string
  label: string
  /** Shown instead of the hint about formatting. */
  hint?: string
  submitLabel: string
  /** Closes the form. */
  onCancel?: () => void
  /** Takes the focus when it appears. */
  takesFocus?: boolean
  /** Another field is open, and has the primary button. */
  isQuiet?: boolean
  avatar?: ReactNode
}

export function CommentForm(props: CommentFormProps) {
  const {
    id,
    label,
    hint,
    submitLabel,
    onCancel,
    takesFocus = false,
    isQuiet = false,
    avatar,
  } = props
  const form = useRef<HTMLFormElement>(null)
  const sending = useSending(props)
  const { text, error, isBusy, waitsSinceMs, done, edit } = sending
  const isWaiting = waitsSinceMs !== undefined
  const maxChars = count.format(COMMENT_MAX_CHARS)

  async function handleSubmit(event?: FormEvent) {
    event?.preventDefault()
    if (!(await sending.send())) form.current?.querySelector('textarea')?.focus()
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void handleSubmit()
    } else if (
      event.key === 'Escape' &&
      onCancel &&
      text.trim() === (props.initialText ?? '').trim()
    ) {
      event.stopPropagation()
      handleCancel()
    }
  }
  function handleCancel() {
    sending.discard()
    onCancel?.()
  }
  return (
    <form
      className={avatar ? 'comment-form comment-form--face' : 'comment-form'}
      aria-label={label}
      noValidate
      ref={form}
      onSubmit={(event) => void handleSubmit(event)}
    >
      {avatar}
      <div className="comment-form__main">
        <Field label={label} id={id} error={error}>
          {(ids) => (
            <textarea
              {...ids}
              className="input"
              rows={3}
              dir="auto"
              value={text}
              ref={takesFocus ? focusAtEnd : undefined}
              readOnly={isBusy || isWaiting}
              onChange={(event) => edit(event.currentTarget.value)}
              onKeyDown={handleKey}
            />
          )}
        </Field>
        <Preview text={text} />
        <div className="comment-form__foot">
          <p className="hint">{hint ?? texts.commentForm.hint(maxChars)}</p>
          <div className="row">
            {(onCancel || isWaiting) && (
              <Button onClick={isWaiting ? sending.stopWaiting : handleCancel}>
                {texts.actions.cancel}
              </Button>
            )}
            <Button
              type="submit"
              kind={isQuiet || isWaiting ? 'secondary' : 'primary'}
              isBusy={isBusy}
              busyLabel={texts.commentForm.sending}
              aria-disabled={isWaiting || undefined}
            >
              {isWaiting ? texts.commentForm.waiting : submitLabel}
            </Button>
          </div>
        </div>
        <p className="comment-form__note" role="status">
          {isWaiting ? (
            <>
              <CloudOff className="icon icon--small" aria-hidden="true" />
              {texts.commentForm.notSent(timeOfDay(waitsSinceMs))}
            </>
          ) : (
            done && (
              <>
                <CircleCheck className="icon icon--small" aria-hidden="true" />
                {done}
              </>
            )
          )}
        </p>
      </div>
    </form>
  )
}

/** Used as a ref, so that it runs once, when the field appears. */
function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}

/** Shown once the text has a link, code or a quotation. Screen readers do not announce it. */
function Preview({ text }: { text: string }) {
  const id = useId()
  const html = useMemo(() => renderComment(text.slice(0, COMMENT_MAX_CHARS)).html, [text])
  if (!hasFormatting(html)) return null
  return (
    <section className="comment-form__preview" aria-labelledby={id}>
      <p className="hint" id={id}>
        {texts.commentForm.preview}
      </p>
      <CommentHtml html={html} />
    </section>
  )
}
