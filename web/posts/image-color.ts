// The colour that holds the place of a post's picture until it has come.

import type { CSSProperties } from 'react'

const COLOR = /^#[\da-f]{6}$/

/**
 * The style of a picture's box; nothing when the colour is unknown, and the box looks as empty ones
 * do.
 */
export function placeholderStyle(imageColor: string | undefined): CSSProperties | undefined {
  return imageColor !== undefined && COLOR.test(imageColor)
    ? { backgroundColor: imageColor }
    : undefined
}
