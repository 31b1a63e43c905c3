// The fields of the post form beside the text: title, slug, featured image, status.
import { addressSegment } from '#contract/post-url.ts'
import { POST_STATUSES, type PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { previewOf } from '../files/files-api.ts'
import { ImageField } from '../files/image-field.tsx'
import { texts } from '../locales/texts.ts'
import { statusText } from '../posts/like-stat.tsx'
import { scheduledTimeOf } from '../posts/posts-api.ts'
import { Button } from '../ui/button.tsx'
import { InputField, SelectField } from '../ui/field.tsx'
import { isComposing } from '../ui/is-composing.ts'
import { LazyPart } from '../ui/lazy-part.tsx'
import { focusText } from './content-field.tsx'
import type { useDrawnCover } from './draw-cover.ts'
import { changeFields, changeSlug, changeTitle } from './open-form.ts'
import { CONTENT_IMAGE_LIMIT, findLengthProblem } from './post-values.ts'
import type { FormProps } from './use-post-form.ts'

const PREVIEW = { width: 648, height: 364 }

/** @param props `problem` was found when a cover was drawn from the title */
export function TitleField({ form, state, problem }: FormProps & { problem: string | undefined }) {
  const { fields, problems, isSaving } = state
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
      onChange={(event) => changeTitle(form, event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
        event.preventDefault()
        focusText(form.editor)
      }}
    />
  )
}

export function SlugField({ form, state }: FormProps) {
  const error = state.problems.slug
  const isFixed = state.post !== undefined
  const hint = isFixed ? texts.postForm.slugFixed : texts.postForm.slugGenerated
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
      value={state.fields.slug}
      readOnly={isFixed || state.isSaving}
      onChange={(event) => changeSlug(form, event.currentTarget.value)}
    />
  )
}

type DrawingProps = { drawing: ReturnType<typeof useDrawnCover>['drawing'] }

export function FeaturedImageField({ form, state, drawing }: FormProps & DrawingProps) {
  const api = useApi()
  const { post, isSaving } = state
  const { image, isImageRemoved, status } = state.fields
  const storedImage = isImageRemoved ? undefined : post?.ownImage
  // Another program stored an address or any other value: it stays, and is never requested.
  const isExternal = !image && !storedImage && !isImageRemoved && Boolean(post?.featuredImage)
  const currentSrc =
    storedImage &&
    previewOf(api, api.settings.contentBucketId, { fileId: storedImage, ...PREVIEW }).src
  const isInactive = status !== 'active'
  const remove = () => changeFields(form, { image: undefined, isImageRemoved: true })
  return (
    <>
      <ImageField
        file={image}
        label={texts.postFields.image}
        id="image"
        error={state.problems.image}
        isReadOnly={isSaving}
        drawing={drawing}
        currentSrc={currentSrc || undefined}
        isRequired={!isInactive && !isExternal}
        canRemove={!currentSrc}
        onChange={(file) => changeFields(form, { image: file })}
        onRemove={isInactive ? remove : undefined}
        limit={CONTENT_IMAGE_LIMIT}
        invitation={texts.postForm.imageInvitation}
      />
      {isExternal && <p className="hint">{texts.postForm.imageExternal}</p>}
      {isExternal && isInactive && !isSaving && (
        <Button kind="ghost" onClick={remove}>
          {texts.imageField.remove}
        </Button>
      )}
      {!image && !currentSrc && !isExternal && <p className="hint">{texts.postForm.imageHint}</p>}
    </>
  )
}

/** The address that a page of the blog gets once it is active. */
export function PageAddress({ state: { fields } }: Pick<FormProps, 'state'>) {
  const { addressWords } = fields.details
  const address = addressSegment({ title: fields.title, addressWords })
  return address && <p className="hint">{texts.pageForm.address(`/${address}`)}</p>
}

/** While saving, changes are ignored. */
export function StatusField({ form, state }: FormProps) {
  const { status } = state.fields
  return (
    <>
      <SelectField
        label={texts.postFields.status}
        id="status"
        hint={state.isPage ? texts.pageForm.statusHint : texts.postForm.statusHint}
        choices={POST_STATUSES.map((value) => [value, statusText(value)] as const)}
        name="status"
        required
        value={status}
        aria-disabled={state.isSaving || undefined}
        onChange={(newStatus) => changeFields(form, { status: newStatus, publishedAt: undefined })}
      />
      {hasScheduleLine(form.opened, state.post) && (
        <LazyPart
          load={async () => (await import('./schedule-line.tsx')).ScheduleLine}
          props={{ form, state }}
        />
      )}
    </>
  )
}

/** Whether the post is to turn active, or has done so while the form was open. */
function hasScheduleLine(
  opened: PostDocument | undefined,
  post: PostDocument | undefined,
): boolean {
  if (!post) return false
  return post.status === 'active'
    ? opened?.status !== 'active'
    : scheduledTimeOf(post) !== undefined
}
