// The form in which a post is written or changed.
import type { Editor } from 'hugerte'
import { Eye, History, Link2, Pencil } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { avatarIdOf } from '../accounts/avatar-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { LeaveGuard } from '../forms/leave-guard.tsx'
import { texts } from '../locales/texts.ts'
import { PUBLISH_HASH, versionsPath } from '../posts/post-paths.ts'
import type { PreviewPost } from '../reading/post-preview.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { afterDialogs } from '../ui/use-modal.ts'
import { usePageEvent } from '../ui/use-page-event.ts'
import { ContentField, focusText } from './content-field.tsx'
import { useDrawnCover } from './draw-cover.ts'
import { keepLocal, takeStored } from './form-actions.ts'
import {
  FeaturedImageField,
  PageAddress,
  SlugField,
  StatusField,
  TitleField,
} from './form-fields.tsx'
import { FormMessages } from './form-messages.tsx'
import { changeFields, type OpenForm, readContent } from './open-form.ts'
import type { PostFormState } from './post-form-reducer.ts'
import { requestSave } from './save-draft.ts'
import { SavingParts } from './saving-parts.tsx'
import { TagsField } from './tags-field.tsx'
import { type FormProps, losesText, usePostForm } from './use-post-form.ts'
import { usePreviewLink } from './use-preview-link.tsx'
import { useWritingView } from './use-writing-view.ts'

type PostFormProps = {
  /** Name of the form for screen readers: the page's title. */
  name: string
  /** The post to change; without it a new one is written. */
  post?: PostDocument
  userId: string
  /** A new page of the blog is written, not a post. */
  isNewPage?: boolean
  /** Called when a new post is on the server, as a draft. */
  onStored?: (slug: string) => void
}

const ignore = () => {}

/**
 * One form in two views: all fields, or only title and text (writing-view.tsx). The content field
 * keeps its place among the elements, and the editor with it its text, caret and undo steps.
 */
export function PostForm({ name, post, onStored = ignore, ...context }: PostFormProps) {
  const { form, state } = usePostForm(post, { ...context, onStored })
  const { fields, problems, isSaving, conflict } = state
  const cover = useDrawnCover(fields, (image) => changeFields(form, { image }))
  const [editor, setEditor] = useState<Editor | undefined>()
  const { preview, openPreview } = usePreview(form)
  const previewLink = usePreviewLink(state)
  const view = useWritingView(() => {
    focusText(form.editor)
    // The form may have been left while the other view was being loaded.
    form.editor.current?.showCaret()
  }, context)
  const { parts } = view
  useSaveKey(form)
  return (
    <>
      {parts ? (
        <parts.WritingBar
          form={form}
          state={state}
          editor={editor}
          name={name}
          onPreview={() => openPreview()}
          onPreviewLink={previewLink.openLink}
          onShowForm={view.showForm}
        />
      ) : (
        <div className="apart page-head">
          <h1>{name}</h1>
          {view.isLoading ? (
            <LoadingText>{texts.editor.loading}</LoadingText>
          ) : (
            <FormTools
              state={state}
              onPreview={() => openPreview()}
              onPreviewLink={previewLink.openLink}
              onShowWriting={() => void view.showWriting()}
            />
          )}
        </div>
      )}
      {preview}
      {previewLink.dialog}
      <LeaveGuard
        needsQuestion={() => losesText(form)}
        text={isSaving ? texts.leavingWhileSaving : texts.leaving}
        onLeave={() => form.dispatch({ type: 'leaving' })}
      />
      <FormMessages form={form} state={state} onShowFields={view.showForm} />
      {conflict && (
        <LazyPart
          load={async () => (await import('./conflict-dialog.tsx')).ConflictDialog}
          props={{
            conflict,
            onKeepLocal: () => keepLocal(form),
            onTakeStored: () => takeStored(form),
            onLater: () => form.dispatch({ type: 'decisionPostponed' }),
          }}
          onFailed={() => form.dispatch({ type: 'decisionPostponed' })}
        />
      )}
      <FormPublishing form={form} state={state} onPreview={() => openPreview()} />
      {/* Without a submit button: Enter in a field publishes nothing. */}
      <form
        className={parts ? 'writing' : 'stack post-form'}
        hidden={view.isLoading}
        noValidate
        aria-label={name}
        aria-busy={isSaving || undefined}
        onSubmit={(event) => event.preventDefault()}
      >
        {parts && <parts.WritingContents editor={editor} />}
        <div className="stack">
          {parts ? (
            <parts.WritingTitle form={form} state={state} />
          ) : (
            <>
              <TitleField form={form} state={state} problem={cover.titleProblem} />
              {state.isPage ? (
                <PageAddress state={state} />
              ) : (
                <SlugField form={form} state={state} />
              )}
            </>
          )}
          <ContentField
            form={form}
            state={state}
            isWritingView={parts !== undefined}
            onEditor={setEditor}
            onPreview={() => openPreview(true)}
          />
          {parts ? (
            <parts.WritingFoot form={form} state={state} editor={editor} />
          ) : state.isPage ? null : (
            <TagsField
              tags={fields.tags}
              tagText={fields.tagText}
              error={problems.tags}
              isReadOnly={isSaving}
              onChange={(typed) => changeFields(form, typed)}
            />
          )}
        </div>
        {!parts && (
          <div className="stack post-form__side">
            <div className="box stack panel">
              {!state.isPage && (
                <FeaturedImageField form={form} state={state} drawing={cover.drawing} />
              )}
              <StatusField form={form} state={state} />
              <SavingParts form={form} state={state} />
            </div>
          </div>
        )}
      </form>
    </>
  )
}

