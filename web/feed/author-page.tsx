// An author's page: the author, and a page of their posts, all rendered by the server, with links
// to other pages.
import { Pencil } from 'lucide-react'
import type { Ref } from 'react'
import { useLocation, useParams } from 'react-router'
import type { Author } from '#contract/authors.ts'
import { AVATAR_SIZES } from '#contract/image-sizes.ts'
import { TOTAL_MAX } from '#contract/limits.ts'
import { NotFound } from '../accounts/not-found.tsx'
import { useApi } from '../api/client.ts'
import { previewAddress } from '../files/files-api.ts'
import { usePageData, useTitleFocus, useViewerId } from '../lists/list-state.ts'
import { pagePath } from '../lists/page-links.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { authorPath } from '../posts/post-paths.ts'
import {
  addressOf,
  FeedLink,
  PageFeedHeadLinks,
  PublicHead,
  StructuredData,
} from '../posts/public-head.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { MessageScreen, PageTitle } from '../ui/screens.tsx'
import { loadAuthor } from './author-posts.ts'
import { isEmptyList, PageOfPosts } from './feed-states.tsx'

/** /author/{userId}: for members, and for guests if everybody may read the blog. */
export function AuthorPage() {
  const api = useApi()
  const viewerId = useViewerId()
  const { userId = '' } = useParams()
  const { pathname } = useLocation()
  const data = usePageData((after) => loadAuthor(api, userId, after))
  const { result, page, after } = data
  const title = useTitleFocus(page !== undefined)
  if (result?.ok === false && result.failure.code === 404) return <NotFound path={pathname} />
  const author = page?.author
  const isOwn = viewerId === author?.$id
  return (
    <>
      {author ? (
        <>
          <AuthorHead author={author} after={after} />
          <AuthorIntro author={author} isOwn={isOwn} ref={title} />
          {!isEmptyList(page, after) && (
            <h2 className="visually-hidden">{texts.author.posts(author.name)}</h2>
          )}
        </>
      ) : (
        <PageTitle screen={texts.author.screen} />
      )}
      <PageOfPosts
        data={data}
        path={authorPath(userId)}
        titleLevel={3}
        empty={author && <NothingYet name={author.name} isOwn={isOwn} />}
      />
    </>
  )
}

type AuthorIntroProps = {
  author: Author
  isOwn: boolean
  ref: Ref<HTMLHeadingElement>
}

function AuthorIntro({ author, isOwn, ref }: AuthorIntroProps) {
  const { $id, name, about, avatar, posts } = author
  const { author: words } = texts
  const since = monthOf(author.$createdAt)
  const count =
    posts < TOTAL_MAX ? words.count(posts) : words.many(TOTAL_MAX.toLocaleString(texts.language))
  return (
    <header className="author-intro">
      <AuthorAvatar name={name} avatarId={avatar} sidePixels={AVATAR_SIZES.author} isEager />
      <h1 className="screen-title" ref={ref} tabIndex={-1}>
        <bdi>{name}</bdi>
      </h1>
      <div className="author-intro__about">
        {about && (
          <p className="lead-line" dir="auto">
            {about}
          </p>
        )}
        <p className="quiet row page-facts">
          <span>{count}</span>
          <span>{posts > 0 ? words.since(since) : words.hereSince(since)}</span>
          {posts > 0 && <FeedLink pagePath={authorPath($id)} />}
          {isOwn && (
            <Link className="link" to="/settings">
              <Pencil className="icon icon--small" aria-hidden="true" />
              {about ? words.edit : words.writeLine}
            </Link>
          )}
        </p>
      </div>
    </header>
  )
}

function NothingYet({ name, isOwn }: { name: string; isOwn: boolean }) {
  const { empty, ownEmpty } = texts.author
  return (
    <MessageScreen
      art="lit"
      title={isOwn ? ownEmpty.title : empty.title}
      titleLevel={2}
      isInline
      actions={
        isOwn ? (
          <ButtonLink kind="primary" to="/add-post" Icon={Pencil}>
            {ownEmpty.write}
          </ButtonLink>
        ) : (
          <ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>
        )
      }
    >
      <p>{isOwn ? ownEmpty.text : empty.text(<bdi>{name}</bdi>)}</p>
    </MessageScreen>
  )
}

/** The month in UTC, which is the same for every reader. */
function monthOf(isoTime: string): string {
  const date = new Date(isoTime)
  return texts.month(date.getUTCMonth(), date.getUTCFullYear())
}

const SHARED_AVATAR_PIXELS = 512

type AuthorHeadProps = { author: Author; after: string | undefined }

function AuthorHead({ author, after }: AuthorHeadProps) {
  const api = useApi()
  const { siteName } = api.settings
  const { $id, $createdAt, name, about, avatar, posts } = author
  const path = authorPath($id)
  const url = addressOf(api, path)
  const size = { width: SHARED_AVATAR_PIXELS, height: SHARED_AVATAR_PIXELS }
  const preview = { fileId: avatar, ...size }
  const { avatarBucketId } = api.settings
  const image = avatar ? { image: previewAddress(api, avatarBucketId, preview).href } : {}
  return (
    <>
      <PublicHead
        screenTitle={name}
        description={about || texts.author.posts(name)}
        path={pagePath(path, after)}
        isIndexed={after === undefined && posts > 0}
      />
      <PageFeedHeadLinks pagePath={path} title={`${name} · ${siteName}`} />
      {after === undefined && (
        <StructuredData
          value={{
            '@type': 'ProfilePage',
            dateCreated: $createdAt,
            url,
            mainEntity: {
              '@type': 'Person',
              '@id': url,
              name,
              identifier: $id,
              url,
              ...(about ? { description: about } : {}),
              ...image,
              agentInteractionStatistic: {
                '@type': 'InteractionCounter',
                interactionType: { '@type': 'WriteAction' },
                userInteractionCount: posts,
              },
            },
          }}
        />
      )}
    </>
  )
}
