// The parts of the dialog of an image that take turns: where one is chosen, and the chosen one.

import { Check, ChevronRight, ImagePlus, RefreshCw, X } from 'lucide-react'
import { useRef } from 'react'
import { texts } from '../locales/texts.ts'
import { Button, Spinner } from '../ui/button.tsx'
import { progressText, sizeText } from '../ui/format-bytes.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { takeFile } from '../ui/use-file-choice.ts'
import { useObjectUrl } from '../ui/use-object-url.ts'
import { TextField } from './form-dialog.tsx'
import type { ImageStep } from './store-image.ts'
import type { ImageUpload } from './use-image-upload.ts'

const words = texts.imageDialog
const FINE_POINTER = '(pointer: fine)'

type TakeProps = { onTake: (file: File | undefined) => void }

/** What a field of files has that chooses one image. */
function fileProps(onTake: TakeProps['onTake']) {
  return {
    type: 'file',
    accept: 'image/*',
    'aria-label': words.title,
    onChange: takeFile(onTake),
  }
}

type DropProps = TakeProps & {
  /** The one before could not be used. */
  isAgain: boolean
  isOver: boolean
}

export function ImageDrop({ isAgain, isOver, onTake }: DropProps) {
  const isFine = matchMedia(FINE_POINTER).matches
  const invitation = isFine ? words.drop : words.choose
  const look = `hoverable drop-zone${isOver ? ' is-drag-over' : ''}${isAgain ? ' is-invalid' : ''}`
  return (
    <label className={look}>
      <ImagePlus className="icon" aria-hidden="true" />
      <b>{isAgain ? words.chooseOther : invitation}</b>
      <span>{isFine && !isAgain ? words.orPaste(words.kinds) : words.kinds}</span>
      <input {...fileProps(onTake)} />
    </label>
  )
}

type AddressProps = { typed: string; isRefused: boolean; onChange: (typed: string) => void }

export function ImageAddress({ typed, isRefused, onChange }: AddressProps) {
  return (
    <details className="more-way">
      <summary>
        <ChevronRight className="icon icon--small" aria-hidden="true" />
        {words.useAddress}
      </summary>
      <TextField
        label={words.address}
        hint={words.addressHint}
        error={isRefused ? texts.linkDialog.problem : undefined}
        className="mono"
        type="url"
        inputMode="url"
        placeholder={words.addressStart}
        value={typed}
        onChange={onChange}
      />
    </details>
  )
}

type ChosenProps = TakeProps & {
  upload: ImageUpload
  /** The image that is in the text, shown while no other is chosen. */
  src: string | undefined
  onCancel: () => void
}

export function ChosenImage({ upload, src, onTake, onCancel }: ChosenProps) {
  const { file, stored, failure } = upload
  const preview = useObjectUrl(file)
  const input = useRef<HTMLInputElement>(null)
  const isOnItsWay = file && !stored && !failure
  return (
    <div className="stack image-picker">
      <div className="image-picker__image">
        {(preview ?? src) && (
          <img src={preview ?? src} alt={words.preview} width={648} height={364} />
        )}
      </div>
      {file && <FileLine upload={upload} />}
      {isOnItsWay && <Progress step={upload.step} />}
      {isOnItsWay && (
        <Button kind="ghost" className="image-dialog__cancel" onClick={onCancel}>
          <X className="icon icon--small" aria-hidden="true" />
          {texts.uploads.cancel}
        </Button>
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
        {!isOnItsWay && (
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

/** The name of the file, and how large it is or how far its upload is. */
function FileLine({ upload: { file, step, stored } }: { upload: ImageUpload }) {
  const scaled = stored?.change.longSidePixels
  const size = sizeText(stored?.bytes ?? file?.size ?? 0)
  return (
    <p className="image-picker__file">
      <span>{file?.name}</span>
      <span>
        {step?.step === 'send'
          ? progressText(step.sentBytes, step.totalBytes)
          : [size, scaled ? words.scaledTo(scaled) : ''].filter(Boolean).join(', ')}
      </span>
    </p>
  )
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
