// The dialog for an image: the user chooses a file, which is uploaded, or enters an address, and
// meanwhile fills in the alternative text and the caption.

import { Check, ImagePlus, RefreshCw, X } from 'lucide-react'
import { type ClipboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Failure } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, Spinner } from '../ui/button.tsx'
import { Fold } from '../ui/fold.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { progressText, sizeText } from '../ui/format-bytes.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { fileChangeHandler, useFileDrop } from '../ui/use-file-choice.ts'
import { useObjectUrl } from '../ui/use-object-url.ts'
import type { BodyImage } from './editor-objects.ts'
import { findLinkAddress } from './link-url.ts'
import {
  ANNOUNCE_CANCELLED,
  type ImageStep,
  type StoredImage,
  type StoreImage,
} from './store-image.ts'

type ImageDialogProps = {
  /** The image of the text that the dialog edits; undefined for a new one. */
  start: BodyImage | undefined
  storeImage: StoreImage
  onSave: (image: BodyImage) => void
  onClose: () => void
}

const words = texts.imageDialog
const FINE_POINTER = '(pointer: fine)'

export function ImageDialog({ start, storeImage, onSave, onClose }: ImageDialogProps) {
  const { upload, take, cancel } = useImageUpload(storeImage)
  const [about, setAbout] = useState({ alt: start?.alt ?? '', caption: start?.caption ?? '' })
  const [address, setAddress] = useState({ typed: '', isRefused: false })
  /** The submit button was pressed during the upload. */
  const [isSubmitPending, setSubmitPending] = useState(false)
  const { file, step, stored, failure, isCancelled } = upload
  const isChosen = file !== undefined && !isRefused(failure)
  const isUploading = isChosen && !stored && !failure
  const problem = failureText(upload)
  const { isOver, dropHandlers } = useFileDrop(handleTake)

  const save = (image: Pick<BodyImage, 'src' | 'size'>) =>
    onSave({ ...image, alt: about.alt.trim(), caption: about.caption.trim() })
  const saveStored = useEffectEvent((image: StoredImage) => save(imageAt(image.address)))
  useEffect(() => {
    if (isSubmitPending && stored) saveStored(stored)
  }, [isSubmitPending, stored])

  function handleTake(chosen: File | undefined) {
    if (!chosen) return
    setSubmitPending(false)
    void take(chosen)
  }
  function handlePaste(event: ClipboardEvent) {
    const [pasted] = event.clipboardData.files
    if (!pasted?.type.startsWith('image/')) return
    event.preventDefault()
    handleTake(pasted)
  }
  function submit() {
    if (problem && step?.step === 'lost') return step.retry()
    if (problem && file && isChosen) return handleTake(file)
    if (stored) return save(imageAt(stored.address))
    if (isUploading) return setSubmitPending(true)
    const linkAddress = findLinkAddress(address.typed)
    if (address.typed.trim() !== '' && !linkAddress)
      return setAddress({ typed: address.typed, isRefused: true })
    const src = linkAddress ?? start?.src
    if (src) save(imageAt(src))
  }
  function submitLabel() {
    if (problem && isChosen) return texts.actions.tryAgain
    if (isUploading) return words.insertLater
    return start ? words.save : words.insert
  }
  return (
    <FormDialog
      title={words.title}
      submitLabel={submitLabel()}
      isSubmitDisabled={
        (isSubmitPending && !problem) || !(isChosen || start || address.typed.trim())
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="stack image-dialog" onPaste={handlePaste} {...dropHandlers}>
        {problem && <Alert kind="error">{problem}</Alert>}
        {isCancelled && <Alert kind="ok">{texts.uploads.cancelled}</Alert>}
        {isChosen || (start && !isRefused(failure)) ? (
          <ChosenImage upload={upload} src={start?.src} onTake={handleTake} onCancel={cancel} />
        ) : (
          <ImageDrop isRetry={failure !== undefined} isOver={isOver} onTake={handleTake} />
        )}
        {!isChosen && !start && (
          <Fold title={words.useAddress}>
            <TextField
              label={words.address}
              hint={words.addressHint}
              error={address.isRefused ? texts.linkDialog.problem : undefined}
              className="mono"
              type="url"
              inputMode="url"
              placeholder={words.addressStart}
              value={address.typed}
              onChange={(typed) => setAddress({ typed, isRefused: false })}
            />
          </Fold>
        )}
        {(isChosen || start || address.typed !== '') && (
          <>
            <TextField
              label={labelWith(words.alt, words.altKind)}
              hint={words.altHint}
              dir="auto"
              value={about.alt}
              onChange={(alt) => setAbout({ ...about, alt })}
            />
            <TextField
              label={labelWith(words.caption, words.optional)}
              hint={words.captionHint}
              dir="auto"
              value={about.caption}
              onChange={(caption) => setAbout({ ...about, caption })}
            />
          </>
        )}
      </div>
    </FormDialog>
  )
}

/** The address of an image of this site contains its size. */
function imageAt(src: string): Pick<BodyImage, 'src' | 'size'> {
  const hints = new URLSearchParams(src.slice(src.indexOf('?') + 1))
  const width = Number(hints.get('width'))
  const height = Number(hints.get('height'))
  return { src, size: width > 0 && height > 0 ? { width, height } : undefined }
}

function labelWith(label: string, kind: string) {
  return (
    <>
      {label} <span className="field__kind">{kind}</span>
    </>
  )
}

// The upload of one image for the text.

type ImageUpload = {
  file?: File
  step?: ImageStep
  stored?: StoredImage
  failure?: Failure
  isCancelled?: boolean
}

/** Closing the dialog cancels a running upload. */
function useImageUpload(storeImage: StoreImage) {
  const [upload, setUpload] = useState<ImageUpload>({})
  const current = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => current.current?.abort(ANNOUNCE_CANCELLED), [])

  function cancel() {
    current.current?.abort()
    current.current = undefined
    setUpload({ isCancelled: true })
  }
  async function take(file: File) {
    current.current?.abort()
    const abort = new AbortController()
    current.current = abort
    const isCurrent = () => current.current === abort
    setUpload({ file })
    const stored = await storeImage(file, {
      signal: abort.signal,
      onStep: (step) => isCurrent() && setUpload({ file, step }),
    })
    if (!isCurrent()) return
    current.current = undefined
    if (stored.ok) setUpload({ file, stored: stored.value })
    else setUpload((previous) => ({ ...previous, file, failure: stored.failure }))
  }
  return { upload, take, cancel }
}

