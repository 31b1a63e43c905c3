// One post. The server sends it complete; in the browser it may still be loading when the page
// opens.

import { Download } from 'lucide-react'
import { lazy, type MouseEvent, Suspense, use, useMemo, useState } from 'react'
import { Link, useLoaderData, useParams } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { downloadPath } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { placeholderStyle } from '../posts/image-color.ts'
import { LocalDate } from '../posts/local-date.tsx'
import { directionOf } from '../posts/text-direction.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { useToasts } from '../ui/toasts.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { BackButton } from './back-button.tsx'
import { useBodyTexts } from './body-texts.ts'
import { featuredImageSources } from './featured-image-sizes.ts'
import { LikeButton } from './like-button.tsx'
import { PostBody } from './post-body.tsx'
import { PostHead } from './post-head.tsx'
import type { PostPageData } from './post-loader.ts'
import { PostLoading, PostNotFound } from './post-states.tsx'
import { languageOf } from './text-language.ts'

const OwnerMenus = lazy(async () => ({ default: (await import('./owner-menus.tsx')).OwnerMenus }))

/**
 * @note What the server renders has no Suspense boundary around it: React may send a large boundary
 *   as a hidden part that only a script reveals, and a post must be readable without one.
 */
export function PostPage() {
  const { post } = useLoaderData<PostPageData>()
  const { slug } = useParams()
  if (!(post instanceof Promise))
    return post === null ? <PostNotFound /> : <PostView key={post.$id} post={post} />
  return (
    <Suspense key={slug} fallback={<PostLoading />}>
      <PendingPost post={post} />
    </Suspense>
  )
}

function PendingPost({ post }: { post: Promise<PostDocument | null> }) {
  const found = use(post)
  return found ? <PostView key={found.$id} post={found} /> : <PostNotFound />
}

function PostView({ post }: { post: PostDocument }) {
  const { userData } = useViewer()
  const isOwner = userData?.$id === post.userid
  // The server does not wait for code that only the author needs.
  const isHydrated = useIsHydrated()
  return (
    <>
      <PostHead post={post} />
      <div className="post-toolbar">
        <BackButton />
        <div className="row row--tight">
          {isOwner && isHydrated && (
            <Suspense fallback={null}>
              <OwnerMenus post={post} />
            </Suspense>
          )}
        </div>
      </div>
      {isOwner && <OwnerNote post={post} />}
      <Article post={post} />
    </>
  )
}

/** Why nobody else sees the post. */
function OwnerNote({ post: { hidden, status } }: { post: PostDocument }) {
  if (hidden) return <Alert kind="warn">{texts.post.hidden}</Alert>
  return status === 'inactive' ? <Alert kind="warn">{texts.post.inactive}</Alert> : null
}

function Article({ post }: { post: PostDocument }) {
  const api = useApi()
  const [isImageBroken, setImageBroken] = useState(false)
  const { contentBucketId } = api.settings
  const { featuredImage: fileId, title, content } = post
  // Of the author's text only: the rest of the page is in the site's language.
  const { direction, minutes, sample } = useBodyTexts(content)
  const language = useMemo(() => languageOf(`${title} ${sample}`), [title, sample])
  return (
    <article aria-labelledby="post-title" dir={directionOf(title)}>
      <div className="featured-image" style={placeholderStyle(post.imageColor)}>
        <FeaturedImage
          {...(fileId ? featuredImageSources(api, contentBucketId, fileId) : { image: undefined })}
          title={title}
          slug={post.$id}
          isEager
          onBroken={() => setImageBroken(true)}
        />
      </div>
      <div className="post">
        <h1 id="post-title" dir="auto" lang={language}>
          {title}
        </h1>
        <div className="post-meta">
          <AuthorAvatar name={post.userName} sidePixels={48} isEager />
          <p>
            <b>
              <bdi>{post.userName}</bdi>
            </b>
            <br />
            <LocalDate time={post.$createdAt} />
            <span className="separated">
              <bdi>{texts.post.minutes(minutes)}</bdi>
            </span>
            <span className="separated post-id">
              <bdi>{texts.post.authorId(<span className="mono">{post.userid}</span>)}</bdi>
            </span>
          </p>
        </div>
        <div className="post-actions">
          {!post.hidden && <LikeButton post={post} />}
          {fileId && (
            <DownloadLink
              path={downloadPath(api, contentBucketId, fileId)}
              isBroken={isImageBroken}
            />
          )}
        </div>
        <PostBody html={content} language={language} direction={direction} />
        <div className="post-end">
          <svg viewBox="7 6 18 20" aria-hidden="true">
            <path d="M8 6.5h12.5A12.5 12.5 0 0 1 8 19z" />
            <rect x="8" y="22" width="16" height="3.5" rx="1.75" />
          </svg>
          <Link className={buttonClass('secondary')} to="/post">
            {texts.places.allPosts}
          </Link>
        </div>
      </div>
    </article>
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
