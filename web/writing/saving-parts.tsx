// The buttons of the form that save, what it says while it does, and one quiet line: where the text
// is. Screen readers hear the line once a minute at most.
import { Check, TriangleAlert, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { timeOfDay } from '../dates/dates.tsx'
import { UploadBar } from '../files/upload-bar.tsx'
import type { UploadProgress } from '../files/upload-image.ts'
import { texts } from '../locales/texts.ts'
import { Button, Spinner } from '../ui/button.tsx'
import { type FormState, isDraft } from './post-form-state.ts'
import type { ShownForm } from './use-post-form.ts'

/** The buttons that save, and what becomes of it. */
export function SavingParts({ form, isNew }: { form: ShownForm; isNew: boolean }) {
  const { isSaving, hasNoLine } = form
  const hasSaveDraft = form.post === undefined || isDraft(form)
  return (
    <>
      {(isSaving || hasNoLine) && (
        <SavingPanel progress={form.progress} hasNoLine={hasNoLine} onCancel={form.cancelSaving} />
      )}
      <div className={hasSaveDraft ? 'post-form__buttons' : undefined}>
        {hasSaveDraft && (
          <Button isWide aria-disabled={isSaving} onClick={form.saveDraft}>
            {texts.postForm.saveDraft}
          </Button>
        )}
        <Button kind="primary" isWide aria-disabled={isSaving} onClick={form.submit}>
          {isNew ? texts.actions.submit : texts.postForm.update}
        </Button>
      </div>
      <SavedLine state={form} />
    </>
  )
}

/** "Saving" is said of what takes longer than this. */
const SLOW_MS = 1000
const HEARD_EVERY_MS = 60_000

type Line = { text: string; look: 'done' | 'off' | 'kept' | 'saving' }
type LineState = Pick<
  FormState,
  'post' | 'fields' | 'saved' | 'keptAtMs' | 'isSaving' | 'hasNoLine'
>

/** What the line says, if anything. */
function lineOf(state: LineState): Line | undefined {
  const { saved, keptAtMs, isSaving, hasNoLine, fields } = state
  const words = texts.saveState
  const keptMs = keptAtMs ?? saved?.atMs
  if (hasNoLine)
    return keptMs === undefined ? undefined : { text: words.kept(timeOfDay(keptMs)), look: 'off' }
  if (isSaving) return undefined
  if (saved && isDraft(state)) {
    const time = timeOfDay(saved.atMs)
    const done = fields.status === 'active' ? words.toBePublished(time) : words.saved(time)
    return {
      saving: { text: words.saving, look: 'saving' } as const,
      saved: { text: done, look: 'done' } as const,
      waiting: { text: words.waiting(time), look: 'off' } as const,
      kept: { text: words.kept(timeOfDay(keptAtMs ?? saved.atMs)), look: 'kept' } as const,
    }[saved.kind]
  }
  return keptAtMs === undefined
    ? undefined
    : { text: words.active(timeOfDay(keptAtMs)), look: 'done' }
}

/** What is told again at the editor's foot, where the line itself may be out of sight. */
export function savedTextOf(state: LineState): string | undefined {
  const line = lineOf(state)
  return line?.look === 'saving' ? undefined : line?.text
}

const ICONS = { done: Check, off: WifiOff, kept: TriangleAlert }

function SavedLine({ state }: { state: LineState }) {
  const line = useCalmLine(lineOf(state))
  const isHeard = useHeard(line)
  const isWarning = line?.look === 'off' || line?.look === 'kept'
  const Icon = line && line.look !== 'saving' ? ICONS[line.look] : undefined
  return (
    <p
      className={isWarning ? 'quiet saved-line saved-line--off' : 'quiet saved-line'}
      role="status"
      aria-live={isHeard ? 'polite' : 'off'}
    >
      {line?.look === 'saving' && <Spinner />}
      {Icon && <Icon className="icon icon--small" aria-hidden="true" />}
      {line && <span key={line.look}>{line.text}</span>}
    </p>
  )
}

/** A save that is quick does not flicker: what was said before stays until it is done. */
function useCalmLine(line: Line | undefined): Line | undefined {
  const [before, setBefore] = useState<Line | undefined>()
  const [isSlow, setSlow] = useState(false)
  const isSaving = line?.look === 'saving'
  if (!isSaving && line?.text !== before?.text) setBefore(line)
  useEffect(() => {
    if (!isSaving) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isSaving])
  return isSaving && !isSlow ? before : line
}

function useHeard(line: Line | undefined): boolean {
  const [heard, setHeard] = useState<{ text: string | undefined; atMs: number; isHeard: boolean }>({
    text: undefined,
    atMs: Number.NEGATIVE_INFINITY,
    isHeard: true,
  })
  if (heard.text !== line?.text) {
    const now = performance.now()
    const isHeard = line?.look !== 'saving' && now - heard.atMs >= HEARD_EVERY_MS
    setHeard({ text: line?.text, atMs: isHeard && line ? now : heard.atMs, isHeard })
  }
  return heard.isHeard
}

// What the form says while it saves, with the progress of the image when one is sent; without a
// network that it waits, with a button that ends it.

type SavingPanelProps = {
  progress: UploadProgress | undefined
  hasNoLine: boolean
  onCancel: () => void
}

function SavingPanel({ progress, hasNoLine, onCancel }: SavingPanelProps) {
  return (
    <div className={hasNoLine ? 'saving saving--waiting' : 'saving'}>
      <p role="status">
        {hasNoLine ? <WifiOff className="icon" aria-hidden="true" /> : <Spinner />}
        <span>{hasNoLine ? texts.saving.offline : texts.saving.text}</span>
      </p>
      {hasNoLine && (
        <Button isWide onClick={onCancel}>
          {texts.saving.cancel}
        </Button>
      )}
      {progress && (
        <UploadBar
          label={texts.saving.upload}
          cancelLabel={texts.actions.cancel}
          progress={hasNoLine ? withoutCancel(progress) : progress}
        />
      )}
    </div>
  )
}

/** How far it came stays in sight while nothing moves; one button is enough to end it. */
function withoutCancel({ sentBytes, totalBytes }: UploadProgress): UploadProgress {
  return { sentBytes, totalBytes }
}
