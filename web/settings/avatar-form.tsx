// The form for a new avatar, with the four messages of its progress.
import { CircleCheck } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Account, Prefs } from '#contract/accounts.ts'
import type { FileModel } from '#contract/files.ts'
import { AVATAR_FILE_MAX_BYTES } from '#contract/limits.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import { avatarIdOf } from '../accounts/avatar-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, type Result, useApi } from '../api/client.ts'
import { deleteFile } from '../files/files-api.ts'
import { ImageField } from '../files/image-field.tsx'
import { uploadChosenImage } from '../files/prepare-image.ts'
import { UploadBar } from '../files/upload-bar.tsx'
import type { UploadProgress } from '../files/upload-image.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, Spinner } from '../ui/button.tsx'

const { avatarSteps, avatarFailures, failures, images } = texts

/** The four messages of product.md §2, in their order. */
const AVATAR_STEPS = [
  avatarSteps.checking,
  avatarSteps.uploading,
  avatarSteps.updating,
  avatarSteps.done,
] as const

const LIMIT = {
  maxBytes: AVATAR_FILE_MAX_BYTES,
  tooLarge: avatarFailures.tooLarge,
  isStrict: true,
}
const UPLOADING = 1
const DONE = AVATAR_STEPS.length - 1
/** Long enough to read the last message before the page changes. */
const DONE_SHOWN_MS = 1500

type AvatarFormProps = {
  /** Called with the chosen image. */
  onChoose: (file: File | undefined) => void
  /** Called when a change of the avatar begins and ends. */
  onBusy: (isBusy: boolean) => void
  onCancel: () => void
  /** Called once the last message has been shown, unless the user has left the page. */
  onChanged: () => void
}

export function AvatarForm({ onChoose, onBusy, onCancel, onChanged }: AvatarFormProps) {
  const [file, setFile] = useState<File | undefined>()
  const [error, setError] = useState<string | undefined>()
  const { step, failureText, progress, start } = useAvatarChange(onBusy, onChanged)
  const isBusy = step !== undefined

  function handleChoose(newFile: File | undefined) {
    setFile(newFile)
    setError(undefined)
    onChoose(newFile)
  }
  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (file) void start(file)
    else setError(texts.avatar.missing)
  }

  return (
    <form
      className="box stack avatar-form panel"
      noValidate
      aria-label={texts.avatar.form}
      aria-busy={isBusy || undefined}
      onSubmit={handleSubmit}
    >
      {failureText && <Alert kind="error">{failureText}</Alert>}
      <ImageField
        label={texts.avatar.label}
        id="avatar"
        file={file}
        hasPreview={false}
        limit={LIMIT}
        invitation={texts.avatarInvitation}
        error={error}
        isReadOnly={isBusy}
        takesFocus
        onChange={handleChoose}
      />
      <div role="status">{step !== undefined && <Steps step={step} />}</div>
      {step === UPLOADING && progress && (
        <UploadBar label={texts.avatar.upload} progress={progress} />
      )}
      <div className="row row--even">
        <Button kind="primary" type="submit" aria-disabled={isBusy}>
          {texts.actions.submit}
        </Button>
        <Button onClick={onCancel} aria-disabled={isBusy}>
          {texts.actions.cancel}
        </Button>
      </div>
    </form>
  )
}

/** The messages so far; the last one belongs to the current step. */
function Steps({ step }: { step: number }) {
  return (
    <ol className="steps">
      {AVATAR_STEPS.slice(0, step + 1).map((text, index) => {
        const isDone = index < step || step === DONE
        return (
          <li key={text} className={isDone ? 'is-done' : 'is-current'}>
            {isDone ? <CircleCheck className="icon" aria-hidden="true" /> : <Spinner />}
            {text}
          </li>
        )
      })}
    </ol>
  )
}

function useAvatarChange(onBusy: (isBusy: boolean) => void, onChanged: () => void) {
  const api = useApi()
  const { savePrefs } = useViewer()
  const [step, setStep] = useState<number | undefined>()
  const [failureText, setFailureText] = useState<string | undefined>()
  const [progress, setProgress] = useState<UploadProgress | undefined>()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      clearTimeout(timer.current)
    }
  }, [])

  async function start(file: File) {
    const { avatarBucketId } = api.settings
    setFailureText(undefined)
    onBusy(true)
    const calls = {
      getAccount: () => getAccount(api),
      upload: (image: File) =>
        uploadChosenImage(api, avatarBucketId, {
          file: image,
          limit: LIMIT,
          onProgress: setProgress,
        }),
      savePrefs,
      deleteFile: (fileId: string) => deleteFile(api, avatarBucketId, fileId),
    }
    const result = await changeAvatar(calls, file, { onStep: setStep })
    onBusy(false)
    if (!result.ok) {
      setStep(undefined)
      setFailureText(avatarFailureText(result.failure))
      return
    }
    // A user who has left for another page in the meantime stays there.
    if (isMounted.current) timer.current = setTimeout(onChanged, DONE_SHOWN_MS)
  }
  return { step, failureText, progress, start }
}

// Changes the avatar in an order that never leaves the account without one: upload the new file,
// save the preferences, delete the old file.

export type AvatarCalls = {
  /** Reads the current account of the signed-in user. */
  getAccount: () => Promise<Result<Account>>
  upload: (file: File) => Promise<Result<FileModel>>
  savePrefs: (changes: Prefs) => Promise<Result<Account>>
  deleteFile: (fileId: string) => Promise<unknown>
}

/**
 * @param options `onStep` is called with the index of a message in `AVATAR_STEPS` when its step
 *   begins
 * @returns the account with its new avatar
 * @source product.md §4 "Avatar change", product.md §O17, §O18
 */
export async function changeAvatar(
  calls: AvatarCalls,
  file: File,
  options: { onStep: (step: number) => void },
): Promise<Result<Account>> {
  options.onStep(0)
  const account = await calls.getAccount()
  if (!account.ok) return account

  options.onStep(1)
  const uploaded = await calls.upload(file)
  if (!uploaded.ok) return uploaded

  options.onStep(2)
  const newId = uploaded.value.$id
  const saved = await calls.savePrefs({ avatar: newId })
  if (!saved.ok) {
    await calls.deleteFile(newId) // nothing uses it
    return saved
  }
  const oldId = avatarIdOf(account.value.prefs)
  // If that fails, the old file remains among the user's files.
  if (oldId && oldId !== newId) await calls.deleteFile(oldId)
  options.onStep(3)
  return saved
}

/** The text that the form shows if the avatar could not be changed. */
export function avatarFailureText({ code, type }: Failure): string {
  if (code === 401) return failures.signedOut
  if (type === 'upload_cancelled') return avatarFailures.cancelled
  if (code === 429) return failures.tooManyTries
  if (type === 'storage_invalid_file_size') return avatarFailures.tooLarge
  if (type === 'storage_file_type_unsupported') return images.wrongType
  if (type === 'storage_invalid_file') return images.unreadable
  return avatarFailures.other
}
