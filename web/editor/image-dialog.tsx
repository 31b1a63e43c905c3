// The dialog of an image: chosen and uploaded, or named by its address; what is in it and its
// caption are filled in meanwhile.

import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { useFileDrop } from '../ui/use-file-choice.ts'
import type { BodyImage } from './editor-objects.ts'
import { FormDialog, TextField } from './form-dialog.tsx'
import { ChosenImage, ImageAddress, ImageDrop } from './image-dialog-parts.tsx'
import { findLinkAddress } from './link-url.ts'
import type { StoredImage, StoreImage } from './store-image.ts'
import { failureText, isRefused, useImageUpload } from './use-image-upload.ts'

type ImageDialogProps = {
  /** The image of the text that is changed; a new one is made without it. */
  start: BodyImage | undefined
  storeImage: StoreImage
  onSave: (image: BodyImage) => void
  onClose: () => void
}

const words = texts.imageDialog

export function ImageDialog({ start, storeImage, onSave, onClose }: ImageDialogProps) {
  const { upload, take, cancel } = useImageUpload(storeImage)
  const [about, setAbout] = useState({ alt: start?.alt ?? '', caption: start?.caption ?? '' })
  const [address, setAddress] = useState({ typed: '', isRefused: false })
  /** The verb was pressed while the image was on its way. */
  const [isWanted, setWanted] = useState(false)
  const { file, step, stored, failure, isCancelled } = upload
  const isChosen = file !== undefined && !isRefused(failure)
  const isOnItsWay = isChosen && !stored && !failure
  const problem = failureText(upload)
  const { isOver, dropHandlers } = useFileDrop(handleTake)
  const isTold = isChosen || start !== undefined || address.typed !== ''

  const save = (image: Pick<BodyImage, 'src' | 'size'>) =>
    onSave({ ...image, alt: about.alt.trim(), caption: about.caption.trim() })
  const saveStored = useEffectEvent((image: StoredImage) => save(imageAt(image.address)))
  useEffect(() => {
    if (isWanted && stored) saveStored(stored)
  }, [isWanted, stored])

  function handleTake(chosen: File | undefined) {
    if (!chosen) return
    setWanted(false)
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
    if (isOnItsWay) return setWanted(true)
    const found = findLinkAddress(address.typed)
    if (address.typed.trim() !== '' && !found)
      return setAddress({ typed: address.typed, isRefused: true })
    const src = found ?? start?.src
    if (src) save(imageAt(src))
  }
  return (
    <FormDialog
      title={words.title}
      submitLabel={verbFor({ isFailed: problem !== undefined && isChosen, isOnItsWay, start })}
      isSubmitOff={(isWanted && !problem) || !(isChosen || start || address.typed.trim())}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="stack image-dialog" onPaste={handlePaste} {...dropHandlers}>
        {problem && <Alert kind="error">{problem}</Alert>}
        {isCancelled && <Alert kind="ok">{texts.uploads.cancelled}</Alert>}
        {isChosen || (start && !isRefused(failure)) ? (
          <ChosenImage upload={upload} src={start?.src} onTake={handleTake} onCancel={cancel} />
        ) : (
          <ImageDrop isAgain={failure !== undefined} isOver={isOver} onTake={handleTake} />
        )}
        {!isChosen && !start && (
          <ImageAddress
            {...address}
            onChange={(typed) => setAddress({ typed, isRefused: false })}
          />
        )}
        {isTold && <AboutFields {...about} onChange={setAbout} />}
      </div>
    </FormDialog>
  )
}

/** The address of an image of this site tells how large it is. */
function imageAt(src: string): Pick<BodyImage, 'src' | 'size'> {
  const hints = new URLSearchParams(src.slice(src.indexOf('?') + 1))
  const [width, height] = [Number(hints.get('width')), Number(hints.get('height'))]
  return { src, size: width > 0 && height > 0 ? { width, height } : undefined }
}

type VerbFacts = { isFailed: boolean; isOnItsWay: boolean; start: BodyImage | undefined }

function verbFor({ isFailed, isOnItsWay, start }: VerbFacts): string {
  if (isFailed) return texts.actions.tryAgain
  if (isOnItsWay) return words.insertLater
  return start ? words.save : words.insert
}

type About = Pick<BodyImage, 'alt' | 'caption'>

function AboutFields({ alt, caption, onChange }: About & { onChange: (about: About) => void }) {
  return (
    <>
      <TextField
        label={labelWith(words.alt, words.altKind)}
        hint={words.altHint}
        dir="auto"
        value={alt}
        onChange={(typed) => onChange({ alt: typed, caption })}
      />
      <TextField
        label={labelWith(words.caption, words.optional)}
        hint={words.captionHint}
        dir="auto"
        value={caption}
        onChange={(typed) => onChange({ alt, caption: typed })}
      />
    </>
  )
}

function labelWith(label: string, kind: string) {
  return (
    <>
      {label} <span className="field__kind">{kind}</span>
    </>
  )
}