type FormToolsProps = {
  state: PostFormState
  onPreview: () => void
  /** Undefined where a post cannot have a preview link. */
  onPreviewLink: (() => void) | undefined
  onShowWriting: () => void
}

function FormTools({ state: { post }, onPreview, onPreviewLink, onShowWriting }: FormToolsProps) {
  return (
    <div className="row page-head__tools">
      <Button kind="ghost" Icon={Pencil} onClick={onShowWriting}>
        {texts.postForm.writingView}
      </Button>
      <Button kind="ghost" Icon={Eye} aria-haspopup="dialog" onClick={onPreview}>
        {texts.preview.title}
      </Button>
      {onPreviewLink && (
        <Button kind="ghost" Icon={Link2} aria-haspopup="dialog" onClick={onPreviewLink}>
          {texts.postForm.previewLink}
        </Button>
      )}
      {post && (
        <Link className={buttonClass('ghost')} to={versionsPath(post.$id)}>
          <History className="icon icon--small" aria-hidden="true" />
          {texts.versionList.title}
        </Link>
      )}
    </div>
  )
}

/**
 * The drawer "Publish" of an open form. The link of a schedule on the dashboard opens it with the
 * form.
 */
function FormPublishing(props: FormProps & { onPreview: () => void }) {
  const { form, state } = props
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === PUBLISH_HASH) form.dispatch({ type: 'publishOpened' })
  }, [form, hash])
  return (
    state.isPublishOpen && (
      <LazyPart
        load={async () => (await import('./form-publish-drawer.tsx')).FormPublishDrawer}
        props={props}
        onFailed={() => form.dispatch({ type: 'publishClosed' })}
      />
    )
  )
}

/** Ctrl+S anywhere on the page; the editor handles it in its own frame. */
function useSaveKey(form: OpenForm): void {
  usePageEvent('keydown', (event) => {
    const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
    if (!isSave || event.altKey || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat && !document.querySelector('dialog[open]')) requestSave(form)
  })
}

type FormPost = Omit<PreviewPost, 'userName' | 'userAvatar'>

/** Shows the text of the form as its page will look, with all images, stored or not. */
function usePreview(form: OpenForm) {
  const { userData } = useViewer()
  const [opened, setOpened] = useState<{ post: FormPost; isFromText: boolean }>()
  function close() {
    setOpened(undefined)
    if (opened?.isFromText) afterDialogs(() => focusText(form.editor))
  }
  return {
    /** `isFromText`: an item of the editor's menus was pressed, which gets no focus back. */
    openPreview: (isFromText = false) => setOpened({ post: readPreview(form), isFromText }),
    preview: opened && userData && (
      <LazyPart
        load={async () => (await import('../reading/post-preview.tsx')).PostPreview}
        props={{
          post: {
            ...opened.post,
            userName: userData.name,
            userAvatar: avatarIdOf(userData.prefs),
          },
          onClose: close,
        }}
        failedText={texts.preview.failed}
        onFailed={() => setOpened(undefined)}
      />
    ),
  }
}

function readPreview(form: OpenForm): FormPost {
  const { fields, post } = form.getState()
  const storedImage = fields.isImageRemoved ? undefined : post?.ownImage
  return {
    slug: fields.slug,
    title: fields.title,
    content: readContent(form),
    cover: fields.image ?? storedImage,
    // Other programs may have stored any other value as `publishedAt`.
    publishedAt: post?.status === 'active' && post.publishedAt ? post.$createdAt : undefined,
  }
}
