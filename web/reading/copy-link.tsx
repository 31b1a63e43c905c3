// Copies the address of a post. Without scripts it is not there (after-post.css).
import { Link as LinkIcon } from 'lucide-react'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { usePublicPath } from '../posts/post-paths.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { Button } from '../ui/button.tsx'
import { useToasts } from '../ui/toasts.tsx'

type CopyLinkProps = {
  post: Pick<PagePost, '$id' | 'title'>
  isPill?: boolean
  /** The post is gone. */
  isOff: boolean
}

export function CopyLink({ post, isPill = false, isOff }: CopyLinkProps) {
  const { client } = useApi()
  const copy = useCopying()
  const address = new URL(usePublicPath()(post), client.config.endpoint).href
  const { link, linkCopied } = texts.copying
  return (
    <Button
      className={isPill ? 'copy-link btn--pill' : 'copy-link'}
      title={isPill ? link : undefined}
      aria-disabled={isOff}
      onClick={() => void copy(address, linkCopied)}
    >
      <LinkIcon className={isPill ? 'icon' : 'icon icon--small'} aria-hidden="true" />
      <span>{link}</span>
    </Button>
  )
}

// Puts a text on the clipboard and says so.

export function useCopying(): (text: string, done: string) => Promise<void> {
  const toasts = useToasts()
  return async (text, done) => {
    const isCopied = await copyText(text)
    toasts.show(
      isCopied ? { kind: 'ok', text: done } : { kind: 'error', text: texts.copying.failed },
    )
  }
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** The way of old, for addresses without https, where there is no clipboard. */
function copySelected(text: string): boolean {
  const opener = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  return isCopied
}
