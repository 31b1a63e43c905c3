// The small image of a post in the lists of the dashboard.
import type { PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/api-context.tsx'
import { previewOf } from '../files/files-api.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { placeholderStyle } from '../posts/image-color.ts'

const THUMB = { width: 104, height: 58 }

type PostThumbnailProps = {
  post: Pick<PostDocument, '$id' | 'title' | 'ownImage' | 'imageColor'>
}

export function PostThumbnail({ post }: PostThumbnailProps) {
  const { $id: slug, title, ownImage: fileId, imageColor } = post
  const api = useApi()
  const image = fileId
    ? previewOf(api, api.settings.contentBucketId, { fileId, ...THUMB })
    : undefined
  return (
    <div className="thumbnail" style={placeholderStyle(imageColor)}>
      <FeaturedImage image={image} title={title} slug={slug} />
    </div>
  )
}