/** Whether the file itself cannot be used, so that the user must choose another. */
function isRefused(failure: Failure | undefined): boolean {
  return failure !== undefined && [400, 413, 415].includes(failure.code)
}

/** A sentence for the user, or undefined while nothing is wrong. */
function failureText({ step, failure }: ImageUpload): string | undefined {
  const isSent = step?.step === 'send' || step?.step === 'lost'
  if (isSent && (step.step === 'lost' || failure?.code === 0))
    return words.dropped(progressText(step.sentBytes, step.totalBytes))
  if (!failure) return undefined
  return isRefused(failure) ? failure.message : words.notStored(failure.message)
}

type TakeProps = { onTake: (file: File | undefined) => void }

/** The properties of a file input that chooses one image. */
function fileProps(onTake: TakeProps['onTake']) {
  return {
    type: 'file',
    accept: 'image/*',
    'aria-label': words.title,
    onChange: fileChangeHandler(onTake),
  }
}

type DropProps = TakeProps & {
  /** The image that was chosen before could not be used. */
  isRetry: boolean
  isOver: boolean
}

function ImageDrop({ isRetry, isOver, onTake }: DropProps) {
  const isFine = matchMedia(FINE_POINTER).matches
  const invitation = isFine ? words.drop : words.choose
  const className = `hoverable drop-zone${isOver ? ' is-drag-over' : ''}${isRetry ? ' is-invalid' : ''}`
  return (
    <label className={className}>
      <ImagePlus className="icon" aria-hidden="true" />
      <b>{isRetry ? words.chooseOther : invitation}</b>
      <span>{isFine && !isRetry ? words.orPaste(words.kinds) : words.kinds}</span>
      <input {...fileProps(onTake)} />
    </label>
  )
}

type ChosenProps = TakeProps & {
  upload: ImageUpload
  /** The image of the text, shown while no other is chosen. */
  src: string | undefined
  onCancel: () => void
}

function ChosenImage({ upload, src, onTake, onCancel }: ChosenProps) {
  const { file, step, stored, failure } = upload
  const preview = useObjectUrl(file)
  const input = useRef<HTMLInputElement>(null)
  const isUploading = file && !stored && !failure
  return (
    <div className="stack image-picker">
      <div className="image-picker__image">
        {(preview ?? src) && (
          <img src={preview ?? src} alt={words.preview} width={648} height={364} />
        )}
      </div>
      {file && (
        <p className="image-picker__file">
          <span>{file.name}</span>
          <span>
            {step?.step === 'send'
              ? progressText(step.sentBytes, step.totalBytes)
              : sizeOf(file, stored)}
          </span>
        </p>
      )}
      {isUploading && (
        <>
          <Progress step={step} />
          <Button kind="ghost" className="image-dialog__cancel" onClick={onCancel}>
            <X className="icon icon--small" aria-hidden="true" />
            {texts.uploads.cancel}
          </Button>
        </>
      )}
      <div className="apart image-dialog__end">
        <p className="quiet image-dialog__stored" role="status">
          {stored && (
            <>
              <Check className="icon icon--small" aria-hidden="true" />
              {stored.change.format ? words.storedAs(stored.change.format) : words.stored}
            </>
          )}
        </p>
        {!isUploading && (
          <Button kind="ghost" onClick={() => input.current?.click()}>
            <RefreshCw className="icon icon--small" aria-hidden="true" />
            {texts.imageField.replace}
          </Button>
        )}
      </div>
      <input className="visually-hidden" ref={input} tabIndex={-1} {...fileProps(onTake)} />
    </div>
  )
}

function sizeOf(file: File, stored: StoredImage | undefined): string {
  const scaled = stored?.change.longSidePixels
  const size = sizeText(stored?.bytes ?? file.size)
  return scaled ? `${size}, ${words.scaledTo(scaled)}` : size
}

function Progress({ step }: { step: ImageStep | undefined }) {
  if (step?.step !== 'send')
    return (
      <p className="quiet image-dialog__stored">
        <Spinner />
      </p>
    )
  const percent = step.totalBytes > 0 ? Math.floor((step.sentBytes / step.totalBytes) * 100) : 0
  return <ProgressBar label={words.upload} percent={percent} />
}
