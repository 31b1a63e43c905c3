// /admin/posts: everybody's posts, which operators can hide, remove and restore.
import { Eye, EyeOff, Lock, LockOpen, Trash2 } from 'lucide-react'
import { REASON_MAX_CHARS } from '#contract/limits.ts'
import type { OperatorPost, OperatorPosts } from '#contract/operator.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Result, useApi } from '../api/client.ts'
import { setCommentsClosed } from '../comments/comments-api.ts'
import { LocalDate } from '../dates/dates.tsx'
import { PostThumbnail } from '../lists/list-parts.tsx'
import { forgetFeed } from '../lists/post-lists.ts'
import { RowMenu } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { restoreDeleted } from '../posts/history-api.ts'
import { deletePost } from '../posts/posts-api.ts'
import { Button } from '../ui/button.tsx'
import { type Ask, useConfirm } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { hidePost, listPosts } from './admin-api.ts'
import { AdminPage, useAdminData } from './admin-frame.tsx'
import { Done, ListPages, ListQuery, type RowActions, useRowActions } from './list-parts.tsx'

const words = texts.adminPosts

export function AdminPostsPage() {
  const page = useAdminData<OperatorPosts>(listPosts)
  const rows = useRowActions<OperatorPost>(
    page,
    (post, other) =>
      post.state === other.state && post.areCommentsClosed === other.areCommentsClosed,
  )
  const { ask, dialog } = useConfirm()
  const actions = usePostActions(rows, ask)
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
            filters={[{ name: 'state', label: words.state, choices: statesOf(posts) }]}
          />
          {posts.list.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <ul className="box box-list lines admin-posts" ref={rows.list}>
              {posts.list.map((post) => (
                <PostRow key={`${post.$id} ${post.deletedId}`} post={post} actions={actions} />
              ))}
            </ul>
          )}
          <ListPages listPage={posts} />
          {dialog}
        </>
      )}
    </AdminPage>
  )
}

function statesOf({ counts }: OperatorPosts): Record<string, string> {
  return {
    '': words.states.active,
    hidden: words.states.hidden(counts.hidden),
    removed: words.states.removed(counts.removed),
    reported: words.states.reported(counts.reported),
  }
}

type Actions = ReturnType<typeof usePostActions>

function usePostActions(rows: RowActions<OperatorPost>, ask: Ask) {
  const api = useApi()
  const { userData } = useViewer()
  /** Awaits a call that changes the feed; if it succeeds, the tab forgets its stored feed. */
  async function changeFeed(call: Promise<Result<unknown>>): Promise<Result<unknown>> {
    const result = await call
    if (result.ok) forgetFeed()
    return result
  }
  const setHidden = (post: OperatorPost, isHidden: boolean, reason?: string) => () =>
    changeFeed(hidePost(api, post.$id, isHidden, reason))
  const setClosed = (post: OperatorPost, isClosed: boolean) => () =>
    changeFeed(setCommentsClosed(api, post.$id, isClosed))
  return {
    hide(post: OperatorPost) {
      const { title, text, reason: label } = words.hiding
      ask({
        title: title(post.title),
        text,
        confirmLabel: words.hide,
        kind: 'primary',
        isWide: true,
        field: { label, maxLength: REASON_MAX_CHARS },
        onConfirm: (reason) =>
          rows.act(post, setHidden(post, true, reason), {
            doneText: words.hidden(post.title),
            undo: setHidden(post, false),
          }),
      })
    },
    show: (post: OperatorPost) =>
      rows.actAtOnce(post, setHidden(post, false), {
        doneText: words.shown(post.title),
        undo: setHidden(post, true, post.done?.reason),
      }),
    close: (post: OperatorPost, isClosed: boolean) =>
      rows.actAtOnce(post, setClosed(post, isClosed), {
        doneText: words.closed(post.title, isClosed),
        undo: setClosed(post, !isClosed),
      }),
    remove(post: OperatorPost) {
      const { title, text } = words.removing
      // Operators delete their own posts as every author does.
      const removedText = post.userid === userData?.$id ? words.ownRemoved : words.removed
      ask({
        title: title(post.title),
        text,
        confirmLabel: words.remove,
        isWide: true,
        onConfirm: () =>
          rows.act(post, () => changeFeed(deletePost(api, post.$id)), {
            doneText: removedText(post.title),
          }),
      })
    },
    restore: (post: OperatorPost) =>
      rows.actAtOnce(post, () => changeFeed(restoreDeleted(api, post.deletedId)), {
        doneText: words.restored(post.title),
      }),
  }
}

type PostRowProps = { post: OperatorPost; actions: Actions }

function PostRow({ post, actions }: PostRowProps) {
  const { $id, title, state, userName, done, areCommentsClosed } = post
  return (
    <li data-row={$id}>
      <PostThumbnail post={{ $id, title, ownImage: post.featuredImage }} />
      <div>
        <h2 dir="auto">{state === 'removed' ? title : <Link to={`/post/${$id}`}>{title}</Link>}</h2>
        <p className="hint row facts">
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
        <Button aria-label={words.restoreNamed(title)} onClick={() => actions.restore(post)}>
          {words.restore}
        </Button>
      ) : (
        <RowMenu label={texts.adminRows.more(title)}>
          {state === 'active' ? (
            <MenuItem Icon={EyeOff} onPress={() => actions.hide(post)}>
              {words.hide}
            </MenuItem>
          ) : (
            <MenuItem Icon={Eye} onPress={() => actions.show(post)}>
              {words.show}
            </MenuItem>
          )}
          {state === 'active' && (
            <MenuItem
              Icon={areCommentsClosed ? LockOpen : Lock}
              onPress={() => actions.close(post, !areCommentsClosed)}
            >
              {areCommentsClosed ? texts.commentActions.reopen : texts.commentActions.close}
            </MenuItem>
          )}
          <MenuItem Icon={Trash2} isDanger onPress={() => actions.remove(post)}>
            {words.remove}
          </MenuItem>
        </RowMenu>
      )}
    </li>
  )
}
