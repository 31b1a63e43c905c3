// The fields of the post form beside the text: title, slug, featured image, status.
import { POST_STATUSES } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { previewOf } from '../files/files-api.ts'
import { ImageField } from '../files/image-field.tsx'
import { texts } from '../locales/texts.ts'
import { statusText } from '../posts/like-stat.tsx'
import { Button } from '../ui/button.tsx'
import { InputField, SelectField } from '../ui/field.tsx'
import { isComposing } from '../ui/is-composing.ts'
import type { useDrawnCover } from './draw-cover.ts'
import { CONTENT_IMAGE_LIMIT, findLengthProblem } from './post-values.ts'
import type { ShownForm } from './use-post-form.ts'

const PREVIEW = { width: 648, height: 364 }

type FieldProps = { form: ShownForm }

/** @param props `problem` is what drawing a cover found wrong */
export function TitleField({ form, problem }: FieldProps & { problem: string | undefined }) {
  const { fields, problems, isSaving } = form
  return (
    <InputField
      label={texts.postFields.title}
      id="title"
      error={problems.title ?? problem ?? findLengthProblem(fields.title)}
      className="input--title"
      name="title"
      required
      dir="auto"
      autoComplete="off"
      placeholder={texts.postFields.titleInvitation}
      value={fields.title}
      readOnly={isSaving}
      onChange={(event) => form.changeTitle(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
        event.preventDefault()
        form.focusText()
      }}
    />
  )
}

export function SlugField({ form }: FieldProps) {
  const error = form.problems.slug
  const isFixed = form.post !== undefined
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
      value={form.fields.slug}
      readOnly={isFixed || form.isSaving}
      onChange={(event) => form.changeSlug(event.currentTarget.value)}
    />
  )
}

type DrawingProps = { drawing: ReturnType<typeof useDrawnCover>['drawing'] }

export function FeaturedImageField({ form, drawing }: FieldProps & DrawingProps) {
  const api = useApi()
  const { post, isSaving } = form
  const { image, isImageRemoved, status } = form.fields
  const stored = isImageRemoved ? undefined : post?.ownImage
  // An address or anything else that a program wrote: kept, and never asked for.
  const isElsewhere = !image && !stored && !isImageRemoved && Boolean(post?.featuredImage)
  const current =
    stored && previewOf(api, api.settings.contentBucketId, { fileId: stored, ...PREVIEW }).src
  const isInactive = status !== 'active'
  return (
    <>
      <ImageField
        file={image}
        label={texts.postFields.image}
        id="image"
        error={form.problems.image}
        isReadOnly={isSaving}
        drawing={drawing}
        currentSrc={current || undefined}
        isRequired={!isInactive && !isElsewhere}
        canRemove={!current}
        onChange={form.changeImage}
        onRemove={isInactive ? form.removeImage : undefined}
        limit={CONTENT_IMAGE_LIMIT}
        invitation={texts.postForm.imageInvitation}
      />
      {isElsewhere && <p className="hint">{texts.postForm.imageElsewhere}</p>}
      {isElsewhere && isInactive && !isSaving && (
        <Button kind="ghost" onClick={form.removeImage}>
          {texts.imageField.remove}
        </Button>
      )}
      {!image && !current && !isElsewhere && <p className="hint">{texts.postForm.imageHint}</p>}
    </>
  )
}

/** While saving, changes are ignored. */
export function StatusField({ form }: FieldProps) {
  const { status } = form.fields
  return (
    <SelectField
      label={texts.postFields.status}
      id="status"
      hint={texts.postForm.statusHint}
      choices={POST_STATUSES.map((one) => [one, statusText(one)] as const)}
      name="status"
      required
      value={status}
      aria-disabled={form.isSaving || undefined}
      onChange={form.changeStatus}
    />
  )
}
