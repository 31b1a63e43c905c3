// Shows one version of a post as its page would look.
import { useState } from 'react'
import type { PostVersion } from '#contract/history.ts'
import { avatarOf } from '../accounts/avatar-address.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { getVersion } from '../posts/history-api.ts'
import { getPost } from '../posts/posts-api.ts'
import { PostPreview, type PreviewPost } from '../reading/post-preview.tsx'
import { Button } from '../ui/button.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { reasonText } from './use-own.ts'
import { versionTime } from './version-texts.ts'

const { versionList, readingVersion } = texts

type ReadButtonProps = { slug: string; version: PostVersion }

export function ReadButton({ slug, version }: ReadButtonProps) {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)
  const [shown, setShown] = useState<PreviewPost>()
  const time = versionTime(version)

  async function handlePress() {
    if (isBusy) return
    setBusy(true)
    // Title and text are those of the version; versions keep no featured image.
    const [read, post] = await Promise.all([getVersion(api, slug, version.$id), getPost(api, slug)])
    setBusy(false)
    const failed = !read.ok ? read.failure : !post.ok ? post.failure : undefined
    if (failed?.code === 401) void refresh()
    if (failed) {
      const isGone = [400, 404].includes(failed.code)
      const text = readingVersion.failed(isGone ? readingVersion.gone : reasonText(failed))
      return toasts.show({ kind: 'error', text })
    }
    if (!read.ok || !post.ok) return
    const { title, content } = read.value
    const { ownImage: cover, $createdAt: createdAt } = post.value
    const { name: userName = '', prefs = {} } = userData ?? {}
    const author = { userName, userAvatar: avatarOf(prefs) }
    setShown({ slug, title, content, cover, createdAt, ...author })
  }
  return (
    <>
      <Button
        kind="ghost"
        aria-haspopup="dialog"
        aria-label={versionList.readOf(time)}
        isBusy={isBusy}
        busyLabel={versionList.read}
        onClick={() => void handlePress()}
      >
        {versionList.read}
      </Button>
      {shown && (
        <PostPreview
          post={shown}
          note={readingVersion.note(time)}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}
