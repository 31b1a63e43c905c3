// Copies the address of a post. Without scripts it is not there (after-post.css).

import { Link as LinkIcon } from 'lucide-react'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { useCopying } from './use-copying.ts'

type CopyLinkProps = {
  slug: string
  isPill?: boolean
  /** The post is gone. */
  isOff: boolean
}

export function CopyLink({ slug, isPill = false, isOff }: CopyLinkProps) {
  const { client } = useApi()
  const copy = useCopying()
  const { link, linkCopied } = texts.copying
  return (
    <Button
      kind="secondary"
      className={isPill ? 'copy-link btn--pill' : 'copy-link'}
      title={isPill ? link : undefined}
      aria-disabled={isOff}
      onClick={() => void copy(new URL(`/post/${slug}`, client.config.endpoint).href, linkCopied)}
    >
      <LinkIcon className={isPill ? 'icon' : 'icon icon--small'} aria-hidden="true" />
      <span>{link}</span>
    </Button>
  )
}
