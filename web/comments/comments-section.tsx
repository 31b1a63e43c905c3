// The comments of a post: readable as the server sent them, and what can be written once the code
// for it is there.
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
import { CommentList, NewsButton, searchFor, type WritingParts } from './comment-list.tsx'
import { withNews } from './comment-page.ts'
import { UnfoldButton } from './comment-text.tsx'
import type { ShownComments } from './comments-api.ts'
import type { OpenField } from './discussion.ts'
import {
  COMMENT_LIST_ID,
  COMMENTS_ID,
  type Comments,
  type FirstComments,
  useComments,
  WRITE_ID,
} from './use-comments.ts'
import { useLiveComments } from './use-live-comments.ts'

const words = texts.comments
const count = new Intl.NumberFormat(texts.language)

type SectionProps = {
  post: Pick<PagePost, '$id' | 'title' | 'userid'>
  /** As the server sent them with the page. */
  first: FirstComments
}

export function CommentsSection({ post, first }: SectionProps) {
  const comments = useComments(post.$id, first)
  const { page, isFailed, retry } = comments
  if (page?.state === 'off') return null
  return (
    <section className="comments" id={COMMENTS_ID} aria-labelledby={COMMENTS_TITLE_ID}>
      <div className="apart comments__head">
        <h2 id={COMMENTS_TITLE_ID} tabIndex={-1}>
          {words.title}{' '}
          {page && page.total > 0 && (
            <span className="comments__count">{count.format(page.total)}</span>
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
      choices={COMMENT_ORDERS.map((one) => [one, words.orders[one]] as const)}
      value={order}
      onChange={(value) => chooseOrder(value as CommentOrder)}
    />
  )
}

type ConversationProps = Pick<SectionProps, 'post'> & { comments: Comments; page: ShownComments }

function Conversation({ post, comments, page }: ConversationProps) {
  const { userData: viewer } = useViewer()
  const own = useRef(new Set<string>())
  const live = useLiveComments(comments, (id) => own.current.has(id))
  const [open, openField] = useState<OpenField>()
  const writing = useWriting(viewer !== null && (page.canWrite || page.canModerate))
  const showNews = useShowNews(comments, live.forget)
  useSight(comments)
  const recordOwn = (id: string) => own.current.add(id)
  const discussion = viewer
    ? { post, viewer, comments, page, open, openField, recordOwn }
    : undefined
  const isLong = page.pages > 1 || page.thread !== ''
  const field = (
    <FieldPlace page={page}>
      {discussion && writing && <writing.NewField discussion={discussion} />}
    </FieldPlace>
  )
  const { served } = comments
  // The list as the server wrote it has no place for replies.
  const isAtEnd = ({ parentId }: CommentDocument) =>
    served !== undefined || !page.comments.some(({ $id }) => $id === parentId)
  const atEnd = live.news.filter(isAtEnd)
  const list = (
    <CommentList
      page={page}
      comments={comments}
      authorId={post.userid}
      viewerId={viewer?.$id}
      news={live.news}
      onShow={(news) => void showNews(news)}
      discussion={discussion}
      writing={writing}
    />
  )
  return (
    <>
      {isLong && <LongLinks page={page} />}
      {discussion && page.canModerate && writing && <writing.Panel discussion={discussion} />}
      {!isLong && field}
      {served === undefined ? (
        <div id={COMMENT_LIST_ID} key="list" aria-busy={comments.isLoading || undefined}>
          {list}
        </div>
      ) : (
        <>
          {page.order === 'newest' && page.comments.length > 0 && list}
          <div id={COMMENT_LIST_ID} key="served" dangerouslySetInnerHTML={{ __html: served }} />
          {page.order === 'oldest' && page.comments.length > 0 && list}
        </>
      )}
      {atEnd.length > 0 && (
        <p className="comments__news">
          <NewsButton
            text={words.newComments.comments(atEnd.length)}
            onShow={() => void showNews(atEnd)}
          />
        </p>
      )}
      {isLong && field}
      <UnfoldButton />
    </>
  )
}

/** Where one writes; why not, for everybody else. */
function FieldPlace({ page, children }: { page: ShownComments; children: ReactNode }) {
  const { userData, isChecking, isPersonalised } = useViewer()
  if (page.state === 'closed')
    // Those who moderate have a panel that says it.
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

/** The ways out of the middle of many comments. */
function LongLinks({ page: shown }: { page: ShownComments }) {
  const { page, pages, thread, canWrite } = shown
  const { pages: names } = words
  const linkTo = (number: number, name: string) => (
    <Link
      className={buttonClass('ghost')}
      to={{ search: searchFor(shown, number), hash: `#${COMMENTS_ID}` }}
    >
      {name}
    </Link>
  )
  return (
    <nav className="row comments__links" aria-label={names.inThread}>
      {thread ? linkTo(1, names.all) : page > 1 && linkTo(1, names.first)}
      {!thread && page < pages && linkTo(pages, names.newest)}
      {canWrite && (
        <a className={buttonClass('ghost')} href={`#${WRITE_ID}`}>
          <Pencil className="icon icon--small" aria-hidden="true" />
          {texts.commentForm.write}
        </a>
      )}
    </nav>
  )
}

/** The code for writing, which comes when somebody may. */
function useWriting(isOn: boolean): WritingParts | undefined {
  const [parts, setParts] = useState<WritingParts>()
  useEffect(() => {
    if (!isOn) return
    void loadWhenOnline(() => import('./comment-fields.tsx')).then(({ writingParts }) =>
      setParts(writingParts),
    )
  }, [isOn])
  return parts
}

/** @returns shows comments of others, and goes to the first of them */
function useShowNews(comments: Comments, forget: (ids: string[]) => void) {
  const toasts = useToasts()
  return async function showNews(news: CommentDocument[]) {
    const [first] = news
    if (!first || !comments.page) return
    comments.setHere(first.$id)
    if (hasPlaceOnPage(comments.page, news)) {
      comments.change((page) => withNews(page, news) ?? page)
      return forget(news.map(({ $id }) => $id))
    }
    // They belong on another page of comments.
    if (await comments.show({ comment: first.$id })) return forget(news.map(({ $id }) => $id))
    comments.setHere('')
    toasts.show(retryToast(words.newComments.failed, () => void showNews(news)))
  }
}

/** Whether comments of others can be put into the page without reading it again. */
function hasPlaceOnPage(page: ShownComments, news: CommentDocument[]): boolean {
  if (!page.isServed) return withNews(page, news) !== undefined
  const rendered = document.querySelectorAll(`#${COMMENT_LIST_ID} > .comment-list > li`).length
  const count = rendered + page.comments.length + news.length
  return page.pages === 1 && count <= COMMENTS_PAGE && withNews(page, news) !== undefined
}

/**
 * The comment that is to be seen gets the focus; on another page of comments, the heading. What a
 * document was opened with is where the browser has put it.
 */
function useSight({ hereId, page }: Comments): void {
  const isHydrated = useIsHydrated()
  const [isOfDocument] = useState(!isHydrated)
  const seen = useRef(isOfDocument && typeof location === 'object' ? location.hash.slice(3) : '')
  const place = `${page?.thread} ${page?.page}`
  const seenPlace = useRef(place)
  const look = useEffectEvent(() => {
    const isMoved = seenPlace.current !== place
    seenPlace.current = place
    const element = hereId
      ? document.getElementById(commentElementId(hereId))
      : isMoved && document.getElementById(COMMENTS_TITLE_ID)
    if (!element || (hereId && hereId === seen.current)) return
    seen.current = hereId
    element.scrollIntoView()
    element.focus({ preventScroll: true })
  })
  useEffect(() => look(), [hereId, page])
}
