// Below the text of a post: sharing, comments, the author with other posts, the adjacent posts.
import { ArrowLeft, ArrowRight, Share2 } from 'lucide-react'
import { use } from 'react'
import { AVATAR_SIZES } from '#contract/image-sizes.ts'
import { tagsOf } from '#contract/plain-text.ts'
import type { AdjacentPost, AdjacentPosts, OtherPost } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { CommentsSection } from '../comments/comments-section.tsx'
import type { InitialComments } from '../comments/use-comments.ts'
import { LocalDate } from '../dates/dates.tsx'
import { sourcesOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { FeaturedImage, placeholderStyle } from '../posts/featured-image.tsx'
import {
  useAuthorPath,
  usePostPath,
  usePublicAuthorPath,
  usePublicPath,
} from '../posts/post-paths.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { feedPath } from '../posts/public-head.tsx'
import { TagList } from '../posts/tag-list.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { CopyLink } from './copy-link.tsx'

const SMALL_SHAPE = { ratio: 16 / 9, widths: [80, 160, 240], sizes: '5rem', width: 80 }

type PostEndProps = {
  post: Pick<PagePost, '$id' | 'title'>
  /** The post is no longer available, so it cannot be shared. */
  isUnavailable: boolean
}

export function PostEnd({ post, isUnavailable }: PostEndProps) {
  return (
    <div className="post-end">
      <EndMark />
      <div className="row post-end__actions">
        <ShareButton post={post} isUnavailable={isUnavailable} />
        <CopyLink post={post} isUnavailable={isUnavailable} />
        <ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>
      </div>
    </div>
  )
}

export function EndMark() {
  return (
    <svg viewBox="7 6 18 20" aria-hidden="true">
      <path d="M8 6.5h12.5A12.5 12.5 0 0 1 8 19z" />
      <rect x="8" y="22" width="16" height="3.5" rx="1.75" />
    </svg>
  )
}

/** Shown only where the browser supports sharing (head/page-scripts.ts). */
function ShareButton({ post, isUnavailable }: PostEndProps) {
  const { client } = useApi()
  const url = new URL(usePublicPath()(post), client.config.endpoint).href
  function handlePress() {
    // Rejects when the user closes the sheet. The browser itself shows other failures.
    navigator.share({ title: post.title, url }).catch(() => undefined)
  }
  return (
    <Button className="share-button" aria-disabled={isUnavailable} onClick={handlePress}>
      <Share2 className="icon icon--small" aria-hidden="true" />
      {texts.afterPost.share}
    </Button>
  )
}

type AfterPostProps = {
  post: Pick<PagePost, '$id' | 'title' | 'userid' | 'userName' | 'userAvatar' | 'tags' | 'status'>
  adjacent: AdjacentPosts | null | Promise<AdjacentPosts | null>
  comments: InitialComments
}

export function AfterPost({ post, adjacent, comments }: AfterPostProps) {
  const loaded = adjacent instanceof Promise ? use(adjacent) : adjacent
  const { previous = null, next = null, others = [], about = '' } = loaded ?? {}
  return (
    <section className="after-post" aria-label={texts.afterPost.label}>
      <TagList tags={tagsOf(post)} label={texts.afterPost.tags} />
      {post.status === 'active' && <CommentsSection post={post} initial={comments} />}
      <AuthorCard post={post} others={others} about={about} />
      {(previous || next) && (
        <nav className="beside" aria-label={texts.afterPost.adjacent}>
          {previous && <AdjacentLink post={previous} isNext={false} />}
          {next && <AdjacentLink post={next} isNext />}
        </nav>
      )}
    </section>
  )
}

type AuthorCardProps = Pick<AfterPostProps, 'post'> & Pick<AdjacentPosts, 'others' | 'about'>

function AuthorCard({ post, others, about }: AuthorCardProps) {
  const { userName } = post
  const path = useAuthorPath()(post)
  const publicPath = usePublicAuthorPath()(post)
  const [firstName = userName] = userName.trim().split(/\s+/)
  return (
    <div className="box author-card">
      <AuthorAvatar
        name={userName}
        avatarId={post.userAvatar}
        sidePixels={AVATAR_SIZES.afterPost}
      />
      <h2>
        {path ? (
          <Link className="target author-card__name" to={path}>
            <bdi>{userName}</bdi>
          </Link>
        ) : (
          <bdi>{userName}</bdi>
        )}
      </h2>
      {about && (
        <p className="author-card__about" dir="auto">
          {about}
        </p>
      )}
      {others.length > 0 && (
        <ul className="lines" aria-label={texts.afterPost.others(userName)}>
          {others.map((other) => (
            <li key={other.$id}>
              <SmallCard post={other} />
            </li>
          ))}
        </ul>
      )}
      {path && (
        <p className="author-card__links">
          <Link className="target link" to={path}>
            <bdi>{texts.author.all(firstName)}</bdi>
          </Link>
          {publicPath && (
            <a className="target link" href={feedPath(publicPath)}>
              {texts.pages.feed}
            </a>
          )}
        </p>
      )}
    </div>
  )
}

function SmallCard({ post }: { post: OtherPost }) {
  const api = useApi()
  const image = post.featuredImage
    ? sourcesOf(api, api.settings.contentBucketId, { fileId: post.featuredImage, ...SMALL_SHAPE })
    : undefined
  return (
    <Link className="small-card" to={usePostPath()(post)}>
      <span className="thumbnail" style={placeholderStyle(post.imageColor)}>
        <FeaturedImage image={image} title={post.title} slug={post.$id} />
      </span>
      <span>
        <b>
          <bdi>{post.title}</bdi>
        </b>
        <small>
          <LocalDate time={post.$createdAt} />
        </small>
      </span>
    </Link>
  )
}

function AdjacentLink({ post, isNext }: { post: AdjacentPost; isNext: boolean }) {
  return (
    <Link
      className={isNext ? 'box hoverable beside__next' : 'box hoverable'}
      to={usePostPath()(post)}
    >
      <span className="cue">
        {!isNext && <ArrowLeft className="icon icon--small flip-in-rtl" aria-hidden="true" />}
        {isNext ? texts.afterPost.next : texts.afterPost.previous}
        {isNext && <ArrowRight className="icon icon--small flip-in-rtl" aria-hidden="true" />}
      </span>
      <b>
        <bdi>{post.title}</bdi>
      </b>
    </Link>
  )
}
