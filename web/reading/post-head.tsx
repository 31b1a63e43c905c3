// What a post puts into the document's head: title, description, and the metadata for search
// engines and link previews.

import { useApi } from '../api/api-context.tsx'
import type { Api } from '../api/client.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { useBodyTexts } from './body-texts.ts'
import { languageOf } from './text-language.ts'

/** The size nearly every link preview is cropped to; JPEG, which all of them can read. */
const SHARED_IMAGE = { width: 1200, height: 630 }
const SHARED_QUALITY = 80

export function PostHead({ post }: { post: PagePost }) {
  const api = useApi()
  const { siteName } = api.settings
  const { title, userName } = post
  const { sample, description: ofBody } = useBodyTexts(post.highlightedContent)
  const description = ofBody || title
  const address = new URL(`/post/${post.$id}`, api.client.config.endpoint).href
  const image = sharedImage(api, post.ownImage ?? '')
  return (
    <>
      <PageTitle screen={title} site={siteName} />
      <meta name="description" content={description} />
      <meta name="author" content={userName} />
      {(post.status !== 'active' || post.hidden) && <meta name="robots" content="noindex" />}
      <link rel="canonical" href={address} />
      <meta property="og:type" content="article" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="article:published_time" content={post.$createdAt} />
      <meta property="article:modified_time" content={post.$updatedAt} />
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      {image && (
        <>
          <meta property="og:image" content={image} />
          <meta property="og:image:type" content="image/jpeg" />
          <meta property="og:image:width" content={String(SHARED_IMAGE.width)} />
          <meta property="og:image:height" content={String(SHARED_IMAGE.height)} />
          <meta name="twitter:image" content={image} />
        </>
      )}
      <StructuredData
        value={{
          '@context': 'https://schema.org',
          '@type': 'BlogPosting',
          headline: title,
          description,
          url: address,
          mainEntityOfPage: address,
          datePublished: post.$createdAt,
          dateModified: post.$updatedAt,
          author: { '@type': 'Person', name: userName },
          publisher: { '@type': 'Organization', name: siteName, url: new URL('/', address).href },
          ...(image ? { image: { '@type': 'ImageObject', url: image, ...SHARED_IMAGE } } : {}),
          ...languageField(title, sample),
          interactionStatistic: {
            '@type': 'InteractionCounter',
            interactionType: 'https://schema.org/LikeAction',
            userInteractionCount: post.like,
          },
        }}
      />
    </>
  )
}

function sharedImage(api: Api, fileId: string): string | undefined {
  if (!fileId) return undefined
  const { width, height } = SHARED_IMAGE
  const none = undefined
  const { contentBucketId } = api.settings
  return api.storage.getFilePreview(
    contentBucketId,
    fileId,
    width,
    height,
    none,
    SHARED_QUALITY,
    none,
    none,
    none,
    none,
    none,
    none,
    'jpg',
  ).href
}

function languageField(title: string, sample: string): { inLanguage?: string } {
  const language = languageOf(`${title} ${sample}`)
  return language ? { inLanguage: language } : {}
}

/** Data, never run: no value can end the element. */
function StructuredData({ value }: { value: unknown }) {
  return (
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: JSON.stringify(value).replaceAll('<', '\\u003c') }}
    />
  )
}
