// The elements of a post in the document's head: title, description, and the metadata for search
// engines and link previews.

import type { ImageObject } from 'schema-dts'
import { SHARE_CARD } from '#contract/limits.ts'
import { publicPath } from '#contract/post-url.ts'
import { cardPath, isSharedImage } from '#contract/share-card.ts'
import { isolateBidi } from '#contract/visible-text.ts'
import { type Api, useApi } from '../api/client.ts'
import type { ShownComments } from '../comments/comments-api.ts'
import type { InitialComments } from '../comments/use-comments.ts'
import { previewAddress } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { usePublicAuthorPath } from '../posts/post-paths.ts'
import type { PagePost } from '../posts/posts-api.ts'
import {
  addressOf,
  blogOf,
  breadcrumbData,
  PageFeedHeadLinks,
  PageMetadata,
  publisherOf,
  StructuredData,
  type StructuredThing,
} from '../posts/public-head.tsx'
import { PageTitle } from '../ui/screens.tsx'
import { useBodyMetadata } from './body-metadata.ts'
import { commentStructuredData } from './comment-structured-data.ts'

/** Nearly every link preview crops images to this size. */
const { width: SHARED_WIDTH, height: SHARED_HEIGHT } = SHARE_CARD
const SHARED_QUALITY = 80
const OEMBED_FORMATS = { json: 'application/json+oembed', xml: 'text/xml+oembed' } as const

type PostHeadProps = { post: PagePost; comments: InitialComments }

export function PostHead({ post, comments }: PostHeadProps) {
  const api = useApi()
  const { siteName } = api.settings
  const { userName, canonicalUrl } = post
  const title = post.metaTitle || post.title
  const { description: bodyDescription } = useBodyMetadata(post.highlightedContent)
  const description = post.metaDescription || post.excerpt || bodyDescription || title
  const path = publicPath(api.settings, post)
  const address = addressOf(api, path)
  const isPublic = post.status === 'active' && !post.hidden
  const image = findImage(api, post)
  const authorPath = usePublicAuthorPath()(post)
  const derived = { description, image: image?.url, authorPath }
  return (
    <>
      <PageTitle screen={isolateBidi(title)} />
      <meta name="description" content={description} />
      <meta name="author" content={userName} />
      <PageMetadata
        type="article"
        isIndexed={isPublic}
        title={title}
        description={description}
        path={path}
        original={canonicalUrl}
      />
      {isPublic && authorPath && (
        <PageFeedHeadLinks pagePath={authorPath} title={`${userName} · ${siteName}`} />
      )}
      {isPublic && <Embeds address={address} title={title} />}
      {isPublic && comments && <CommentsFeed post={post} comments={comments} />}
      {isPublic && <meta property="article:published_time" content={post.$createdAt} />}
      <meta property="article:modified_time" content={post.$updatedAt} />
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      {image && <SharedImage {...image} title={title} />}
      <StructuredData
        value={{
          ...postStructuredData(api, post, derived),
          ...commentStructuredData(address, comments),
        }}
      />
      {api.settings.reading === 'everyone' && isPublic && (
        <StructuredData value={breadcrumbData(api, { name: post.title, path })} />
      )}
    </>
  )
}

/** Links to the feed of the post's comments, if everybody may read the blog. */
function CommentsFeed({ post, comments }: { post: PagePost; comments: ShownComments }) {
  const { reading } = useApi().settings
  if (reading !== 'everyone' || comments.state === 'off') return null
  return (
    <link
      rel="alternate"
      type="application/atom+xml"
      href={`/post/${post.$id}/comments.xml`}
      title={texts.comments.feed(post.title)}
    />
  )
}

type PreviewImage = { url: string; type: 'image/jpeg' | 'image/png' }

function SharedImage({ url, type, title }: PreviewImage & { title: string }) {
  return (
    <>
      <meta property="og:image" content={url} />
      <meta property="og:image:type" content={type} />
      <meta property="og:image:width" content={String(SHARED_WIDTH)} />
      <meta property="og:image:height" content={String(SHARED_HEIGHT)} />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:image" content={url} />
    </>
  )
}

type Texts = {
  description: string
  image: string | undefined
  authorPath: string | undefined
}

function postStructuredData(
  api: Api,
  post: PagePost,
  { description, image, authorPath }: Texts,
): StructuredThing {
  const address = addressOf(api, publicPath(api.settings, post))
  const isOpen = api.settings.reading === 'everyone'
  return {
    '@type': 'BlogPosting',
    headline: post.title,
    description,
    url: address,
    mainEntityOfPage: address,
    ...(post.status === 'active' ? { datePublished: post.$createdAt } : {}),
    dateModified: post.$updatedAt,
    author: {
      '@type': 'Person',
      name: post.userName,
      ...(authorPath === undefined ? {} : { url: addressOf(api, authorPath) }),
    },
    publisher: publisherOf(api),
    ...(isOpen ? { isPartOf: blogOf(api) } : {}),
    ...(image ? { image: imageObject(image) } : {}),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: { '@type': 'LikeAction' },
      userInteractionCount: post.like,
    },
  }
}

function imageObject(url: string): ImageObject {
  const size = { width: SHARED_WIDTH, height: SHARED_HEIGHT }
  // A plain number is a size in pixels.
  return { '@type': 'ImageObject', url, ...(size as object) }
}

/** The addresses at which other sites request an embed of this post. */
function Embeds({ address, title }: { address: string; title: string }) {
  return Object.entries(OEMBED_FORMATS).map(([format, type]) => {
    const url = new URL('/oembed', address)
    url.search = String(new URLSearchParams({ url: address, format }))
    return <link key={format} rel="alternate" type={type} href={url.href} title={title} />
  })
}

/**
 * The post's own image, as JPEG, which every site can read; otherwise, on pages for visitors, the
 * generated share card.
 */
function findImage(api: Api, post: PagePost): PreviewImage | undefined {
  if (isSharedImage(post.ownImage)) {
    const size = { width: SHARED_WIDTH, height: SHARED_HEIGHT, quality: SHARED_QUALITY }
    const jpeg = { fileId: post.ownImage, ...size, output: 'jpg' }
    const url = previewAddress(api, api.settings.contentBucketId, jpeg).href
    return { url, type: 'image/jpeg' }
  }
  const hasCard = post.status === 'active' && !post.hidden && !api.settings.isSignedIn
  if (!hasCard) return undefined
  return { url: new URL(cardPath(post), api.client.config.endpoint).href, type: 'image/png' }
}
