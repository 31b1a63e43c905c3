// How a link to a post looks on other sites: its picture or, without one, the card that the server
// draws (backend/files/draw-card.ts).
import { SHARE_CARD } from '#contract/limits.ts'
import { isSharedImage } from '#contract/share-card.ts'
import { useAvatar } from '../accounts/avatar-url.ts'
import { type Api, pathOf, useApi } from '../api/client.ts'
import { plainDate } from '../dates/dates.tsx'
import { previewAddress } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { directionOf } from '../posts/plain-text.ts'
import { BrandMark } from '../shell/bars.tsx'

/** The room for the avatar on the largest card, in pixels of the image. */
const AVATAR_SIDE = 80
const LONG_TITLE_CHARS = 60

export type SharedPost = {
  title: string
  userName: string
  userAvatar: string | undefined
  minutes: number
  /** ISO 8601: when it was published, or will be. */
  publishedAt: string
  /** The address of the picture. */
  image: string | undefined
}

export function ShareCard({ post }: { post: SharedPost }) {
  const { title, userName, image, minutes, publishedAt } = post
  const { siteName } = useApi().settings
  const avatar = useAvatar(userName, post.userAvatar, AVATAR_SIDE)
  const label = texts.shareCard.label(title, userName)
  if (image !== undefined)
    return <img className="share-card share-card--picture" src={image} alt={label} />
  const isLong = [...title].length > LONG_TITLE_CHARS
  return (
    <div
      className={isLong ? 'share-card share-card--long' : 'share-card'}
      role="img"
      aria-label={label}
      dir={directionOf(title)}
    >
      <p className="share-card__date">
        {plainDate(publishedAt)} · {texts.post.minutes(minutes)}
      </p>
      <p className="share-card__title">{title}</p>
      <p className="share-card__foot">
        <img {...avatar} alt="" />
        <span>{userName}</span>
        <span className="share-card__site">{siteName}</span>
        <BrandMark />
      </p>
    </div>
  )
}

/** The address of the picture with which links are shown; undefined for the drawn card. */
export function sharedImageOf(api: Api, fileId: string | undefined): string | undefined {
  if (!isSharedImage(fileId)) return undefined
  const { width, height } = SHARE_CARD
  const jpeg = { fileId, width, height, output: 'jpg' }
  return pathOf(previewAddress(api, api.settings.contentBucketId, jpeg))
}
