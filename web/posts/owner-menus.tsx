// What only the author sees on a post: the edit menu and the delete question. Loaded apart, so that readers do not pay for it.

import { Pencil, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/api-context.tsx'
import type { Failure } from '../api/outcomes.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { dropFromFeed } from './feed-pages.ts'
import { deletePost } from './posts-api.ts'

export function OwnerMenus({ post }: { post: PostDocument }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Menu label="Edit menu" title="Edit" button={<Pencil className="i" aria-hidden="true" />} buttonClass="btn btn--ghost btn--icon" isSheet>
        <Link role="menuitem" tabIndex={-1} to={`/edit-post/${post.$id}`}>
          <Pencil className="i" aria-hidden="true" />
          Edit
        </Link>
        <button role="menuitem" tabIndex={-1} type="button">
          <X className="i" aria-hidden="true" />
          Cancel
        </button>
      </Menu>
      <button
        className="btn btn--ghost btn--icon"
        type="button"
        title="Delete"
        aria-label="Delete menu"
        aria-haspopup="dialog"
        aria-expanded={isAsking}
        onClick={() => setAsking(true)}
      >
        <Trash2 className="i" aria-hidden="true" />
      </button>
      {isAsking && <DeleteQuestion post={post} onClose={() => setAsking(false)} />}
    </>
  )
}

function DeleteQuestion({ post, onClose }: { post: PostDocument; onClose: () => void }) {
  const api = useApi()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [isDeleting, setDeleting] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()

  async function handleConfirm() {
    setDeleting(true)
    setFailure(undefined)
    let reported: Failure | undefined
    const isDone = await deletePost(api, post.$id, (reason) => {
      reported = reason
    })
    // Deleted meanwhile, in another window: what was asked for is so.
    if (isDone || reported?.code === 404) {
      dropFromFeed(post.$id)
      await navigate('/post', { replace: true })
      toasts.show({ kind: 'ok', text: 'Post deleted.' })
      return
    }
    setDeleting(false)
    setFailure(reported)
  }

  return (
    <ConfirmDialog
      title="Delete this post?"
      confirmLabel="Confirm Delete"
      cancelLabel="Cancel"
      isBusy={isDeleting}
      error={failure && deleteFailureText(failure)}
      onConfirm={() => void handleConfirm()}
      onCancel={onClose}
    >
      The post and its image go for good. This cannot be undone.
    </ConfirmDialog>
  )
}

function deleteFailureText({ code, message }: Failure): string {
  if (code === 0) return 'The post was not deleted. Check your connection and try again.'
  if (code === 429) return 'Too many tries. Wait a minute.'
  return `The post was not deleted. ${message}`
}
