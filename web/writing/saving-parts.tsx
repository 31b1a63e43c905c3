// The buttons that save the form, the progress of a save, and one quiet line that says where the
// text is. Screen readers announce the line at most once a minute.
import { Check, TriangleAlert, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { timeOfDay } from '../dates/dates.tsx'
import { UploadBar } from '../files/upload-bar.tsx'
import type { UploadProgress } from '../files/upload-image.ts'
import { texts } from '../locales/texts.ts'
import { Button, Spinner } from '../ui/button.tsx'
import { type DraftStatus, isDraft, type PostFormState } from './post-form-reducer.ts'
import { cancelSave, requestDraft } from './save-draft.ts'
import { submit } from './submit-post.ts'
import type { FormProps } from './use-post-form.ts'

export function SavingParts({ form, state }: FormProps) {
  const { isSaving, isOffline, post } = state
  const hasSaveDraft = post === undefined || isDraft(state)
  const openDrawer = () => form.dispatch({ type: 'publishOpened' })
  return (
    <>
      {(isSaving || isOffline) && <SavingPanel form={form} state={state} />}
      <div className="post-form__buttons">
        {hasSaveDraft && (
          <Button isWide aria-disabled={isSaving} onClick={() => requestDraft(form)}>
            {texts.postForm.saveDraft}
          </Button>
        )}
        {post && (
          <Button isWide aria-haspopup="dialog" aria-disabled={isSaving} onClick={openDrawer}>
            {texts.postForm.publish}
          </Button>
        )}
        <Button kind="primary" isWide aria-disabled={isSaving} onClick={() => submit(form)}>
          {form.opened === undefined ? texts.actions.submit : texts.postForm.update}
        </Button>
      </div>
      <SavedLine state={state} />
    </>
  )
}

/** "Saving" is shown for a save that takes longer than this. */
const SLOW_MS = 1000
const ANNOUNCED_EVERY_MS = 60_000

const words = texts.saveState

type SavedLineContent = { text: string; kind: 'done' | 'offline' | 'on-device' | 'saving' }

/** The content of the line in this state; undefined if it is empty. */
function savedLineOf(state: PostFormState): SavedLineContent | undefined {
  const { draftStatus, onDeviceAtMs, isSaving, isOffline } = state
  const storedMs = onDeviceAtMs ?? draftStatus?.atMs
  if (isOffline && storedMs !== undefined)
    return { text: words.onDevice(timeOfDay(storedMs)), kind: 'offline' }
  if (isOffline || isSaving) return undefined
  if (draftStatus && isDraft(state)) return draftLineOf(draftStatus, state)
  if (onDeviceAtMs === undefined) return undefined
  return { text: words.notPublished(timeOfDay(onDeviceAtMs)), kind: 'done' }
}

function draftLineOf(
  { kind, atMs }: DraftStatus,
  { fields, onDeviceAtMs }: PostFormState,
): SavedLineContent {
  const time = timeOfDay(atMs)
  switch (kind) {
    case 'saving':
      return { text: words.saving, kind: 'saving' }
    case 'saved': {
      const text = fields.status === 'active' ? words.toBePublished(time) : words.saved(time)
      return { text, kind: 'done' }
    }
    case 'waiting':
      return { text: words.waiting(time), kind: 'offline' }
    case 'on-device':
      return { text: words.onDevice(timeOfDay(onDeviceAtMs ?? atMs)), kind: 'on-device' }
  }
}

/** For the copy of the line below the editor: the line itself may be out of sight. */
export function savedTextOf(state: PostFormState): string | undefined {
  const line = savedLineOf(state)
  return line?.kind === 'saving' ? undefined : line?.text
}

const ICONS = { done: Check, offline: WifiOff, 'on-device': TriangleAlert }

export function SavedLine({ state }: { state: PostFormState }) {
  const line = useSteadyLine(savedLineOf(state))
  const isAnnounced = useAnnounced(line)
  const isWarning = line?.kind === 'offline' || line?.kind === 'on-device'
  const Icon = line && line.kind !== 'saving' ? ICONS[line.kind] : undefined
  return (
    <p
      className={isWarning ? 'quiet saved-line saved-line--off' : 'quiet saved-line'}
      role="status"
      aria-live={isAnnounced ? 'polite' : 'off'}
    >
      {line?.kind === 'saving' && <Spinner />}
      {Icon && <Icon className="icon icon--small" aria-hidden="true" />}
      {line && <span key={line.kind}>{line.text}</span>}
    </p>
  )
}

/** A quick save does not flicker: the previous line stays until the save has ended or is slow. */
function useSteadyLine(line: SavedLineContent | undefined): SavedLineContent | undefined {
  const [previousLine, setPreviousLine] = useState<SavedLineContent | undefined>()
  const [isSlow, setSlow] = useState(false)
  const isSaving = line?.kind === 'saving'
  if (!isSaving && line?.text !== previousLine?.text) setPreviousLine(line)
  useEffect(() => {
    if (!isSaving) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isSaving])
  return isSaving && !isSlow ? previousLine : line
}

/** Whether screen readers announce the line. */
function useAnnounced(line: SavedLineContent | undefined): boolean {
  const [lastLine, setLastLine] = useState<{
    text?: string | undefined
    atMs: number
    isAnnounced: boolean
  }>({
    atMs: Number.NEGATIVE_INFINITY,
    isAnnounced: true,
  })
  if (lastLine.text !== line?.text) {
    const nowMs = performance.now()
    const isAnnounced = line?.kind !== 'saving' && nowMs - lastLine.atMs >= ANNOUNCED_EVERY_MS
    setLastLine({
      text: line?.text,
      atMs: isAnnounced && line ? nowMs : lastLine.atMs,
      isAnnounced,
    })
  }
  return lastLine.isAnnounced
}

/** The progress while the form saves and, without a network, a button that cancels the save. */
export function SavingPanel({ form, state: { isOffline, progress } }: FormProps) {
  return (
    <div className={isOffline ? 'saving saving--waiting' : 'saving'}>
      <p role="status">
        {isOffline ? <WifiOff className="icon" aria-hidden="true" /> : <Spinner />}
        <span>{isOffline ? texts.saving.offline : texts.saving.text}</span>
      </p>
      {isOffline && (
        <Button isWide onClick={() => cancelSave(form)}>
          {texts.saving.cancel}
        </Button>
      )}
      {progress && (
        <UploadBar
          label={texts.saving.upload}
          cancelLabel={texts.actions.cancel}
          progress={isOffline ? withoutCancel(progress) : progress}
        />
      )}
    </div>
  )
}

/** While offline the progress stays in sight, and the panel's button cancels the upload. */
function withoutCancel({ sentBytes, totalBytes }: UploadProgress): UploadProgress {
  return { sentBytes, totalBytes }
}
