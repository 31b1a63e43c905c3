// Copies the address of a post. Hidden without scripts (after-post.css).
import { Link as LinkIcon } from 'lucide-react'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { usePublicPath } from '../posts/post-paths.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { Button } from '../ui/button.tsx'
import { useCopying } from '../ui/copying.ts'

type CopyLinkProps = {
  post: Pick<PagePost, '$id' | 'title'>
  isPill?: boolean
  /** The post is no longer available. */
  isUnavailable: boolean
}

export function CopyLink({ post, isPill = false, isUnavailable }: CopyLinkProps) {
  const { client } = useApi()
  const copy = useCopying()
  const address = new URL(usePublicPath()(post), client.config.endpoint).href
  const { link, linkCopied } = texts.copying
  return (
    <Button
      className={isPill ? 'copy-link btn--pill' : 'copy-link'}
      title={isPill ? link : undefined}
      aria-disabled={isUnavailable}
      onClick={() => void copy(address, linkCopied)}
    >
      <LinkIcon className={isPill ? 'icon' : 'icon icon--small'} aria-hidden="true" />
      <span>{link}</span>
    </Button>
  )
}
