// The addresses of a post's large featured image: one shape for small screens, another from 64em
// on, each in the widths that screens have.

import type { Api } from '../api/client.ts'
import { type ImageSources, sourcesOf } from '../files/files-api.ts'

/** Phones at two and three pixels a point, then tablets. */
const NARROW = {
  ratio: 16 / 9,
  widths: [414, 640, 828, 1080, 1320, 1600],
  sizes: '100vw',
  width: 640,
}
/** The column is never wider than 70rem. */
const WIDE = { ratio: 5 / 2, widths: [1120, 1680, 2240], sizes: '70rem', width: 1120 }

export type FeaturedImageSources = { image: ImageSources; wideImage: ImageSources }

export function featuredImageSources(
  api: Api,
  bucketId: string,
  fileId: string,
): FeaturedImageSources {
  return {
    image: sourcesOf(api, bucketId, { fileId, ...NARROW }),
    wideImage: sourcesOf(api, bucketId, { fileId, ...WIDE }),
  }
}
