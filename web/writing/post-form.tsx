// The form in which a post is written or changed.
import { Eye, History } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { type Blocker, useBlocker } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { avatarOf } from '../accounts/avatar-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { versionsPath } from '../posts/post-paths.ts'
import type { PostPreview, PreviewPost } from '../reading/post-preview.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { loadCode } from '../ui/load-code.ts'
import { useToasts } from '../ui/toasts.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'
import type { ConflictDialogProps } from './conflict-dialog.tsx'
import { ContentField } from './content-field.tsx'
import { useDrawnCover } from './draw-cover.ts'
import { FeaturedImageField, SlugField, StatusField, TitleField } from './form-fields.tsx'
import { FormMessages } from './form-messages.tsx'
import { SavingParts, savedTextOf } from './saving-parts.tsx'
import { TagsField } from './tags-field.tsx'
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
      <FormMessages form={form} opened={post} />
      {conflict && (
        <LateConflictDialog
          conflict={conflict}
          onKeepOwn={form.keepOwn}
          onTakeSaved={form.takeSaved}
          onLater={form.decideLater}
        />
      )}
      {/* Without a submit button: Enter in a field publishes nothing. */}
      <form
        className="stack post-form"
        noValidate
        aria-label={name}
        aria-busy={isSaving || undefined}
        onSubmit={(event) => event.preventDefault()}
      >
        <div className="stack">
          <TitleField form={form} problem={cover.titleProblem} />
          <SlugField form={form} />
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
        <div className="stack post-form__side">
          <div className="box stack panel">
            <FeaturedImageField form={form} drawing={cover.drawing} />
            <StatusField form={form} />
            <SavingParts form={form} isNew={post === undefined} />
          </div>
        </div>
      </form>
    </>
  )
}

/** Ctrl+S anywhere on the page; in the editor's frame the editor hears it. */
function useSaveKey(save: () => void): void {
  usePageEvent('keydown', (event) => {
    const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
    if (!isSave || event.altKey || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat && !document.querySelector('dialog[open]')) save()
  })
}

// The head of the form's page: its title, and what can be done with the text besides writing it.

function FormHead({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="apart page-head">
      <h1>{name}</h1>
      <div className="row page-head__tools">{children}</div>
    </div>
  )
}

// Shows the text of the form as its page will look, its images stored or not.

type Preview = ComponentType<ComponentProps<typeof PostPreview>>
type FormPost = Omit<PreviewPost, 'userName' | 'userAvatar'>

/** @param read what stands in the form now */
function PreviewButton({ read }: { read: () => FormPost }) {
  const { userData } = useViewer()
  const toasts = useToasts()
  const [Loaded, setLoaded] = useState<Preview | undefined>()
  const [shown, setShown] = useState<FormPost | undefined>()

  async function handlePress() {
    try {
      const { PostPreview: Preview } = await import('../reading/post-preview.tsx')
      setLoaded(() => Preview)
      setShown(read())
    } catch {
      toasts.show({ kind: 'error', text: texts.preview.failed })
    }
  }
  return (
    <>
      <Button kind="ghost" aria-haspopup="dialog" onClick={() => void handlePress()}>
        <Eye className="icon" aria-hidden="true" />
        {texts.preview.title}
      </Button>
      {Loaded && shown && userData && (
        <Loaded
          post={{ ...shown, userName: userData.name, userAvatar: avatarOf(userData.prefs) }}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}

// Loads the two versions of a post side by side when they are to be shown: few writers see them
// ever.

/** When it cannot be loaded, that is said, and the decision is left for later. */
function LateConflictDialog(props: ConflictDialogProps) {
  const { show } = useToasts()
  const [Dialog, setDialog] = useState<ComponentType<ConflictDialogProps> | undefined>()
  const leave = useEffectEvent(props.onLater)
  useEffect(() => {
    let isGone = false
    loadCode(() => import('./conflict-dialog.tsx')).then(
      ({ ConflictDialog }) => setDialog(() => ConflictDialog),
      () => {
        if (isGone) return
        show({ kind: 'error', text: texts.failures.appMissing })
        leave()
      },
    )
    return () => {
      isGone = true
    }
  }, [show])
  return Dialog && <Dialog {...props} />
}

// From the form of a post to its versions.

function VersionsLink({ slug }: { slug: string }) {
  return (
    <Link className={buttonClass('ghost')} to={versionsPath(slug)}>
      <History className="icon icon--small" aria-hidden="true" />
      {texts.versionList.title}
    </Link>
  )
}

// Asks before the form is left with unsaved text, inside the app and when the page is closed.
// Leaving does not stop a save that is under way: a toast says how it ended.

/**
 * @param isUnsaved called at the moment of leaving, because a successful save navigates before the
 *   form is rendered again
 * @param onLeave called as soon as the person has chosen to leave; the next page may take a while
 */
function LeaveGuard({
  isUnsaved,
  isSaving,
  onLeave,
}: {
  isUnsaved: () => boolean
  isSaving: boolean
  onLeave: () => void
}) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && isUnsaved(),
  )
  usePageEvent('beforeunload', (event) => {
    if (isUnsaved()) event.preventDefault()
  })

  // The router's state is rendered later than the press: another one in between changes nothing.
  const answered = useRef<Blocker>(undefined)
  if (blocker.state !== 'blocked') return null
  function answerOnce(answer: () => void): undefined {
    if (answered.current === blocker) return
    answered.current = blocker
    answer()
  }
  const { title, text } = isSaving ? texts.leavingWhileSaving : texts.leaving
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={texts.leaving.leave}
      cancelLabel={texts.actions.keepWriting}
      onConfirm={() =>
        answerOnce(() => {
          onLeave()
          blocker.proceed()
        })
      }
      onCancel={() => answerOnce(() => blocker.reset())}
    >
      {text}
    </ConfirmDialog>
  )
}
