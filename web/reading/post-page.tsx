// The page of a post. The server sends the post complete; in the browser it may still be loading
// when the page opens.
import { Download, Info } from 'lucide-react'
import {
  type MouseEvent,
  Suspense,
  use,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLoaderData, useParams } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { downloadPath, featuredImageSources } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { useAuthorPath, usePublicPath } from '../posts/post-paths.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { lazyWhenOnline } from '../ui/load-code.ts'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { AfterPost, PostEnd } from './after-post.tsx'
import { CopyLink } from './copy-link.tsx'
import { LikeButton } from './like-button.tsx'
import {
  findReadingPosition,
  type LivePost,
  LiveStrip,
  restoreReadingPosition,
  useLivePost,
} from './live-post.tsx'
import { PostArticle } from './post-article.tsx'
import { PostHead } from './post-head.tsx'
import type { PostPageData } from './post-loader.ts'
import { BackButton, PostLoading, PostNotFound } from './post-states.tsx'

const OwnerMenus = lazyWhenOnline(async () => (await import('./owner-menus.tsx')).OwnerMenus)

const BlogPageView = lazyWhenOnline(async () => (await import('./blog-page.tsx')).BlogPageView)

const ReaderMenu = lazyWhenOnline(
  async () => (await import('../comments/report-dialog.tsx')).ReaderMenu,
)

/**
 * On the server no Suspense boundary is around the post: React may send a large boundary as a
 * hidden part that only a script reveals, and a post must be readable without scripts.
 */
export function PostPage() {
  const { post, adjacent, comments } = useLoaderData<PostPageData>()
  const { slug } = useParams()
  if (!(post instanceof Promise))
    return post === null ? (
      <PostNotFound />
    ) : (
      <PostOrPage post={post} adjacent={adjacent} comments={comments} />
    )
  return (
    <Suspense key={slug} fallback={<PostLoading />}>
      <PendingPost post={post} adjacent={adjacent} comments={comments} />
    </Suspense>
  )
}

type PendingProps = Omit<ViewProps, 'post'> & { post: Promise<PagePost | null> }

function PendingPost({ post, ...rest }: PendingProps) {
  const loaded = use(post)
  return loaded ? <PostOrPage post={loaded} {...rest} /> : <PostNotFound />
}

/** Pages of the blog, such as "About", are posts, too. */
function PostOrPage(props: ViewProps) {
  const { post } = props
  if (!post.page) return <PostView key={post.$id} {...props} />
  return (
    <Suspense fallback={<PostLoading />}>
      <BlogPageView page={post} />
    </Suspense>
  )
}

type ViewProps = Pick<PostPageData, 'adjacent' | 'comments'> & { post: PagePost }

function PostView({ post: loaded, adjacent, comments }: ViewProps) {
  const { userData } = useViewer()
  const isOwner = userData?.$id === loaded.userid
  const live = useLivePost(loaded, { isOwner })
  const show = useShowing(live)
  const { shown: post, notice } = live
  // The menus are not rendered on the server: only some viewers load their code.
  const isHydrated = useIsHydrated()
  return (
    <>
      <PostHead post={post} comments={comments} />
      {notice && (
        <LiveStrip
          key={notice}
          notice={notice}
          isOwner={isOwner}
          onShow={() => void show()}
          onClose={live.closeNotice}
        />
      )}
      <div className="apart post-toolbar">
        <BackButton />
        <div className="row row--tight">
          {userData && isHydrated && notice !== 'deleted' && (
            <Suspense fallback={null}>
              {isOwner ? <OwnerMenus post={post} /> : <ReaderMenu postId={post.$id} />}
            </Suspense>
          )}
        </div>
      </div>
      {isOwner && <OwnerNotice post={post} />}
      <Article post={post} adjacent={adjacent} comments={comments} live={live} />
    </>
  )
}

