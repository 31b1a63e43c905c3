// A field for one image, chosen by press, drop or paste. Shows a preview of the image, or the
// reason why it cannot be used.
import { ImagePlus, Palette, RefreshCw, Trash2, Type, Upload } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ImageChange } from '../editor/store-image.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { sizeText } from '../ui/format-bytes.ts'
import { fileChangeHandler, useFileDrop } from '../ui/use-file-choice.ts'
import { useObjectUrl } from '../ui/use-object-url.ts'
import { usePageEvent } from '../ui/use-page-event.ts'
import { findClaimProblem, IMAGE_ACCEPT, type ImageLimit, prepareImage } from './prepare-image.ts'

type InvitationTexts = {
  title: string
  text: string
  /** On touch screens, where nothing can be dropped. */
  touch?: { title: string; text: string }
}

type ImageFieldProps = {
  label: string
  /** Id of the file input, for links that lead to it. */
  id: string
  file: File | undefined
  /** False when the caller shows the chosen image itself. */
  hasPreview?: boolean
  /** The image in use now, shown while no new one is chosen. */
  currentSrc?: string | undefined
  limit: ImageLimit
  /** The texts in the empty drop zone. */
  invitation: InvitationTexts
  /** Why the form cannot be sent. The file's own problem (wrong type, too large) is shown first. */
  error?: string | undefined
  /** The chosen file is being sent: nothing can be changed. */
  isReadOnly?: boolean
  /** False if the form needs no image. */
  isRequired?: boolean
  canRemove?: boolean
  /** Removes the shown image, also one in use; without it only a chosen file can be removed. */
  onRemove?: (() => void) | undefined
  /** Takes the focus when it appears. */
  takesFocus?: boolean
  /** An image that the form generates instead of a file; `isShown` while it is the chosen one. */
  drawing?: { isShown: boolean; size: string; draw: () => void } | undefined
  /** Called with a file that can be used, or undefined if it was removed or refused. */
  onChange: (file: File | undefined) => void
}

export function ImageField(props: ImageFieldProps) {
  const {
    label,
    id,
    file,
    hasPreview = true,
    currentSrc,
    limit,
    invitation,
    error,
    isReadOnly = false,
    isRequired = true,
    canRemove = true,
    onRemove,
    takesFocus = false,
    drawing,
    onChange,
  } = props
  const { problem, change, take, forget } = useChoice({ limit, isReadOnly, onChange })
  const { isOver, dropHandlers } = useFileDrop((dropped) => void take(dropped), isReadOnly)
  const input = useRef<HTMLInputElement>(null)
  const preview = useObjectUrl(file)
  const shownSrc = preview ?? currentSrc
  const message = problem ?? error

  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  usePastedImage(take)

  function handleRemove() {
    forget()
    if (onRemove) onRemove()
    else onChange(undefined)
    requestAnimationFrame(() => input.current?.focus())
  }
  function handleDraw() {
    forget()
    drawing?.draw()
  }
  const picker = {
    ref: input,
    id,
    accept: IMAGE_ACCEPT,
    'aria-invalid': message ? (true as const) : undefined,
    'aria-describedby': message ? `${id}-error` : undefined,
    onChange: fileChangeHandler((chosen) => void take(chosen)),
  }

  return (
    <div className="stack field">
      {shownSrc || file ? (
        <>
          <label htmlFor={id}>{label}</label>
          <div
            className={isOver ? 'stack image-picker is-drag-over' : 'stack image-picker'}
            {...dropHandlers}
          >
            {hasPreview && (
              <div className="image-picker__image">
                <img
                  src={shownSrc}
                  alt={texts.imageField.preview(label)}
                  width={648}
                  height={364}
                />
              </div>
            )}
            {file && <FileFacts file={file} change={change} drawing={drawing} />}
            <input className="visually-hidden" type="file" {...picker} disabled={isReadOnly} />
            <PickButtons
              input={input}
              isDisabled={isReadOnly}
              onNextColor={drawing?.isShown ? handleDraw : undefined}
              onRemove={onRemove || (file && canRemove) ? handleRemove : undefined}
            />
          </div>
        </>
      ) : (
        <>
          <span className="label">{label}</span>
          <label
            className={[
              'hoverable drop-zone',
              isOver ? 'is-drag-over' : '',
              message ? 'is-invalid' : '',
            ]
              .filter(Boolean)
              .join(' ')}
            {...dropHandlers}
          >
            {hasPreview ? (
              <ImagePlus className="icon" aria-hidden="true" />
            ) : (
              <Upload className="icon" aria-hidden="true" />
            )}
            <Invitation words={invitation} isOver={isOver} />
            <input type="file" aria-label={label} required={isRequired} {...picker} />
          </label>
          {drawing && !isReadOnly && (
            <Button isWide onClick={handleDraw}>
              <Type className="icon icon--small" aria-hidden="true" />
              {texts.imageField.generate}
            </Button>
          )}
        </>
      )}
      {message && (
        <FieldError id={`${id}-error`} role={problem ? 'alert' : undefined}>
          {message}
        </FieldError>
      )}
    </div>
  )
}

