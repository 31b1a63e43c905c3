// The size limit of images in posts, with the sentence for a larger one.

import { CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import { texts } from '../locales/texts.ts'

const MILLION = 1_000_000

export const CONTENT_IMAGE_LIMIT = {
  maxBytes: CONTENT_FILE_MAX_BYTES,
  tooLarge: texts.postForm.imageTooLarge(CONTENT_FILE_MAX_BYTES / MILLION),
}
