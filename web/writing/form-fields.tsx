// The fields of the post form beside the text: title, slug, featured image, status.
import { POST_STATUSES, type PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { previewOf } from '../files/files-api.ts'
import { ImageField } from '../files/image-field.tsx'
import { texts } from '../locales/texts.ts'
import { statusText } from '../posts/like-stat.tsx'
import { Button } from '../ui/button.tsx'
import { InputField, SelectField } from '../ui/field.tsx'
import type { useDrawnCover } from './draw-cover.ts'
import { CONTENT_IMAGE_LIMIT } from './post-values.ts'

const PREVIEW = { width: 648, height: 364 }

type TextFieldProps = {
  value: string
  error: string | undefined
  isReadOnly: boolean
  onChange: (value: string) => void
}

export function TitleField({ value, error, isReadOnly, onChange }: TextFieldProps) {
  return (
    <InputField
      label={texts.postFields.title}
      id="title"
      error={error}
      className="input--title"
      name="title"
      required
      dir="auto"
      autoComplete="off"
      placeholder={texts.postFields.titleInvitation}
      value={value}
      readOnly={isReadOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export function SlugField({
  value,
  error,
  isFixed,
  isReadOnly,
  onChange,
}: TextFieldProps & { isFixed: boolean }) {
  const hint = isFixed ? texts.postForm.slugFixed : texts.postForm.slugMade
  return (
    <InputField
      label={texts.postFields.slug}
      id="slug"
      hint={error ? undefined : hint}
      error={error}
      className="mono"
      name="slug"
      required
      spellCheck={false}
      autoComplete="off"
      value={value}
      readOnly={isFixed || isReadOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type FeaturedImageFieldProps = {
  post: PostDocument | undefined
  file: File | undefined
  /** The image that the post has is not wanted any more. */
  isRemoved: boolean
  /** As it is chosen in the form: a published post needs an image. */
  status: string
  error: string | undefined
  isReadOnly: boolean
  drawing: ReturnType<typeof useDrawnCover>['drawing']
  onChange: (file: File | undefined) => void
  onRemove: () => void
}

export function FeaturedImageField({
  post,
  file,
  isRemoved,
  status,
  onRemove,
  ...rest
}: FeaturedImageFieldProps) {
  const api = useApi()
  const stored = isRemoved ? undefined : post?.ownImage
  // An address or anything else that a program wrote: kept, and never asked for.
  const isElsewhere = !file && !stored && !isRemoved && Boolean(post?.featuredImage)
  const current =
    stored && previewOf(api, api.settings.contentBucketId, { fileId: stored, ...PREVIEW }).src
  const isInactive = status !== 'active'
  return (
    <>
      <ImageField
        {...rest}
        file={file}
        label={texts.postFields.image}
        id="image"
        currentSrc={current || undefined}
        isRequired={!isInactive && !isElsewhere}
        canRemove={!current}
        onRemove={isInactive ? onRemove : undefined}
        limit={CONTENT_IMAGE_LIMIT}
        invitation={texts.postForm.imageInvitation}
      />
      {isElsewhere && <p className="hint">{texts.postForm.imageElsewhere}</p>}
      {isElsewhere && isInactive && !rest.isReadOnly && (
        <Button kind="ghost" onClick={onRemove}>
          {texts.imageField.remove}
        </Button>
      )}
      {!file && !current && !isElsewhere && <p className="hint">{texts.postForm.imageHint}</p>}
    </>
  )
}

type StatusFieldProps = {
  value: string
  /** As it is stored: a word of a program can be kept. */
  stored: string | undefined
  isReadOnly: boolean
  onChange: (value: string) => void
}

/** A select has no read-only state: while saving, changes are ignored. */
export function StatusField({ value, stored, isReadOnly, onChange }: StatusFieldProps) {
  const statuses = [...new Set([...POST_STATUSES, stored ?? value, value])]
  const hasOther = statuses.length > POST_STATUSES.length
  const hint = hasOther ? texts.postForm.otherStatusHint : texts.postForm.statusHint
  return (
    <SelectField
      label={texts.postFields.status}
      id="status"
      hint={hint}
      choices={statuses.map((status) => [status, statusText(status)] as const)}
      name="status"
      required
      value={value}
      aria-disabled={isReadOnly || undefined}
      onChange={onChange}
    />
  )
}