function Invitation({ words, isOver }: { words: InvitationTexts; isOver: boolean }) {
  if (isOver) return <b>{texts.imageField.drop}</b>
  const fine = words.touch && 'fine-pointer-only'
  return (
    <>
      <b className={fine}>{words.title}</b>
      <span className={fine}>{words.text}</span>
      {words.touch && (
        <>
          <b className="coarse-pointer-only">{words.touch.title}</b>
          <span className="coarse-pointer-only">{words.touch.text}</span>
        </>
      )}
    </>
  )
}

type FileFactsProps = { file: File; change: ImageChange | undefined } & Pick<
  ImageFieldProps,
  'drawing'
>

/** Says which file was chosen, and to what it was converted. */
function FileFacts({ file, change, drawing }: FileFactsProps) {
  return (
    <>
      <p className="image-picker__file">
        <span>{drawing?.isShown ? texts.imageField.generated : file.name}</span>
        <span>{drawing?.isShown ? drawing.size : sizeText(file.size)}</span>
      </p>
      {change && (
        <p className="hint" role="status">
          {texts.images.changed(change)}
        </p>
      )}
    </>
  )
}

function PickButtons({
  input,
  isDisabled,
  onNextColor,
  onRemove,
}: {
  input: RefObject<HTMLInputElement | null>
  /** Disabled, but not removed: nothing moves under a pointer that presses twice. */
  isDisabled: boolean
  /** For a drawn image: draws it in the next colour. */
  onNextColor: (() => void) | undefined
  onRemove: (() => void) | undefined
}) {
  return (
    <div className="image-picker__actions">
      {onNextColor ? (
        <Button aria-disabled={isDisabled} onClick={onNextColor}>
          <Palette className="icon icon--small" aria-hidden="true" />
          {texts.imageField.nextColor}
        </Button>
      ) : (
        <Button aria-disabled={isDisabled} onClick={() => input.current?.click()}>
          <RefreshCw className="icon icon--small" aria-hidden="true" />
          {texts.imageField.replace}
        </Button>
      )}
      {onRemove && (
        <Button kind="ghost" aria-disabled={isDisabled} onClick={onRemove}>
          <Trash2 className="icon icon--small" aria-hidden="true" />
          {texts.imageField.remove}
        </Button>
      )}
    </div>
  )
}

type ChoiceOptions = Pick<ImageFieldProps, 'limit' | 'onChange'> & { isReadOnly: boolean }

/**
 * Passes on a chosen file at once, so that the user need not wait, and then the prepared file;
 * withdraws it when it cannot be used.
 */
function useChoice({ limit, isReadOnly, onChange }: ChoiceOptions) {
  const [problem, setProblem] = useState<string | undefined>()
  const [change, setChange] = useState<ImageChange | undefined>()
  const latestFile = useRef<File | undefined>(undefined)
  const latestProps = useRef({ isReadOnly, onChange })
  useEffect(() => {
    latestProps.current = { isReadOnly, onChange }
  })
  function finish(file: File | undefined, reason: string | undefined) {
    setProblem(reason)
    latestProps.current.onChange(file)
  }
  async function take(chosen: File | undefined) {
    if (!chosen || isReadOnly) return
    latestFile.current = chosen
    setChange(undefined)
    const claimProblem = findClaimProblem(chosen, limit)
    finish(claimProblem ? undefined : chosen, claimProblem)
    if (claimProblem) return
    const image = await prepareImage(chosen, limit)
    // The form must not change while it is being sent; the upload prepares the file itself.
    if (latestFile.current !== chosen || latestProps.current.isReadOnly) return
    if (!image.ok) return finish(undefined, image.problem)
    if (image.file === chosen) return
    finish(image.file, undefined)
    if (Object.keys(image.change).length > 0) setChange(image.change)
  }
  function forget() {
    latestFile.current = undefined
    setProblem(undefined)
    setChange(undefined)
  }
  return { problem, change, take, forget }
}

/**
 * Handles an image pasted anywhere on the page, unless the paste contains text. (The editor handles
 * pastes in its frame.)
 */
function usePastedImage(take: (file: File) => unknown): void {
  usePageEvent('paste', (event) => {
    const file = event.clipboardData?.files[0]
    const hasText = event.clipboardData?.types.includes('text/plain')
    if (!file?.type.startsWith('image/') || hasText || event.defaultPrevented) return
    event.preventDefault()
    take(file)
  })
}
