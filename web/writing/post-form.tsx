// The form in which a post is written or changed.

import { useEffect, useRef } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { VersionsLink } from '../versions/versions-link.tsx'

import { ContentField } from './content-field.tsx'
import { FeaturedImageField, SlugField, StatusField, TitleField } from './form-fields.tsx'
import { FormHead } from './form-head.tsx'
import { FormMessages } from './form-messages.tsx'
import { LateConflictDialog } from './late-conflict-dialog.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { isDraft } from './post-form-state.ts'
import { findLengthProblem } from './post-values.ts'
import { PreviewButton } from './preview-button.tsx'
import { SavedLine, savedTextOf } from './saved-line.tsx'
import { SavingPanel } from './saving-panel.tsx'
import { TagsField } from './tags-field.tsx'
import { useDrawnCover } from './use-drawn-cover.ts'
import { usePostForm } from './use-post-form.ts'

type PostFormProps = {
  /** Name of the form for screen readers: the page's title. */
  name: string
  /** The post to change; without it a new one is written. */
  post?: PostDocument
  userId: string
  /** Hears when a new post is on the server, as a draft. */
  onStored?: (slug: string) => void
}

const ignore = () => {}

export function PostForm({ name, post, userId, onStored = ignore }: PostFormProps) {
  const form = usePostForm(post, userId, onStored)
  const { fields, problems, isSaving, conflict } = form
  const cover = useDrawnCover(fields, form.changeImage)
  useSaveKey(form.save)
  return (
    <>
      <FormHead name={name}>
        <PreviewButton read={form.preview} />
        {form.post && <VersionsLink slug={form.post.$id} />}
      </FormHead>
      <LeaveGuard isUnsaved={form.isUnsaved} isSaving={isSaving} onLeave={form.handleLeave} />
      <FormMessages
        {...form}
        opened={post}
        otherDraft={form.otherDrafts[0]}
        onContent={() => form.editor.current?.focus()}
        onSignIn={() => void form.signInAgain()}
        onCompare={form.compare}
        onWriteHere={form.writeHere}
        onRestore={form.restore}
        onDiscard={form.discard}
      />
      {conflict && (
        <LateConflictDialog
          conflict={conflict}
          onKeepOwn={form.keepOwn}
          onTakeSaved={form.takeSaved}
          onLater={form.decideLater}
        />
      )}
      <form
        className="post-form"
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
            isFixed={form.post !== undefined}
            isReadOnly={isSaving}
            onChange={form.changeSlug}
          />
          <ContentField
            userId={userId}
            ref={form.editor}
            initialHtml={form.startHtml}
            isReadOnly={isSaving}
            error={problems.content}
            savedText={savedTextOf(form)}
            onChange={form.changeContent}
            onSave={form.save}
          />
          <TagsField
            tags={fields.tags}
            tagText={fields.tagText}
            error={problems.tags}
            isReadOnly={isSaving}
            onChange={form.changeTags}
          />
        </div>
        <div className="post-form__side">
          <div className="panel">
            <FeaturedImageField
              post={form.post}
              file={fields.image}
              isRemoved={fields.isImageRemoved}
              status={fields.status}
              error={problems.image}
              isReadOnly={isSaving}
              drawing={cover.drawing}
              onChange={form.changeImage}
              onRemove={form.removeImage}
            />
            <StatusField
              value={fields.status}
              stored={form.post?.status}
              isReadOnly={isSaving}
              onChange={form.changeStatus}
            />
            <SavingParts form={form} isNew={post === undefined} />
          </div>
        </div>
      </form>
    </>
  )
}

function SavingParts({ form, isNew }: { form: ReturnType<typeof usePostForm>; isNew: boolean }) {
  const { isSaving, hasNoLine } = form
  const hasSaveDraft = form.post === undefined || isDraft(form)
  return (
    <>
      {(isSaving || hasNoLine) && (
        <SavingPanel progress={form.progress} hasNoLine={hasNoLine} onCancel={form.cancelSaving} />
      )}
      <div className={hasSaveDraft ? 'post-form__buttons' : undefined}>
        {hasSaveDraft && (
          <Button isWide aria-disabled={isSaving} onClick={form.saveDraft}>
            {texts.postForm.saveDraft}
          </Button>
        )}
        <Button kind="primary" type="submit" isWide aria-disabled={isSaving}>
          {isNew ? texts.actions.submit : texts.postForm.update}
        </Button>
      </div>
      <SavedLine state={form} />
    </>
  )
}

/** Ctrl+S anywhere on the page; in the editor's frame the editor hears it. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
      if (!isSave || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!event.repeat && !document.querySelector('dialog[open]')) latest.current()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}
