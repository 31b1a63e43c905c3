// One post in the feed. The title is the one link; its area covers the card.

import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { sourcesOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from './author-avatar.tsx'
import { FeaturedImage } from './featured-image.tsx'
import { placeholderStyle } from './image-color.ts'
import { LikeStat } from './like-stat.tsx'
import { LocalDate } from './local-date.tsx'
import type { PostSummary } from './posts-api.ts'
import { directionOf } from './text-direction.ts'

const RATIO = 16 / 9
const CARD_SHAPE = {
  ratio: RATIO,
  widths: [384, 640, 828],
  sizes: '(min-width: 40em) 24rem, 100vw',
  width: 384,
}
const LEAD_SHAPE = {
  ratio: RATIO,
  widths: [414, 640, 828, 1080, 1312],
  sizes: '(min-width: 64em) 41rem, 100vw',
  width: 648,
}

type PostCardProps = {
  post: PostSummary
  /** The newest: wide on wide screens, with the beginning of its text. */
  isLead: boolean
  excerpt?: string | undefined
}

export function PostCard({ post, isLead, excerpt }: PostCardProps) {
  const api = useApi()
  const shape = isLead ? LEAD_SHAPE : CARD_SHAPE
  const image = post.ownImage
    ? sourcesOf(api, api.settings.contentBucketId, { fileId: post.ownImage, ...shape })
    : undefined
  return (
    <article className="card">
      <div className="card__media" style={placeholderStyle(post.imageColor)}>
        <FeaturedImage image={image} title={post.title} slug={post.$id} isEager={isLead} />
      </div>
      <div className="card__body" dir={directionOf(post.title)}>
        <h2 dir="auto">
          <Link to={`/post/${post.$id}`}>{post.title}</Link>
        </h2>
        {isLead && excerpt && (
          <p className="excerpt" dir="auto">
            {excerpt}
          </p>
        )}
        <p className="byline">
          <AuthorAvatar
            name={post.userName}
            avatarId={post.userAvatar}
            sidePixels={isLead ? 40 : 28}
          />
          <span className="byline__text">
            <bdi>{texts.card.by(post.userName)}</bdi>
            <LocalDate time={post.$createdAt} />
          </span>
        </p>
        <div className="card__footer">
          <span className="card__cue">
            {texts.card.read}{' '}
            <ArrowRight className="icon icon--small flip-in-rtl" aria-hidden="true" />
          </span>
          <LikeStat like={post.like} />
        </div>
      </div>
    </article>
  )
}
