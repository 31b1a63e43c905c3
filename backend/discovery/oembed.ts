// What other sites are told of a post whose address somebody pastes there (oEmbed 1.0). A link with
// an image and no HTML: nothing of this blog runs on another site. Pure.
import { SHARE_CARD } from '#contract/limits.ts'
import { publicPath } from '#contract/post-address.ts'
import { cardPath } from '#contract/share-card.ts'
import type { DiscoveryNeeds } from './needs.ts'
import type { PublicPost } from './share-cards.ts'
import { element, xml, xmlDocument } from './xml.ts'

/** In pixels; undefined for as much as there is. */
export type Room = { maxWidth: number | undefined; maxHeight: number | undefined }
export type Embed = Record<string, string | number>

/** @source oEmbed 1.0 "The link type" */
export function embedOf(post: PublicPost, site: DiscoveryNeeds, room: Room): Embed {
  const { siteName, publicUrl } = site
  return {
    version: '1.0',
    type: 'link',
    title: post.title,
    url: publicUrl + publicPath(site, post),
    author_name: post.userName,
    ...(site.reading === 'everyone' && post.userid
      ? { author_url: `${publicUrl}/author/${encodeURIComponent(post.userid)}` }
      : {}),
    provider_name: siteName,
    provider_url: `${publicUrl}/`,
    ...thumbnail(post, site, room),
  }
}

function thumbnail(post: PublicPost, site: DiscoveryNeeds, room: Room): Embed {
  const size = post.ownImage ? fitImage(room) : fitCard(room)
  if (!size) return {}
  const path = post.ownImage ? imagePath(post.ownImage, size, site) : cardPath(post, size.width)
  return {
    thumbnail_url: site.publicUrl + path,
    thumbnail_width: size.width,
    thumbnail_height: size.height,
  }
}

type Size = { width: number; height: number }

/** The shape of a card, cropped from the image. */
function fitImage({ maxWidth = SHARE_CARD.width, maxHeight = SHARE_CARD.height }: Room): Size {
  const scale = Math.min(1, maxWidth / SHARE_CARD.width, maxHeight / SHARE_CARD.height)
  const side = (pixels: number) => Math.max(1, Math.floor(pixels * scale))
  return { width: side(SHARE_CARD.width), height: side(SHARE_CARD.height) }
}

/** The largest of the widths that are drawn. */
function fitCard({ maxWidth = Infinity, maxHeight = Infinity }: Room): Size | undefined {
  return SHARE_CARD.widths
    .map((width) => ({
      width,
      height: Math.round((width / SHARE_CARD.width) * SHARE_CARD.height),
    }))
    .find(({ width, height }) => width <= maxWidth && height <= maxHeight)
}

function imagePath(
  fileId: string,
  { width, height }: Size,
  { contentBucketId, projectId }: DiscoveryNeeds,
): string {
  const query = new URLSearchParams({
    ...{ width: String(width), height: String(height), quality: '80', output: 'jpg' },
    project: projectId,
  })
  const [bucket, file] = [contentBucketId, fileId].map(encodeURIComponent)
  return `/v1/storage/buckets/${bucket}/files/${file}/preview?${query}`
}

export function toXml(embed: Embed): string {
  const fields = Object.entries(embed).map(([name, value]) => element(name, value))
  return xmlDocument(xml`<oembed>${fields}</oembed>`)
}
