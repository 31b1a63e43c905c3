// The form in which a post is written or changed.

import { ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import { POST_STATUSES, type PostDocument, type PostStatus } from '#contract/posts.ts'
import { useApi } from '../api/api-context.tsx'
import { previewOf } from '../files/files-api.ts'
import { ImageField } from '../files/image-field.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { ContentField } from './content-field.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { FormHead } from './form-head.tsx'
import { CONTENT_IMAGE_LIMIT } from './image-limit.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { findLengthProblem } from './post-values.ts'
import { PreviewButton } from './preview-button.tsx'
import { ProblemSummary } from './problem-summary.tsx'
import { SavingPanel } from './saving-panel.tsx'
import { useDrawnCover } from './use-drawn-cover.ts'
import { usePostForm } from './use-post-form.ts'

const PREVIEW = { width: 648, height: 364 }

type PostFormProps = {
  /** Name of the form for screen readers: the page's title. */
  name: string
  /** The post to change; without it a new one is written. */
  post?: PostDocument
  userId: string
}

export function PostForm({ name, post, userId }: PostFormProps) {
  const form = usePostForm(post, userId)
  const { fields, problems, isSaving, failure, conflict } = form
  const [otherDraft] = form.otherDrafts
  const formRef = useRef<HTMLFormElement>(null)
  const cover = useDrawnCover(fields, form.changeImage)
  return (
    <>
      <FormHead name={name}>
        <PreviewButton read={form.preview} />
      </FormHead>
      <LeaveGuard isUnsaved={form.isUnsaved} isSaving={isSaving} onLeave={form.handleLeave} />
      <div className="post-form__messages">
        {Object.keys(problems).length > 0 && (
          <ProblemSummary
            key={form.tries}
            problems={problems}
            onContent={() => form.editor.current?.focus()}
          />
        )}
        {failure && (
          <Alert kind="error" takesFocus>
            {failure.text}
            {failure.isSignedOut && (
              <>
                {' '}
                <Button className="btn--in-text" onClick={() => void form.signInAgain()}>
                  {texts.signing.in}
                </Button>
              </>
            )}
          </Alert>
        )}
        {form.hasNoRoom && <Alert kind="warn">{texts.postForm.noRoom}</Alert>}
        {otherDraft && !isSaving && (
          <DraftNotice
            key={otherDraft.id}
            draft={otherDraft}
            post={post}
            onRestore={() => form.restore(otherDraft)}
            onDiscard={() => form.discard(otherDraft)}
          />
        )}
      </div>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          onKeepOwn={form.keepOwn}
          onTakeSaved={form.takeSaved}
          onLater={form.decideLater}
        />
      )}
      <form
        className="post-form"
        ref={formRef}
        noValidate
        aria-label={name}
        aria-busy={isSaving || undefined}
        onSubmit={form.handleSubmit}
      >
        <div className="stack">
          <TitleField
            value={fields.title}
            error={problems.title ?? cover.titleProblem ?? findLengthProblem(fields.title)}
            isReadOnly={isSaving}
            onChange={form.changeTitle}
          />
          <SlugField
            value={fields.slug}
            error={problems.slug}
            isFixed={post !== undefined}
            isReadOnly={isSaving}
            onChange={form.changeSlug}
          />
          <ContentField
            userId={userId}
            ref={form.editor}
            initialHtml={form.startHtml}
            isReadOnly={isSaving}
            error={problems.content}
            onChange={form.changeContent}
            onSave={() => formRef.current?.requestSubmit()}
          />
        </div>
        <div className="post-form__side">
          <div className="panel">
            <FeaturedImageField
              post={form.post}
              file={fields.image}
              error={problems.image}
              isReadOnly={isSaving}
              drawing={cover.drawing}
              onChange={form.changeImage}
            />
            <StatusField value={fields.status} isReadOnly={isSaving} onChange={form.changeStatus} />
            {isSaving && <SavingPanel progress={form.progress} />}
            <Button kind="primary" type="submit" isWide aria-disabled={isSaving}>
              {post ? texts.postForm.update : texts.actions.submit}
            </Button>
          </div>
        </div>
      </form>
    </>
  )
}

type TextFieldProps = {
  value: string
  error: string | undefined
  isReadOnly: boolean
  onChange: (value: string) => void
}

function TitleField({ value, error, isReadOnly, onChange }: TextFieldProps) {
  return (
    <Field label={texts.postFields.title} id="title" error={error}>
      {(ids) => (
        <TextInput
          {...ids}
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
      )}
    </Field>
  )
}

function SlugField({
  value,
  error,
  isFixed,
  isReadOnly,
  onChange,
}: TextFieldProps & { isFixed: boolean }) {
  const hint = isFixed ? texts.postForm.slugFixed : texts.postForm.slugMade
  return (
    <Field label={texts.postFields.slug} id="slug" hint={error ? undefined : hint} error={error}>
      {(ids) => (
        <TextInput
          {...ids}
          className="mono"
          name="slug"
          required
          spellCheck={false}
          autoComplete="off"
          value={value}
          readOnly={isFixed || isReadOnly}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

type FeaturedImageFieldProps = {
  post: PostDocument | undefined
  file: File | undefined
  error: string | undefined
  isReadOnly: boolean
  drawing: ReturnType<typeof useDrawnCover>['drawing']
  onChange: (file: File | undefined) => void
}

function FeaturedImageField({ post, ...rest }: FeaturedImageFieldProps) {
  const api = useApi()
  const current =
    post?.featuredImage &&
    previewOf(api, api.settings.contentBucketId, { fileId: post.featuredImage, ...PREVIEW }).src
  return (
    <ImageField
      {...rest}
      label={texts.postFields.image}
      id="image"
      currentSrc={current || undefined}
      canRemove={!current}
      limit={CONTENT_IMAGE_LIMIT}
      invitation={texts.postForm.imageInvitation}
    />
  )
}

type StatusFieldProps = {
  value: PostStatus
  isReadOnly: boolean
  onChange: (value: PostStatus) => void
}

/** A select has no read-only state: while saving, changes are ignored. */
function StatusField({ value, isReadOnly, onChange }: StatusFieldProps) {
  return (
    <Field label={texts.postFields.status} id="status" hint={texts.postForm.statusHint}>
      {(ids) => (
        <span className="select">
          <select
            {...ids}
            className="input"
            name="status"
            required
            value={value}
            aria-disabled={isReadOnly || undefined}
            onChange={(event) => {
              const chosen = POST_STATUSES.find((status) => status === event.currentTarget.value)
              if (chosen) onChange(chosen)
            }}
          >
            {POST_STATUSES.map((status) => (
              <option key={status} value={status}>
                {texts.statuses[status]}
              </option>
            ))}
          </select>
          <ChevronDown className="icon" aria-hidden="true" />
        </span>
      )}
    </Field>
  )
}
