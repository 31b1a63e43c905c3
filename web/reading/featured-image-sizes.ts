// The addresses of a post's large featured image: one shape for small screens, another from 64em
// on, each in the widths that screens have.

import { COVER_SHAPE, WIDE_COVER_SHAPE } from '#contract/image-sizes.ts'
import type { Api } from '../api/client.ts'
import { type ImageSources, sourcesOf } from '../files/files-api.ts'

export type FeaturedImageSources = { image: ImageSources; wideImage: ImageSources }

export function featuredImageSources(
  api: Api,
  bucketId: string,
  fileId: string,
): FeaturedImageSources {
  return {
    image: sourcesOf(api, bucketId, { fileId, ...COVER_SHAPE }),
    wideImage: sourcesOf(api, bucketId, { fileId, ...WIDE_COVER_SHAPE }),
  }
}
