// The dialog for a gallery: several pictures at once, their order, what each shows and its caption.
// The files are uploaded in the text, after the dialog.

import { ArrowDown, ArrowUp, ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { IconButton } from '../ui/button.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { useObjectUrl } from '../ui/use-object-url.ts'
import { type Gallery, type GalleryPicture, imageOf } from './gallery-objects.ts'

type GalleryDialogProps = {
  /** Undefined for a new gallery. */
  start: Gallery | undefined
  onSave: (gallery: Gallery) => void
  onClose: () => void
}

const words = texts.galleryDialog

export function GalleryDialog({ start, onSave, onClose }: GalleryDialogProps) {
  const [pictures, setPictures] = useState(start?.pictures ?? [])
  const [caption, setCaption] = useState(start?.caption ?? '')
  const announce = useAnnounce()

  function add({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const files = [...(currentTarget.files ?? [])]
    currentTarget.value = ''
    const added = files.map((file) => ({ source: { file }, alt: '', caption: '' }))
    setPictures((before) => [...before, ...added])
  }
  function change(index: number, changes: Partial<GalleryPicture>) {
    setPictures(
      pictures.map((picture, at) => (at === index ? { ...picture, ...changes } : picture)),
    )
  }
  function move(index: number, step: number) {
    const others = pictures.filter((_picture, at) => at !== index)
    const picture = pictures[index]
    if (!picture) return
    setPictures(others.toSpliced(index + step, 0, picture))
    announce(words.moved(index + step + 1))
  }
  const isEmpty = pictures.length === 0
  return (
    <FormDialog
      title={words.title}
      isWide
      submitLabel={start ? words.save : words.insert}
      isSubmitDisabled={isEmpty && !start}
      onSubmit={() => onSave({ pictures, caption })}
      onClose={onClose}
    >
      <AddPictures isFirst={isEmpty} onAdd={add} />
      <ol className="stack gallery-list">
        {pictures.map((picture, index) => (
          <PictureRow
            key={keyOf(picture)}
            picture={picture}
            number={index + 1}
            isLast={index === pictures.length - 1}
            onChange={(changes) => change(index, changes)}
            onMove={(step) => move(index, step)}
            onRemove={() => setPictures(pictures.filter((_picture, at) => at !== index))}
          />
        ))}
      </ol>
      {!isEmpty && (
        <TextField label={words.caption} dir="auto" value={caption} onChange={setCaption} />
      )}
    </FormDialog>
  )
}

const keys = new WeakMap<object, number>()
let keyCount = 0

/** The same key for a picture while it moves. */
function keyOf({ source }: GalleryPicture): number {
  const key = keys.get(source) ?? ++keyCount
  keys.set(source, key)
  return key
}

type AddProps = { isFirst: boolean; onAdd: (event: ChangeEvent<HTMLInputElement>) => void }

function AddPictures({ isFirst, onAdd }: AddProps) {
  return (
    <label className="hoverable drop-zone gallery-add">
      <ImagePlus className="icon" aria-hidden="true" />
      <b>{isFirst ? words.choose : words.add}</b>
      <span>{words.kinds}</span>
      <input type="file" accept="image/*" multiple aria-label={words.add} onChange={onAdd} />
    </label>
  )
}

type RowProps = {
  picture: GalleryPicture
  number: number
  isLast: boolean
  onChange: (changes: Partial<GalleryPicture>) => void
  onMove: (step: number) => void
  onRemove: () => void
}

function PictureRow({ picture, number, isLast, onChange, onMove, onRemove }: RowProps) {
  const { source, alt, caption } = picture
  const preview = useObjectUrl('file' in source ? source.file : undefined)
  const stored = 'figure' in source ? imageOf(source.figure) : undefined
  const isUploading = 'figure' in source && !stored
  return (
    <li className="gallery-list__row" aria-label={words.picture(number)}>
      {isUploading ? (
        <span className="quiet">{words.uploading}</span>
      ) : (
        <img src={preview ?? stored?.src} alt="" width={96} height={72} />
      )}
      <div className="stack">
        {!isUploading && (
          <TextField
            label={texts.imageDialog.alt}
            dir="auto"
            value={alt}
            onChange={(typed) => onChange({ alt: typed })}
          />
        )}
        <TextField
          label={texts.imageDialog.caption}
          dir="auto"
          value={caption}
          onChange={(typed) => onChange({ caption: typed })}
        />
      </div>
      <div className="row row--tight">
        {/* A button that cannot be used keeps the focus, which would otherwise be lost. */}
        <IconButton
          label={words.earlier(number)}
          title={words.earlier(number)}
          aria-disabled={number === 1}
          onClick={() => onMove(-1)}
          Icon={ArrowUp}
        />
        <IconButton
          label={words.later(number)}
          title={words.later(number)}
          aria-disabled={isLast}
          onClick={() => onMove(1)}
          Icon={ArrowDown}
        />
        <IconButton
          label={words.remove(number)}
          title={words.remove(number)}
          onClick={onRemove}
          Icon={Trash2}
        />
      </div>
    </li>
  )
}
