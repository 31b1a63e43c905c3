// The comments on a post: the server renders them for reading; the parts for writing appear once
// their code is loaded.
import { Lock, Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import {
  COMMENT_ORDERS,
  COMMENTS_PAGE,
  type CommentDocument,
  type CommentOrder,
} from '#contract/comments.ts'
import { commentElementId } from '#contract/post-url.ts'
import { nextQueryOf } from '../accounts/return-path.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { COMMENTS_TITLE_ID } from '../shell/shortcuts.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink, buttonClass } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { loadWhenOnline } from '../ui/load-code.ts'
import { LoadingText } from '../ui/screens.tsx'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { CommentList, NewCommentsButton, searchOfPage, type WritingParts } from './comment-list.tsx'
import { withAllAdded } from './comment-page.ts'
import { UnfoldButton } from './comment-text.tsx'
import type { ShownComments } from './comments-api.ts'
import type { OpenField } from './discussion.ts'
import {
  COMMENT_LIST_ID,
  COMMENTS_ID,
  type Comments,
  type InitialComments,
  useComments,
  WRITE_ID,
} from './use-comments.ts'
import { useLiveComments } from './use-live-comments.ts'

const words = texts.comments
const numberFormat = new Intl.NumberFormat(texts.language)

type SectionProps = {
  post: Pick<PagePost, '$id' | 'title' | 'userid'>
  initial: InitialComments
}

export function CommentsSection({ post, initial }: SectionProps) {
  const comments = useComments(post.$id, initial)
  const { page, isFailed, retry } = comments
  if (page?.state === 'off') return null
  return (
    <section className="comments" id={COMMENTS_ID} aria-labelledby={COMMENTS_TITLE_ID}>
      <div className="apart comments__head">
        <h2 id={COMMENTS_TITLE_ID} tabIndex={-1}>
          {words.title}{' '}
          {page && page.total > 0 && (
            <span className="comments__count">{numberFormat.format(page.total)}</span>
          )}
        </h2>
        {page && page.total > 1 && !page.thread && <OrderChoice comments={comments} />}
      </div>
      {page && <Conversation key={post.$id} post={post} comments={comments} page={page} />}
      {isFailed && (
        <>
          <Alert kind="error">{words.failed}</Alert>
          <p>
            <Button onClick={retry}>{texts.actions.tryAgain}</Button>
          </p>
        </>
      )}
      {!page && !isFailed && <LoadingText>{words.loading}</LoadingText>}
    </section>
  )
}

function OrderChoice({ comments: { order, chooseOrder } }: { comments: Comments }) {
  return (
    <SelectField
      label={<span className="visually-hidden">{words.order}</span>}
      choices={COMMENT_ORDERS.map((value) => [value, words.orders[value]] as const)}
      value={order}
      onChange={(value) => chooseOrder(value as CommentOrder)}
    />
  )
}

type ConversationProps = Pick<SectionProps, 'post'> & { comments: Comments; page: ShownComments }

function Conversation({ post, comments, page }: ConversationProps) {
  const { userData: viewer } = useViewer()
  const ownIds = useRef(new Set<string>())
  const live = useLiveComments(comments, (id) => ownIds.current.has(id))
  const [openField, setOpenField] = useState<OpenField>()
  const writing = useWritingParts(viewer !== null && (page.canWrite || page.canModerate))
  const showNewComments = useShowNewComments(comments, live.forget)
  useScrollToHighlighted(comments)
  const recordOwnId = (id: string) => ownIds.current.add(id)
  const discussion = viewer
    ? { post, viewer, comments, page, openField, setOpenField, recordOwnId }
    : undefined
  const isLong = page.pages > 1 || page.thread !== ''
  const field = (
    <NewCommentArea page={page}>
      {discussion && writing && <writing.NewField discussion={discussion} />}
    </NewCommentArea>
  )
  const { servedHtml } = comments
  // The button that shows a new reply is below the comment it answers, if the app rendered that
  // comment. The button for all other new comments is at the end.
  const isAtEnd = ({ parentId }: CommentDocument) =>
    servedHtml !== undefined || !page.comments.some(({ $id }) => $id === parentId)
  const newAtEnd = live.newComments.filter(isAtEnd)
  const list = (
    <CommentList
      page={page}
      comments={comments}
      authorId={post.userid}
      viewerId={viewer?.$id}
      newComments={live.newComments}
      onShow={(newComments) => void showNewComments(newComments)}
      discussion={discussion}
      writing={writing}
    />
  )
  return (
    <>
      {isLong && <JumpLinks page={page} />}
      {discussion && page.canModerate && writing && <writing.Panel discussion={discussion} />}
      {!isLong && field}
      {servedHtml === undefined ? (
        <div id={COMMENT_LIST_ID} key="list" aria-busy={comments.isLoading || undefined}>
          {list}
        </div>
      ) : (
        <>
          {page.order === 'newest' && page.comments.length > 0 && list}
          <div id={COMMENT_LIST_ID} key="served" dangerouslySetInnerHTML={{ __html: servedHtml }} />
          {page.order === 'oldest' && page.comments.length > 0 && list}
        </>
      )}
      {newAtEnd.length > 0 && (
        <p className="comments__news">
          <NewCommentsButton
            text={words.newComments.comments(newAtEnd.length)}
            onShow={() => void showNewComments(newAtEnd)}
          />
        </p>
      )}
      {isLong && field}
      <UnfoldButton />
    </>
  )
}

