// Parts of lists: the frame of a list that grows page by page, the focus after a row is removed,
// thumbnails.
import { type ReactNode, type RefObject, useRef } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { previewOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage, placeholderStyle } from '../posts/featured-image.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { afterDialogs } from '../ui/use-modal.ts'
import { useWhenOnline } from '../ui/use-online.ts'

const THUMBNAIL = { width: 104, height: 58 }

type PostThumbnailProps = {
  post: Pick<PostDocument, '$id' | 'title' | 'imageColor'> & { ownImage?: string | undefined }
}

export function PostThumbnail({ post }: PostThumbnailProps) {
  const { $id: slug, title, ownImage: fileId, imageColor } = post
  const api = useApi()
  const image = fileId
    ? previewOf(api, api.settings.contentBucketId, { fileId, ...THUMBNAIL })
    : undefined
  return (
    <div className="thumbnail" style={placeholderStyle(imageColor)}>
      <FeaturedImage image={image} title={title} slug={slug} />
    </div>
  )
}

/**
 * Moves the focus after a row is removed: to the next row, or the previous one, or the heading.
 *
 * @param heading takes the focus when no row is left
 */
export function useRowFocus(heading: RefObject<HTMLElement | null>) {
  const list = useRef<HTMLUListElement>(null)

  /** @param remove removes the row; resolves to a falsy value when the row stays */
  async function focusAfter<Outcome>(
    rowId: string,
    remove: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const index = rows.findIndex(({ dataset }) => dataset.row === rowId)
    const neighbour = rows[index + 1] ?? rows[index - 1]
    const outcome = await remove()
    if (outcome)
      afterDialogs(() => {
        const target = neighbour?.matches('[tabindex]')
          ? neighbour
          : neighbour?.querySelector<HTMLElement>('a, button')
        ;(target?.isConnected ? target : heading.current)?.focus()
      })
    return outcome
  }
  return { list, focusAfter }
}

type GrowingListProps = {
  /** Undefined until the first page is loaded. */
  rows: readonly unknown[] | undefined
  /** Shown instead of a list without rows. */
  empty: ReactNode
  loadingText: string
  /** Why the first or the next page did not load. */
  failureText: string | undefined
  hasMore: boolean | undefined
  isLoading: boolean
  busyLabel?: string
  /** Loads the first page, the next one, or the one that failed. */
  onLoad: () => void
  /** Shown under the button. */
  note?: ReactNode
  children: ReactNode
}

/** A list that grows page by page: its rows, or a message as long as it has none. */
export function GrowingList(props: GrowingListProps) {
  const { rows, empty, loadingText, failureText, hasMore, isLoading, onLoad, note, children } =
    props
  const { busyLabel = texts.ownPosts.loading } = props
  return (
    <>
      {rows && rows.length > 0 && children}
      {rows?.length === 0 && !hasMore && !failureText && empty}
      {failureText && <FailedList onOnline={onLoad}>{failureText}</FailedList>}
      {!rows && !failureText && <LoadingText>{loadingText}</LoadingText>}
      {(failureText || hasMore) && (
        <div className="quiet load-more">
          <Button isBusy={isLoading} busyLabel={busyLabel} onClick={onLoad}>
            {failureText ? texts.actions.tryAgain : texts.actions.loadMore}
          </Button>
          {note}
        </div>
      )}
    </>
  )
}

/** Shows the failure, and tries again when the network is back. */
function FailedList({ onOnline, children }: { onOnline: () => void; children: string }) {
  useWhenOnline(onOnline)
  return <Alert kind="error">{children}</Alert>
}

type EmptyBoxProps = { title: string; hint: string; children?: ReactNode }

export function EmptyBox({ title, hint, children }: EmptyBoxProps) {
  return (
    <div className="empty-box">
      <b>{title}</b>
      <span>{hint}</span>
      {children}
    </div>
  )
}
