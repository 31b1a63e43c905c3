// One post in a list. The link of the title covers the card; the author's link lies above it.
import { ArrowRight } from 'lucide-react'
import type { Ref } from 'react'
import { CARD_SHAPE, LEAD_SHAPE } from '#contract/image-sizes.ts'
import { tagsOf } from '#contract/plain-text.ts'
import { useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { sourcesOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { Link } from '../ui/link.tsx'
import { AuthorAvatar } from './author-avatar.tsx'
import { FeaturedImage, placeholderStyle } from './featured-image.tsx'
import { LikeStat } from './like-stat.tsx'
import { directionOf } from './plain-text.ts'
import { useAuthorPath, usePostPath } from './post-paths.ts'
import type { PostSummary } from './posts-api.ts'
import { TagList } from './tag-list.tsx'

type PostCardProps = {
  post: PostSummary
  /** The newest post: wide on wide screens, with the beginning of its text. */
  isLead: boolean
  excerpt?: string | undefined
  titleLevel?: 2 | 3 | undefined
}

function PostCard({ post, isLead, excerpt, titleLevel = 2 }: PostCardProps) {
  const Title = `h${titleLevel}` as const
  const api = useApi()
  const pathOf = usePostPath()
  const shape = isLead ? LEAD_SHAPE : CARD_SHAPE
  const image = post.ownImage
    ? sourcesOf(api, api.settings.contentBucketId, { fileId: post.ownImage, ...shape })
    : undefined
  return (
    <article className="box card">
      <div className="card__media" style={placeholderStyle(post.imageColor)}>
        <FeaturedImage image={image} title={post.title} slug={post.$id} isEager={isLead} />
      </div>
      <div className="card__body" dir={directionOf(post.title)}>
        <Title className="card__title" dir="auto">
          <Link className="clamp" to={pathOf(post)}>
            {post.title}
          </Link>
        </Title>
        {isLead && excerpt && (
          <p className="clamp excerpt" dir="auto">
            {excerpt}
          </p>
        )}
        <Byline post={post} isLead={isLead} />
        <TagList tags={tagsOf(post)} label={texts.card.tags(post.title)} />
        <div className="quiet row card__footer">
          <span className="cue">
            {texts.card.read}{' '}
            <ArrowRight className="icon icon--small flip-in-rtl" aria-hidden="true" />
          </span>
          <LikeStat like={post.like} />
        </div>
      </div>
    </article>
  )
}

/** Links to the author; this link lies above the one that covers the card. */
function Byline({ post, isLead }: Pick<PostCardProps, 'post' | 'isLead'>) {
  const path = useAuthorPath()(post)
  const content = (
    <>
      <AuthorAvatar name={post.userName} avatarId={post.userAvatar} sidePixels={isLead ? 40 : 28} />
      <span className="clamp byline__text">
        <bdi>{texts.card.by(post.userName)}</bdi>
        <LocalDate time={post.$createdAt} />
      </span>
    </>
  )
  return path === undefined ? (
    <p className="quiet byline">{content}</p>
  ) : (
    <Link className="quiet byline byline--link" to={path}>
      {content}
    </Link>
  )
}

// Posts as cards. The first one may lead: wide on wide screens, with the beginning of its text.

type CardGridProps = {
  posts: PostSummary[]
  hasLead?: boolean
  /** The excerpt of the lead post. */
  excerpt?: string | undefined
  /** The level of the cards' titles among the headings of the page. */
  titleLevel?: 2 | 3
  ref?: Ref<HTMLUListElement>
}

export function CardGrid({ posts, hasLead = false, excerpt, titleLevel, ref }: CardGridProps) {
  return (
    <ul className="card-grid" ref={ref}>
      {posts.map((post, index) => {
        const isLead = index === 0 && hasLead
        return (
          <li key={post.$id} className={isLead ? 'lead' : undefined}>
            <PostCard
              post={post}
              isLead={isLead}
              excerpt={isLead ? excerpt : undefined}
              titleLevel={titleLevel}
            />
          </li>
        )
      })}
    </ul>
  )
}
