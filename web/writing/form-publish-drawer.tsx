// The drawer "Publish" of an open form: its fields are fields of the form, and its button saves the
// whole form at once.
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { avatarIdOf } from '../accounts/avatar-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { scheduledTimeOf } from '../posts/posts-api.ts'
import { type PublishDecision, PublishDrawer } from '../publishing/publish-drawer.tsx'
import { sharedImageOf } from '../publishing/share-card.tsx'
import { deriveBodyMetadata } from '../reading/body-metadata.ts'
import { Button } from '../ui/button.tsx'
import { useObjectUrl } from '../ui/use-object-url.ts'
import { drawCover, drawnBackground } from './draw-cover.ts'
import { changeFields, type OpenForm, readContent } from './open-form.ts'
import { hasImage } from './post-form-reducer.ts'
import { cancelSave } from './save-draft.ts'
import { submit } from './submit-post.ts'
import type { FormProps } from './use-post-form.ts'

type FormPublishDrawerProps = FormProps & { onPreview: () => void }

export function FormPublishDrawer({ form, state, onPreview }: FormPublishDrawerProps) {
  const { fields, post, isSaving, isOffline, failure, conflict, problems } = state
  const { userData, signedOutUser } = useViewer()
  const author = userData ?? signedOutUser
  const image = useSharedImage({ form, state })
  const [body] = useState(() => deriveBodyMetadata(readContent(form)))
  const [openedAt] = useState(() => new Date().toISOString())
  const close = () => form.dispatch({ type: 'publishClosed' })
  // What else stands in the way is shown by the form.
  const isBlocked = conflict !== undefined || Object.keys(problems).length > 0
  useEffect(() => {
    if (isBlocked) form.dispatch({ type: 'publishClosed' })
  }, [form, isBlocked])

  const isActive = post?.status === 'active'
  const storedTime = post && scheduledTimeOf(post)
  const scheduledAt =
    fields.publishedAt === undefined ? storedTime : (fields.publishedAt ?? undefined)
  const shownFailure = isOffline ? (
    <>
      {texts.saving.offline}{' '}
      <Button className="btn--in-text" onClick={() => cancelSave(form)}>
        {texts.saving.cancel}
      </Button>
    </>
  ) : (
    failure?.text
  )
  return (
    <PublishDrawer
      post={{
        title: fields.title,
        image,
        minutes: body.minutes,
        beginning: body.description,
        isActive,
        isPage: state.isPage,
        userName: author?.name ?? '',
        userAvatar: author ? avatarIdOf(author.prefs) : undefined,
        publishedAt: isActive ? post.$createdAt : (scheduledAt ?? openedAt),
      }}
      details={fields.details}
      publishedAt={isActive ? undefined : scheduledAt}
      isBusy={isSaving}
      failure={shownFailure}
      preview={
        <Button aria-haspopup="dialog" onClick={onPreview}>
          <Eye className="icon icon--small" aria-hidden="true" />
          {texts.preview.title}
        </Button>
      }
      onChange={(changes) =>
        changeFields(form, { details: { ...form.getState().fields.details, ...changes } })
      }
      onConfirm={(decision) => void publish(form, decision)}
      onClose={close}
    />
  )
}

/** The address of the picture with which links are shown; undefined for the drawn card. */
function useSharedImage({ state: { fields, post } }: FormProps): string | undefined {
  const api = useApi()
  const isDrawn = drawnBackground(fields.image) !== undefined
  const chosen = useObjectUrl(isDrawn ? undefined : fields.image)
  if (fields.image) return chosen
  return fields.isImageRemoved ? undefined : sharedImageOf(api, post?.ownImage)
}

/** Saves the form with this decision; a post without a picture gets its drawn cover. */
async function publish(form: OpenForm, { status, publishedAt }: PublishDecision): Promise<void> {
  const { fields, isPage } = form.getState()
  const isPublic = status === 'active' || publishedAt !== null
  if (isPublic && !isPage && !hasImage(form.getState())) {
    const image = await drawCover(fields)
    if (image) changeFields(form, { image })
  }
  changeFields(form, { status, publishedAt })
  const wasActive = form.getState().post?.status === 'active'
  submit(form, { showsPublished: isPublic && !wasActive && !isPage })
}
