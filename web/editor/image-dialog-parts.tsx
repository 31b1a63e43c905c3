// The parts of the dialog of an image that take turns: where one is chosen, and the chosen one.

import { Check, ChevronRight, ImagePlus, RefreshCw, X } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { progressText, sizeText } from '../ui/size-text.ts'
import { Spinner } from '../ui/spinner.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { useObjectUrl } from '../ui/use-object-url.ts'
import type { ImageStep } from './store-image.ts'
import type { ImageUpload } from './use-image-upload.ts'

const words = texts.imageDialog
const FINE_POINTER = '(pointer: fine)'

type TakeProps = { onTake: (file: File | undefined) => void }

/** Handlers of a place onto which an image can be dropped. */
function useDrop({ onTake }: TakeProps) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        event.preventDefault()
        setOver(false)
        onTake(event.dataTransfer.files[0])
      },
    },
  }
}

function handleChosen(event: ChangeEvent<HTMLInputElement>, onTake: TakeProps['onTake']): void {
  const [file] = event.currentTarget.files ?? []
  event.currentTarget.value = '' // the same file can be chosen again
  onTake(file)
}

/** @param isAgain the one before could not be used */
export function ImageDrop({ isAgain, onTake }: TakeProps & { isAgain: boolean }) {
  const { isOver, handlers } = useDrop({ onTake })
  const isFine = matchMedia(FINE_POINTER).matches
  const invitation = isFine ? words.drop : words.choose
  return (
    <label
      className={['drop-zone', isOver ? 'is-drag-over' : '', isAgain ? 'is-invalid' : '']
        .filter(Boolean)
        .join(' ')}
      {...handlers}
    >
      <ImagePlus className="icon" aria-hidden="true" />
      <b>{isAgain ? words.chooseOther : invitation}</b>
      <span>{isFine && !isAgain ? words.orPaste(words.kinds) : words.kinds}</span>
      <input
        type="file"
        accept="image/*"
        aria-label={words.title}
        onChange={(event) => handleChosen(event, onTake)}
      />
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
      <Field
        label={words.address}
        hint={words.addressHint}
        error={isRefused ? texts.linkDialog.problem : undefined}
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder={words.addressStart}
            value={typed}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </Field>
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
  const { handlers } = useDrop({ onTake })
  return (
    <div className="image-picker" {...handlers}>
      <div className="image-picker__image">
        {(preview ?? src) && (
          <img src={preview ?? src} alt={words.preview} width={648} height={364} />
        )}
      </div>
      {file && <FileLine upload={upload} />}
      {file && !stored && !failure && <Progress step={upload.step} />}
      {file && !stored && !failure && (
        <Button kind="ghost" className="image-dialog__cancel" onClick={onCancel}>
          <X className="icon icon--small" aria-hidden="true" />
          {texts.uploads.cancel}
        </Button>
      )}
      <div className="image-dialog__end">
        <p className="image-dialog__stored" role="status">
          {stored && (
            <>
              <Check className="icon icon--small" aria-hidden="true" />
              {stored.change.format ? words.storedAs(stored.change.format) : words.stored}
            </>
          )}
        </p>
        {(stored || !file || failure) && (
          <Button kind="ghost" onClick={() => input.current?.click()}>
            <RefreshCw className="icon icon--small" aria-hidden="true" />
            {texts.imageField.replace}
          </Button>
        )}
      </div>
      <input
        className="visually-hidden"
        ref={input}
        type="file"
        accept="image/*"
        aria-label={words.title}
        tabIndex={-1}
        onChange={(event) => handleChosen(event, onTake)}
      />
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
      <p className="image-dialog__stored">
        <Spinner />
      </p>
    )
  const percent = step.totalBytes > 0 ? Math.floor((step.sentBytes / step.totalBytes) * 100) : 0
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={words.upload}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={{ inlineSize: `${percent}%` }} />
    </div>
  )
}
