// What the lists of the dashboard share.
import { type ReactNode, type RefObject, useRef } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { previewOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage, placeholderStyle } from '../posts/featured-image.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { afterDialogs } from '../ui/use-modal.ts'
import { useWhenOnline } from '../ui/use-online.ts'

const THUMB = { width: 104, height: 58 }

type PostThumbnailProps = {
  post: Pick<PostDocument, '$id' | 'title' | 'imageColor'> & { ownImage?: string | undefined }
}

/** The small image of a post. */
export function PostThumbnail({ post }: PostThumbnailProps) {
  const { $id: slug, title, ownImage: fileId, imageColor } = post
  const api = useApi()
  const image = fileId
    ? previewOf(api, api.settings.contentBucketId, { fileId, ...THUMB })
    : undefined
  return (
    <div className="thumbnail" style={placeholderStyle(imageColor)}>
      <FeaturedImage image={image} title={title} slug={slug} />
    </div>
  )
}

/**
 * After a row of a list is gone the focus goes to the next row, else to the heading.
 *
 * @param heading takes the focus when no row is left
 */
export function useRowFocus(heading: RefObject<HTMLElement | null>) {
  const list = useRef<HTMLUListElement>(null)

  /** @param work removes the row; resolves to nothing, or false, when it stays */
  async function focusAfter<Done>(row: string, work: () => Promise<Done>): Promise<Done> {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((one) => one.dataset.row === row)
    const next = rows[at + 1] ?? rows[at - 1]
    const done = await work()
    if (done)
      afterDialogs(() => {
        const target = next?.matches('[tabindex]')
          ? next
          : next?.querySelector<HTMLElement>('a, button')
        ;(target?.isConnected ? target : heading.current)?.focus()
      })
    return done
  }
  return { list, focusAfter }
}

type ListFootProps = {
  hasFailed: boolean
  hasMore: boolean | undefined
  isLoading: boolean
  onPress: () => void
  busyLabel?: string
  children?: ReactNode
}

/** Under a list: the next page, or another try. */
export function ListFoot({ hasFailed, hasMore, children, ...rest }: ListFootProps) {
  const { isLoading, busyLabel = texts.ownPosts.loading, onPress } = rest
  if (!hasFailed && !hasMore) return null
  return (
    <div className="quiet load-more">
      <Button isBusy={isLoading} busyLabel={busyLabel} onClick={onPress}>
        {hasFailed ? texts.actions.tryAgain : texts.actions.loadMore}
      </Button>
      {children}
    </div>
  )
}

/** Tries again by itself when the network is back. */
export function FailedList({ onOnline, children }: { onOnline: () => void; children: string }) {
  useWhenOnline(onOnline)
  return <Alert kind="error">{children}</Alert>
}

export function EmptyBox({ title, hint }: { title: string; hint: string }) {
  return (
    <div className="empty-box">
      <b>{title}</b>
      <span>{hint}</span>
    </div>
  )
}
