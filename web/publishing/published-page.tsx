// /edit-post/:slug/published: where the post can be read, for its author, after it was published or
// scheduled.
import './publishing-sheets.css'
import { CalendarClock, CircleCheck, Download, Share2 } from 'lucide-react'
import { useParams } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { cardPath } from '#contract/share-card.ts'
import { avatarIdOf } from '../accounts/avatar-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { LocalDate, plainDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { PUBLISH_HASH, usePostPath, usePublicPath } from '../posts/post-paths.ts'
import { scheduledTimeOf } from '../posts/posts-api.ts'
import { deriveBodyMetadata } from '../reading/body-metadata.ts'
import { useOwnPost } from '../reading/use-own-post.tsx'
import { Button, ButtonLink, buttonClass } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { LoadingText, PageTitle } from '../ui/screens.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { ShareCard, sharedImageOf } from './share-card.tsx'
import { shortTime } from './shown-time.ts'

const words = texts.published
/** A post that is younger is called the first of the list. */
const NEWEST_MS = 10 * 60_000

export function PublishedPage() {
  const { slug = '' } = useParams()
  const { post, isLoading, refusal, loadFailure } = useOwnPost(slug, useViewer().userData)
  if (refusal) return refusal
  if (post) return <Published post={post} />
  return (
    <>
      <PageTitle screen={words.title} />
      <h1 className="visually-hidden">{words.title}</h1>
      {isLoading && <LoadingText>{texts.loading.post}</LoadingText>}
      {loadFailure}
    </>
  )
}

function Published({ post }: { post: PostDocument }) {
  const api = useApi()
  const postPath = usePostPath()(post)
  const address = new URL(usePublicPath()(post), api.client.config.endpoint).href
  const { userData } = useViewer()
  const isHydrated = useIsHydrated()
  const isActive = post.status === 'active'
  const scheduledAt = scheduledTimeOf(post)
  const image = sharedImageOf(api, post.ownImage)
  const time = scheduledAt ?? post.$createdAt
  const title = scheduledAt
    ? words.scheduledTitle(isHydrated ? shortTime(scheduledAt) : plainDate(scheduledAt))
    : isActive
      ? words.title
      : texts.saved.inactive
  const audience = scheduledAt ? 'scheduled' : isActive ? api.settings.reading : 'inactive'
  const isNewest = isHydrated && Date.now() - Date.parse(post.$createdAt) < NEWEST_MS
  const Icon = isActive ? CircleCheck : CalendarClock
  return (
    <div className="stack published">
      <PageTitle screen={title} />
      <div>
        <p className="quiet saved-line">
          <Icon className="icon icon--small" aria-hidden="true" />
          <LocalDate time={time} hasTime />
        </p>
        <h1>{title}</h1>
        <p className="lead-line">
          {words.lead[audience](<q dir="auto">{post.title}</q>, isNewest)}
        </p>
      </div>
      <ShareCard
        post={{
          title: post.title,
          userName: post.userName,
          userAvatar: userData ? avatarIdOf(userData.prefs) : undefined,
          minutes: deriveBodyMetadata(post.content).minutes,
          publishedAt: time,
          image,
        }}
      />
      <div>
        <CopyField
          label={words.address}
          url={address}
          copyLabel={texts.copying.link}
          copiedText={texts.copying.linkCopied}
        />
      </div>
      <div className="row">
        {isActive && isHydrated && 'share' in navigator && (
          <Button
            Icon={Share2}
            onClick={() =>
              void navigator.share({ title: post.title, url: address }).catch(() => undefined)
            }
          >
            {texts.afterPost.share}
          </Button>
        )}
        {isActive && (
          <a
            className={buttonClass('ghost')}
            href={image ?? cardPath(post)}
            download={`${post.$id}.${image ? 'jpg' : 'png'}`}
          >
            <Download className="icon" aria-hidden="true" />
            {words.saveCard}
          </a>
        )}
        {!isActive && (
          <ButtonLink to={`/edit-post/${post.$id}${PUBLISH_HASH}`}>
            {texts.scheduled.change}
          </ButtonLink>
        )}
        <ButtonLink kind="ghost" to={postPath}>
          {words.read}
        </ButtonLink>
      </div>
      {isActive && api.settings.reading === 'everyone' && (
        <p className="quiet">{words.everywhere}</p>
      )}
    </div>
  )
}
