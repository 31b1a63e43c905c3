// The sizes in which pages show pictures: the browser chooses among them, and the server prepares
// them right after an upload. In image pixels.

/**
 * An aspect ratio with the widths in which it is offered. `sizes` is the attribute of that name;
 * `width` is for browsers without `srcset`.
 */
export type ImageShape = { ratio: number; widths: readonly number[]; sizes: string; width: number }

const RATIO = 16 / 9

export const CARD_SHAPE: ImageShape = {
  ratio: RATIO,
  widths: [384, 640, 828],
  sizes: '(min-width: 40em) 24rem, 100vw',
  width: 384,
}
/** The newest post in a list. */
export const LEAD_SHAPE: ImageShape = {
  ratio: RATIO,
  widths: [414, 640, 828, 1080, 1312],
  sizes: '(min-width: 64em) 41rem, 100vw',
  width: 648,
}
/** On the page of a post: phones at two and three pixels a point, then tablets. */
export const COVER_SHAPE: ImageShape = {
  ratio: RATIO,
  widths: [414, 640, 828, 1080, 1320, 1600],
  sizes: '100vw',
  width: 640,
}
/** The same from 64em on. The column is never wider than 70rem. */
export const WIDE_COVER_SHAPE: ImageShape = {
  ratio: 5 / 2,
  widths: [1120, 1680, 2240],
  sizes: '70rem',
  width: 1120,
}

/** Sides of avatars in CSS pixels: in the bar, in a byline, after a post, on an author's page. */
export const AVATAR_SIZES = { viewer: 36, byline: 48, afterPost: 72, author: 144 } as const
/** Previews of avatars are no smaller, so that each avatar has few of them. */
export const AVATAR_PREVIEW_MIN_PIXELS = 144

/** Wide previews are for screens of high density, where a lower quality is not visible. */
export function previewQuality(width: number): number {
  if (width < 800) return 80
  return width < 1200 ? 68 : 58
}

export function heightOf({ ratio }: Pick<ImageShape, 'ratio'>, width: number): number {
  return Math.round(width / ratio)
}