/** The field for a new comment, or the reason why there is none. */
function NewCommentArea({ page, children }: { page: ShownComments; children: ReactNode }) {
  const { userData, isChecking, isPersonalised } = useViewer()
  if (page.state === 'closed')
    // Moderators have a panel that says that the comments are closed.
    return page.canModerate && isPersonalised ? null : (
      <p className="row quiet">
        <Lock className="icon icon--small" aria-hidden="true" />
        {words.closed}
      </p>
    )
  if (!userData && !isChecking) return <SignInPanel />
  if (!page.canWrite) return null
  return (
    <div className="comments__field">
      {children}
      <noscript>
        <p className="quiet">{words.noScript}</p>
      </noscript>
    </div>
  )
}

function SignInPanel() {
  const { settings } = useApi()
  const { pathname, search } = useLocation()
  const next = nextQueryOf({ state: { from: `${pathname}${search}#${COMMENTS_ID}` }, search: '' })
  return (
    <div className="box comments__panel">
      <p>
        <b>{words.signIn}</b>
        <span className="quiet">{words.signInHint}</span>
      </p>
      <div className="row">
        <ButtonLink kind="primary" to={`/login${next}`}>
          {texts.signing.in}
        </ButtonLink>
        {settings.isRegistrationOpen && (
          <ButtonLink kind="ghost" to={`/signup${next}`}>
            {texts.signing.up}
          </ButtonLink>
        )}
      </div>
      <noscript>
        <p className="quiet">{words.noScript}</p>
      </noscript>
    </div>
  )
}

/**
 * Links shown when there are many comments: to the first page, to the newest comments and to the
 * comment field.
 */
function JumpLinks({ page: shown }: { page: ShownComments }) {
  const { page, pages, thread, canWrite } = shown
  const { pages: linkTexts } = words
  const linkTo = (number: number, name: string) => (
    <Link
      className={buttonClass('ghost')}
      to={{ search: searchOfPage(shown, number), hash: `#${COMMENTS_ID}` }}
    >
      {name}
    </Link>
  )
  return (
    <nav className="row comments__links" aria-label={linkTexts.inThread}>
      {thread ? linkTo(1, linkTexts.all) : page > 1 && linkTo(1, linkTexts.first)}
      {!thread && page < pages && linkTo(pages, linkTexts.newest)}
      {canWrite && (
        <a className={buttonClass('ghost')} href={`#${WRITE_ID}`}>
          <Pencil className="icon icon--small" aria-hidden="true" />
          {texts.commentForm.write}
        </a>
      )}
    </nav>
  )
}

/** Loads the code for writing and moderating, once `isOn` is true. */
function useWritingParts(isOn: boolean): WritingParts | undefined {
  const [parts, setParts] = useState<WritingParts>()
  useEffect(() => {
    if (!isOn) return
    void loadWhenOnline(() => import('./comment-fields.tsx')).then(({ writingParts }) =>
      setParts(writingParts),
    )
  }, [isOn])
  return parts
}

/** @returns a function that shows new comments by others, and scrolls to the first of them */
function useShowNewComments(comments: Comments, forget: (ids: string[]) => void) {
  const toasts = useToasts()
  return async function showNewComments(newComments: CommentDocument[]) {
    const [first] = newComments
    if (!first || !comments.page) return
    comments.highlight(first.$id)
    if (canAddToPage(comments.page, newComments)) {
      comments.change((page) => withAllAdded(page, newComments) ?? page)
      return forget(newComments.map(({ $id }) => $id))
    }
    // They belong on another page of comments.
    if (await comments.show({ comment: first.$id }))
      return forget(newComments.map(({ $id }) => $id))
    comments.highlight('')
    toasts.show(retryToast(words.newComments.failed, () => void showNewComments(newComments)))
  }
}

/** Whether new comments can be added to the page without loading it again. */
function canAddToPage(page: ShownComments, newComments: CommentDocument[]): boolean {
  if (!page.isServed) return withAllAdded(page, newComments) !== undefined
  const rendered = document.querySelectorAll(`#${COMMENT_LIST_ID} > .comment-list > li`).length
  const count = rendered + page.comments.length + newComments.length
  return page.pages === 1 && count <= COMMENTS_PAGE && withAllAdded(page, newComments) !== undefined
}

/**
 * Scrolls to the highlighted comment and focuses it, or the heading when another page of comments
 * is shown. Leaves out the comment in the initial address: the browser has already scrolled to it.
 */
function useScrollToHighlighted({ highlightedId, page }: Comments): void {
  const isHydrated = useIsHydrated()
  const [isInitialLoad] = useState(!isHydrated)
  const shownId = useRef(
    isInitialLoad && typeof location === 'object' ? location.hash.slice(3) : '',
  )
  const pageKey = `${page?.thread} ${page?.page}`
  const shownPageKey = useRef(pageKey)
  const scroll = useEffectEvent(() => {
    const isOtherPage = shownPageKey.current !== pageKey
    shownPageKey.current = pageKey
    const element = highlightedId
      ? document.getElementById(commentElementId(highlightedId))
      : isOtherPage && document.getElementById(COMMENTS_TITLE_ID)
    if (!element || (highlightedId && highlightedId === shownId.current)) return
    shownId.current = highlightedId
    element.scrollIntoView()
    element.focus({ preventScroll: true })
  })
  useEffect(() => scroll(), [highlightedId, page])
}
