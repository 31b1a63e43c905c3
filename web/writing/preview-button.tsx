// Shows the text of the form as its page will look, its images stored or not.
import { Eye } from 'lucide-react'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { avatarOf } from '../accounts/avatar-address.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import type { PostPreview, PreviewPost } from '../reading/post-preview.tsx'
import { Button } from '../ui/button.tsx'
import { useToasts } from '../ui/toasts.tsx'

type Preview = ComponentType<ComponentProps<typeof PostPreview>>
type FormPost = Omit<PreviewPost, 'userName' | 'userAvatar'>

/** @param read what stands in the form now */
export function PreviewButton({ read }: { read: () => FormPost }) {
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