/** Replaces the text with the newest one, and keeps the paragraph being read where it is. */
function useShowing({ shown, show }: LivePost): () => Promise<void> {
  const toasts = useToasts()
  const announce = useAnnounce()
  const position = useRef<ReturnType<typeof findReadingPosition>>(undefined)
  const restorePosition = useEffectEvent(() => {
    if (!position.current) return
    restoreReadingPosition(position.current)
    position.current = undefined
    announce(texts.livePost.shown)
  })
  useLayoutEffect(() => restorePosition(), [shown])
  return async function handleShow() {
    position.current = findReadingPosition()
    try {
      await show()
    } catch {
      position.current = undefined
      toasts.show(retryToast(texts.livePost.notShown, () => void handleShow()))
    }
  }
}

/** Says why only the author sees the post. */
function OwnerNotice({ post: { hidden, status } }: { post: PagePost }) {
  if (hidden) return <Alert kind="warn">{texts.post.hidden}</Alert>
  if (status === 'active') return null
  return <Alert kind="warn">{texts.post.inactive}</Alert>
}

type ArticleProps = ViewProps & { live: LivePost }

function Article({ post, adjacent, comments, live: { likes, isGone } }: ArticleProps) {
  const api = useApi()
  const [isImageBroken, setImageBroken] = useState(false)
  const { contentBucketId } = api.settings
  const { ownImage: fileId, title, $id: slug } = post
  const cover = (
    <FeaturedImage
      {...(fileId ? featuredImageSources(api, contentBucketId, fileId) : { image: undefined })}
      title={title}
      slug={slug}
      isEager
      onBroken={() => setImageBroken(true)}
    />
  )
  const actions = (
    <>
      {!post.hidden && post.status === 'active' && (
        <LikeButton post={post} likesOfEvent={likes} isUnavailable={isGone} />
      )}
      {fileId && (
        <DownloadLink path={downloadPath(api, contentBucketId, fileId)} isBroken={isImageBroken} />
      )}
      <CopyLink post={post} isPill isUnavailable={isGone} />
    </>
  )
  return (
    <PostArticle
      post={post}
      cover={cover}
      info={<PostInfo post={post} />}
      authorPath={useAuthorPath()(post)}
      actions={actions}
    >
      <PostEnd post={post} isUnavailable={isGone} />
      {adjacent instanceof Promise ? (
        <Suspense fallback={null}>
          <AfterPost post={post} adjacent={adjacent} comments={comments} />
        </Suspense>
      ) : (
        <AfterPost post={post} adjacent={adjacent} comments={comments} />
      )}
    </PostArticle>
  )
}

function DownloadLink({ path, isBroken }: { path: string; isBroken: boolean }) {
  const toasts = useToasts()
  function handleClick(event: MouseEvent) {
    if (!isBroken) return
    event.preventDefault()
    toasts.show({ kind: 'error', text: texts.postImage.failed })
  }
  return (
    <a
      className={buttonClass('secondary', 'btn--pill')}
      href={path}
      download
      title={texts.postImage.label}
      aria-label={texts.postImage.label}
      onClick={handleClick}
    >
      <Download className="icon" aria-hidden="true" />
      <span>{texts.postImage.download}</span>
    </a>
  )
}

// Details that few readers need, behind a small control that opens without scripts; Esc closes it
// (head/page-scripts.ts).

type InfoPost = Pick<PagePost, '$id' | 'title' | 'status' | '$createdAt' | '$updatedAt' | 'userid'>

function PostInfo({ post }: { post: InfoPost }) {
  const path = usePublicPath()(post)
  const { label, author, published, changed, address } = texts.post.info
  return (
    <details className="post-info">
      <summary aria-label={label} title={label}>
        <Info className="icon" aria-hidden="true" />
      </summary>
      <div className="float post-info__box">
        <dl dir={texts.direction}>
          <dt>{author}</dt>
          <dd>
            <bdi>{texts.post.authorId(<span className="mono">{post.userid}</span>)}</bdi>
          </dd>
          {post.status === 'active' && (
            <>
              <dt>{published}</dt>
              <dd>
                <LocalDate time={post.$createdAt} hasTime />
              </dd>
            </>
          )}
          <dt>{changed}</dt>
          <dd>
            <LocalDate time={post.$updatedAt} hasTime />
          </dd>
          <dt>{address}</dt>
          <dd className="mono" dir="ltr">
            {decodeURI(path)}
          </dd>
        </dl>
      </div>
    </details>
  )
}
