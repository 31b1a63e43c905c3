// /admin/posts: the posts of everybody, hiding, removing and bringing them back.
import { Eye, EyeOff, Lock, LockOpen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OperatorPost, OperatorPosts } from '#contract/operator.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { setCommentsClosed } from '../comments/comments-api.ts'
import { LocalDate } from '../dates/dates.tsx'
import { PostThumbnail } from '../lists/list-parts.tsx'
import { forgetFeed } from '../lists/post-lists.ts'
import { RowMenu, RowMenuItem } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { restoreDeleted } from '../posts/history-api.ts'
import { deletePost } from '../posts/posts-api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { hidePost, listPosts } from './admin-api.ts'
import { AdminPage, useAdminData } from './admin-frame.tsx'
import { Done, ListPages, ListQuery, ReasonField, useRowActions } from './list-parts.tsx'

const words = texts.adminPosts

/** What is asked before it is done. */
type Asked = { about: 'hide' | 'remove'; post: OperatorPost }

export function AdminPostsPage() {
  const page = useAdminData<OperatorPosts>(listPosts)
  const rows = useRowActions<OperatorPost, OperatorPosts>(
    page,
    (one, other) => one.state === other.state && one.areCommentsClosed === other.areCommentsClosed,
  )
  const actions = usePostActions(rows)
  const [asked, setAsked] = useState<Asked>()
  return (
    <AdminPage
      title={words.title}
      lead={page.value && words.lead(page.value.counts.active)}
      heading={rows.heading}
      page={page}
    >
      {(posts) => (
        <>
          <ListQuery
            label={words.search}
            placeholder={words.searchHint}
            filters={[{ name: 'state', label: words.which, choices: statesOf(posts) }]}
          />
          {posts.list.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <ul className="box box-list lines admin-posts" ref={rows.list}>
              {posts.list.map((post) => (
                <PostRow
                  key={`${post.$id} ${post.deletedId}`}
                  post={post}
                  actions={actions}
                  onAsk={setAsked}
                />
              ))}
            </ul>
          )}
          <ListPages of={posts} />
          {asked && (
            <AskAbout asked={asked} actions={actions} onClose={() => setAsked(undefined)} />
          )}
        </>
      )}
    </AdminPage>
  )
}

function statesOf({ counts }: OperatorPosts): Record<string, string> {
  return {
    '': words.allActive,
    hidden: words.hiddenOnes(counts.hidden),
    removed: words.removedOnes(counts.removed),
    reported: words.reportedOnes(counts.reported),
  }
}

type Actions = ReturnType<typeof usePostActions>

function usePostActions(rows: ReturnType<typeof useRowActions<OperatorPost, OperatorPosts>>) {
  const api = useApi()
  const toasts = useToasts()
  const { userData } = useViewer()
  // Of the operator's own it is deleted as by every author.
  const isOwn = ({ userid }: OperatorPost) => userid === userData?.$id
  function say(text: string, onPress?: () => void): void {
    forgetFeed()
    const action = onPress && { label: texts.adminRows.undo, onPress }
    toasts.show({ kind: 'ok', text, ...(action && { action }) })
  }
  return {
    /** @returns why it was not done, as the others do */
    async hide(post: OperatorPost, reason: string): Promise<string | undefined> {
      const failed = await rows.change(post, () => hidePost(api, post.$id, true, reason))
      if (!failed)
        say(words.hidden(post.title), () => void rows.undo(() => hidePost(api, post.$id, false)))
      return failed
    },
    async show(post: OperatorPost): Promise<void> {
      const { reason = '' } = post.done ?? {}
      if (await rows.tryChange(post, () => hidePost(api, post.$id, false)))
        say(
          words.shown(post.title),
          () => void rows.undo(() => hidePost(api, post.$id, true, reason)),
        )
    },
    async close(post: OperatorPost, isClosed: boolean): Promise<void> {
      const set = (closed: boolean) => setCommentsClosed(api, post.$id, closed)
      if (await rows.tryChange(post, () => set(isClosed)))
        say(words.closed(post.title, isClosed), () => void rows.undo(() => set(!isClosed)))
    },
    async remove(post: OperatorPost): Promise<string | undefined> {
      const failed = await rows.change(post, () => deletePost(api, post.$id))
      if (!failed) say((isOwn(post) ? words.ownRemoved : words.removed)(post.title))
      return failed
    },
    async restore(post: OperatorPost): Promise<void> {
      if (await rows.tryChange(post, () => restoreDeleted(api, post.deletedId)))
        say(words.restored(post.title))
    },
  }
}

type PostRowProps = { post: OperatorPost; actions: Actions; onAsk: (asked: Asked) => void }

function PostRow({ post, actions, onAsk }: PostRowProps) {
  const { $id, title, state, userName, done, areCommentsClosed } = post
  return (
    <li data-row={$id}>
      <PostThumbnail post={{ $id, title, ownImage: post.featuredImage }} />
      <div>
        <h2 dir="auto">{state === 'removed' ? title : <Link to={`/post/${$id}`}>{title}</Link>}</h2>
        <p className="row facts">
          <bdi>{userName}</bdi>
          <span className={state === 'active' ? 'chip chip--on' : 'chip'}>
            {words.chips[state]}
          </span>
          {done ? <Done done={done} /> : <LocalDate time={post.$createdAt} />}
          {state === 'active' && <span>{words.counts(post.like, post.comments)}</span>}
          {post.expire && <span>{words.keptUntil(<LocalDate time={post.expire} />)}</span>}
        </p>
      </div>
      {state === 'removed' ? (
        <Button aria-label={words.restoreNamed(title)} onClick={() => void actions.restore(post)}>
          {words.restore}
        </Button>
      ) : (
        <RowMenu label={texts.adminRows.more(title)}>
          {state === 'active' ? (
            <RowMenuItem Icon={EyeOff} onPress={() => onAsk({ about: 'hide', post })}>
              {words.hide}
            </RowMenuItem>
          ) : (
            <RowMenuItem Icon={Eye} onPress={() => void actions.show(post)}>
              {words.show}
            </RowMenuItem>
          )}
          {state === 'active' && (
            <RowMenuItem
              Icon={areCommentsClosed ? LockOpen : Lock}
              onPress={() => void actions.close(post, !areCommentsClosed)}
            >
              {areCommentsClosed ? texts.commentActions.reopen : texts.commentActions.close}
            </RowMenuItem>
          )}
          <RowMenuItem Icon={Trash2} isDanger onPress={() => onAsk({ about: 'remove', post })}>
            {words.remove}
          </RowMenuItem>
        </RowMenu>
      )}
    </li>
  )
}

type AskAboutProps = { asked: Asked; actions: Actions; onClose: () => void }

function AskAbout({ asked: { about, post }, actions, onClose }: AskAboutProps) {
  const [reason, setReason] = useState('')
  const isHiding = about === 'hide'
  const { title, text } = isHiding ? words.hiding : words.removing
  async function handleConfirm() {
    const failed = await (isHiding ? actions.hide(post, reason.trim()) : actions.remove(post))
    if (!failed) onClose()
    return failed
  }
  return (
    <ConfirmDialog
      title={title(post.title)}
      confirmLabel={isHiding ? words.hide : words.remove}
      kind={isHiding ? 'primary' : 'danger'}
      isWide
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      <p>{text}</p>
      {isHiding && <ReasonField label={words.hiding.reason} value={reason} onChange={setReason} />}
    </ConfirmDialog>
  )
}
