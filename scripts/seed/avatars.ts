// Draws the avatars of a seeded blog. Knows nothing of people but their colours.
import type { SeedPerson } from './people.ts'

/** @returns an SVG of 600 by 600 */
export function drawAvatar({
  ground,
  skin,
  hair,
  coat,
  hasGlasses,
  isLongHaired,
}: NonNullable<SeedPerson['face']>): string {
  const ink = '#14262c'
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300" width="600" height="600">',
    `<rect width="300" height="300" fill="${ground}"/>`,
    isLongHaired ? `<path d="M84 130c0-62 30-88 66-88s66 26 66 88v96H84z" fill="${hair}"/>` : '',
    `<path d="M34 300c4-58 46-84 116-84s112 26 116 84z" fill="${coat}"/>`,
    `<path d="M124 180h52v44c-14 18-38 18-52 0z" fill="${skin}"/>`,
    `<ellipse cx="150" cy="142" rx="54" ry="62" fill="${skin}"/>`,
    isLongHaired
      ? `<path d="M92 140c-4-60 26-86 58-86s62 26 58 86c-14-34-44-40-62-58-8 22-34 28-54 58z" fill="${hair}"/>`
      : `<path d="M94 130c-8-52 24-78 56-78s64 24 56 78c-10-26-20-34-34-36-24 8-56 4-66 4-6 6-8 18-12 32z" fill="${hair}"/>`,
    `<circle cx="130" cy="146" r="5" fill="${ink}"/><circle cx="170" cy="146" r="5" fill="${ink}"/>`,
    `<path d="M134 174q16 13 32 0" fill="none" stroke="${ink}" stroke-width="4" stroke-linecap="round"/>`,
    hasGlasses
      ? `<g fill="none" stroke="${ink}" stroke-width="4"><circle cx="129" cy="146" r="18"/><circle cx="171" cy="146" r="18"/><path d="M147 146h6"/></g>`
      : '',
    '</svg>',
  ].join('')
}
