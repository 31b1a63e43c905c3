// The dialog that makes and withdraws the preview link of a post that is not published.
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { PREVIEW_LINK_DAYS, type PreviewLink, previewPath } from '#contract/preview-links.ts'
import { type Result, useApi } from '../api/client.ts'
import { dateText, dayTimeText } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import {
  makePreviewLink,
  readPreviewLink,
  withdrawPreviewLink,
} from '../posts/preview-links-api.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DialogHead } from '../ui/dialog-head.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { useModal } from '../ui/use-modal.ts'

type PreviewLinkDialogProps = { slug: string; onClose: () => void }

/** The secret of a link is known only right after the link was made. */
type LinkState = { kind: 'loading' | 'none' | 'withdrawn' } | { kind: 'valid'; link: PreviewLink }

const words = texts.previewLink

export function PreviewLinkDialog({ slug, onClose }: PreviewLinkDialogProps) {
  const api = useApi()
  const id = useId()
  const dialog = useModal({ onClose })
  const [state, setState] = useState<LinkState>({ kind: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [failureText, setFailureText] = useState<string>()

  /** Shows the result of a call, or why it failed. Presses during a call have no effect. */
  async function run<Value>(call: () => Promise<Result<Value>>, show: (value: Value) => LinkState) {
    if (isBusy) return
    setBusy(true)
    const result = await call()
    setBusy(false)
    setFailureText(result.ok ? undefined : words.failed(reasonText(result.failure)))
    if (result.ok) setState(show(result.value))
  }
  const load = useEffectEvent(() =>
    run(
      () => readPreviewLink(api, slug),
      ({ link }) => (link ? { kind: 'valid', link } : { kind: 'none' }),
    ),
  )
  useEffect(() => void load(), [])
  const handleMake = () =>
    void run(
      () => makePreviewLink(api, slug),
      (link) => ({ kind: 'valid', link }),
    )
  const handleWithdraw = () =>
    void run(
      () => withdrawPreviewLink(api, slug),
      () => ({ kind: 'withdrawn' }),
    )
  return (
    <dialog className="float dialog form-dialog" ref={dialog} aria-labelledby={id}>
      <div className="stack">
        <DialogHead id={id} title={words.title} onClose={onClose} />
        <p>{state.kind === 'valid' ? words.about : words.aboutNone}</p>
        {state.kind === 'loading' && !failureText && <LoadingText>{words.loading}</LoadingText>}
        {state.kind === 'valid' && <ValidLink link={state.link} />}
        {state.kind === 'withdrawn' && (
          <p className="hint" role="status">
            {words.withdrawn}
          </p>
        )}
        {failureText && <Alert kind="error">{failureText}</Alert>}
        {(state.kind === 'none' || state.kind === 'withdrawn') && (
          <>
            <Button kind="primary" aria-disabled={isBusy} onClick={handleMake}>
              {words.make}
            </Button>
            <p className="hint">{words.expiry(PREVIEW_LINK_DAYS)}</p>
          </>
        )}
        <div className="form-dialog__buttons">
          {state.kind === 'valid' && (
            <Button
              kind="ghost"
              className="form-dialog__extra is-danger"
              aria-disabled={isBusy}
              onClick={handleWithdraw}
            >
              {words.withdraw}
            </Button>
          )}
          {state.kind === 'valid' && state.link.secret === '' && (
            <Button kind="primary" aria-disabled={isBusy} onClick={handleMake}>
              {words.makeAnother}
            </Button>
          )}
          <Button onClick={onClose}>{words.done}</Button>
        </div>
      </div>
    </dialog>
  )
}

function ValidLink({ link: { secret, expire, opens, lastOpenedAt } }: { link: PreviewLink }) {
  const opened =
    opens === 0
      ? words.unopened
      : words.opened(opens, dayTimeText(lastOpenedAt, { isMidSentence: true }))
  const hint = `${words.expires(dateText(expire))} ${opened}`
  if (secret === '')
    return (
      <>
        <p>{words.shownOnce}</p>
        <p className="hint">{hint}</p>
      </>
    )
  return (
    <CopyField
      label={words.label}
      url={window.location.origin + previewPath(secret)}
      hint={hint}
      copyLabel={words.copy}
      copiedText={words.copied}
    />
  )
}
