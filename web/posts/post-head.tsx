// What a post says of itself in the document's head: title, description, and the card that other sites show.

import type { PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/api-context.tsx'
import { previewAddress } from '../files/files-api.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { excerptOf } from './reading.ts'

const DESCRIPTION_MAX_CHARS = 160
/** The size that link previews are cut to nearly everywhere. */
const SHARED_IMAGE = { width: 1200, height: 630 }

export function PostHead({ post }: { post: PostDocument }) {
  const api = useApi()
  const { siteName, contentBucketId } = api.settings
  const description = excerptOf(post.content, DESCRIPTION_MAX_CHARS) || post.title
  const address = new URL(`/post/${post.$id}`, api.client.config.endpoint).href
  return (
    <>
      <PageTitle screen={post.title} site={siteName} />
      <meta name="description" content={description} />
      <meta name="author" content={post.userName} />
      <meta property="og:type" content="article" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:title" content={post.title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      {post.featuredImage && (
        <meta property="og:image" content={previewAddress(api, contentBucketId, { fileId: post.featuredImage, ...SHARED_IMAGE }).href} />
      )}
      <meta property="article:published_time" content={post.$createdAt} />
    </>
  )
}
