// Posts that were found: title and text with what was searched for marked, author, date, image.
import { Link } from 'react-router'
import type { FoundPost, TextPart } from '#contract/search.ts'
import { useApi } from '../api/api-context.tsx'
import { sourcesOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { placeholderStyle } from '../posts/image-color.ts'
import { LocalDate } from '../posts/local-date.tsx'
import { statusText } from '../posts/status-text.ts'
import { useAuthorPath } from '../posts/use-author-path.ts'
import { usePostPath } from '../posts/use-post-path.ts'

const SHAPE = { ratio: 16 / 9, widths: [160, 320], sizes: '9rem', width: 160 }

export function FoundList({ posts, viewerId }: { posts: FoundPost[]; viewerId: string }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without bullets some readers no longer call it a list
    <ul className="found-list" role="list">
      {posts.map((post) => (
        <li key={post.$id}>
          <FoundItem post={post} isOwn={post.userid === viewerId} />
        </li>
      ))}
    </ul>
  )
}

function FoundItem({ post, isOwn }: { post: FoundPost; isOwn: boolean }) {
  const api = useApi()
  const pathOf = usePostPath()
  const image = post.ownImage
    ? sourcesOf(api, api.settings.contentBucketId, { fileId: post.ownImage, ...SHAPE })
    : undefined
  const isPrivate = isOwn && (post.status !== 'active' || post.hidden)
  return (
    <>
      <div className="found-list__text">
        <h2 dir="auto">
          <Link to={pathOf(post)}>
            <Marked parts={post.titleParts} />
          </Link>
        </h2>
        {post.snippet.length > 0 && (
          <p className="found-list__snippet" dir="auto">
            <Marked parts={post.snippet} />
          </p>
        )}
        <p className="found-list__facts">
          {isPrivate ? (
            <>
              {post.status !== 'active' && <span className="chip">{statusText(post.status)}</span>}
              <span>{texts.search.ownOnly}</span>
            </>
          ) : (
            <Author post={post} />
          )}
          <LocalDate time={post.$createdAt} />
        </p>
      </div>
      <div className="found-list__image" style={placeholderStyle(post.imageColor)}>
        <FeaturedImage image={image} title={post.title} slug={post.$id} />
      </div>
    </>
  )
}

function Author({ post }: { post: FoundPost }) {
  const path = useAuthorPath()(post)
  const name = <bdi>{texts.card.by(post.userName)}</bdi>
  return path === undefined ? name : <Link to={path}>{name}</Link>
}

function Marked({ parts }: { parts: TextPart[] }) {
  return parts.map(({ text, isHit }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place
    isHit ? <mark key={index}>{text}</mark> : text,
  )
}
