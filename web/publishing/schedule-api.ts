// Ending and restoring the schedule of a post, with a toast that offers to undo it.
import type { PostDocument } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { setPublishedAt } from '../posts/posts-api.ts'
import type { useToasts } from '../ui/toasts.tsx'

const words = texts.scheduled

type Scheduled = Pick<PostDocument, '$id' | 'title' | 'publishedAt'>
type Changes = {
  api: Api
  toasts: ReturnType<typeof useToasts>
  /** Called with the post as it is stored, after the schedule has ended or begun again. */
  onChanged: (post: PostDocument) => void
}

/** @returns whether the schedule has ended */
export async function cancelSchedule(scheduled: Scheduled, changes: Changes): Promise<boolean> {
  const isCancelled = await save(scheduled, null, changes)
  if (isCancelled)
    changes.toasts.show({
      kind: 'ok',
      text: words.cancelled(scheduled.title),
      action: {
        label: words.undo,
        onPress: () => void save(scheduled, scheduled.publishedAt, changes),
      },
    })
  return isCancelled
}

async function save(
  { $id }: Scheduled,
  publishedAt: string | null,
  { api, toasts, onChanged }: Changes,
): Promise<boolean> {
  const saved = await setPublishedAt(api, $id, publishedAt)
  if (saved.ok) onChanged(saved.value)
  const isPublished = saved.ok && saved.value.status === 'active'
  const isDone = saved.ok && !isPublished
  const text = isPublished ? words.alreadyPublished : words.notCancelled
  if (!isDone) toasts.show({ kind: 'error', text })
  return isDone
}
