// The author's controls on a post: the edit menu and the delete dialog. A chunk of its own, so that
// readers do not load it.
import { Pencil, SquarePen, Trash2, X } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import { useApi } from '../api/client.ts'
import { draftStore } from '../drafts/draft-store.ts'
import { forgetFeed, removeFromLists } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { causeOf, reasonText } from '../posts/failure-cause.ts'
import { restoreJustDeleted } from '../posts/history-api.ts'
import { deletePost } from '../posts/posts-api.ts'
import { IconButton } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx'
import { useToasts } from '../ui/toasts.tsx'

type OwnPost = Pick<PostDocument, '$id' | 'userid'>
type OwnerMenusProps = { post: OwnPost; viewerId?: string | undefined }

/** @param props.viewerId an operator may not be the owner of a page */
export function OwnerMenus({ post, viewerId = post.userid }: OwnerMenusProps) {
  const { ask, dialog } = useConfirm()
  const deletePostHere = useDeletion(post, viewerId)
  const handleDelete = () =>
    ask({
      title: texts.postDeletion.title,
      text: texts.postDeletion.text,
      confirmLabel: texts.postDeletion.confirm,
      onConfirm: deletePostHere,
    })
  return (
    <>
      <Menu
        label={texts.ownerMenus.editMenu}
        title={texts.ownerMenus.edit}
        button={<Pencil className="icon" aria-hidden="true" />}
        buttonClass="btn btn--ghost btn--icon"
        isSheet
      >
        <MenuLink Icon={SquarePen} to={`/edit-post/${post.$id}`}>
          {texts.ownerMenus.edit}
        </MenuLink>
        <MenuItem Icon={X}>{texts.actions.cancel}</MenuItem>
      </Menu>
      <IconButton
        title={texts.ownerMenus.delete}
        label={texts.ownerMenus.deleteMenu}
        aria-haspopup="dialog"
        aria-expanded={dialog !== undefined}
        onClick={handleDelete}
        Icon={Trash2}
      />
      {dialog}
    </>
  )
}

/** @returns a function that deletes the post and leaves its page, or returns why that failed */
function useDeletion(post: OwnPost, viewerId: string) {
  const api = useApi()
  const navigate = useNavigate()
  const toasts = useToasts()

  /** Called by the toast, after the page of the post was left. */
  async function handleRestore() {
    const { open, restored: restoredText, failed } = texts.deletedPosts
    const restored = await restoreJustDeleted(api, post.$id)
    if (!restored.ok)
      return toasts.show({ kind: 'error', text: failed(reasonText(restored.failure)) })
    forgetFeed()
    const { $id, title } = restored.value
    const action = { label: open, onPress: () => void navigate(`/post/${$id}`) }
    toasts.show({ kind: 'ok', text: restoredText(title), action })
  }
  return async function deletePostHere(): Promise<string | undefined> {
    const deleted = await deletePost(api, post.$id)
    const reason = deleted.ok
      ? undefined
      : await causeOf(deleted.failure, viewerId, () => getAccount(api))
    // A 404 means that the post was already deleted in another window.
    if (!reason || reason.code === 404) {
      removeFromLists(post.$id)
      await draftStore.discardAllOfPost({ userId: viewerId, postId: post.$id })
      await navigate('/post', { replace: true })
      const action = { label: texts.deletedPosts.restore, onPress: () => void handleRestore() }
      toasts.show({
        kind: 'ok',
        text: texts.postDeletion.done,
        ...(viewerId === post.userid && { action }),
      })
      return undefined
    }
    const text = reasonText(reason)
    return [401, 429].includes(reason.code) ? text : texts.postDeletion.failed(text)
  }
}
