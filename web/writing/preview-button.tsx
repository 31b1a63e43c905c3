// Shows the text of the form as its page will look, with all images, stored or not.
import { Eye } from 'lucide-react'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { avatarIdOf } from '../accounts/avatar-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import type { PostPreview, PreviewPost } from '../reading/post-preview.tsx'
import { Button, type ButtonKind } from '../ui/button.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { type OpenForm, readContent } from './open-form.ts'

type Preview = ComponentType<ComponentProps<typeof PostPreview>>
type FormPost = Omit<PreviewPost, 'userName' | 'userAvatar'>

export function PreviewButton({ form, kind }: { form: OpenForm; kind: ButtonKind }) {
  const { userData } = useViewer()
  const toasts = useToasts()
  const [preview, setPreview] = useState<{ Preview: Preview; post: FormPost }>()

  async function handlePress() {
    try {
      const { PostPreview: Preview } = await import('../reading/post-preview.tsx')
      setPreview({ Preview, post: readPreview(form) })
    } catch {
      toasts.show({ kind: 'error', text: texts.preview.failed })
    }
  }
  return (
    <>
      <Button kind={kind} aria-haspopup="dialog" onClick={() => void handlePress()}>
        <Eye className="icon" aria-hidden="true" />
        {texts.preview.title}
      </Button>
      {preview && userData && (
        <preview.Preview
          post={{
            ...preview.post,
            userName: userData.name,
            userAvatar: avatarIdOf(userData.prefs),
          }}
          onClose={() => setPreview(undefined)}
        />
      )}
    </>
  )
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
