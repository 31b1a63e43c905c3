// The colour shown in place of a post's image until it has loaded.

import type { CSSProperties } from 'react'

const COLOR = /^#[\da-f]{6}$/

/** The style of an image's box; undefined when the colour is unknown: the box then looks empty. */
export function placeholderStyle(imageColor: string | undefined): CSSProperties | undefined {
  return imageColor !== undefined && COLOR.test(imageColor)
    ? { backgroundColor: imageColor }
    : undefined
}
