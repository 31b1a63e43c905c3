// The colours of the initials of a name.

/** Each at least 5:1 against the paper colour of the letters (WCAG AA); petrol first. */
const BACKGROUNDS = ['#1d5866', '#8a3b2a', '#5b4a8c', '#2f6140', '#7a4a12'] as const
const PAPER = '#fffaf0'
const INK = '#17262b'
/** Side of the avatar on a share card, in pixels. */
export const AVATAR_SIDE = 76
/** WCAG 2, AA. */
const CONTRAST_MIN = 4.5

/** The colour behind initials; the same letters always get the same colour. */
export function backgroundOf(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return BACKGROUNDS[(sum % 10) % BACKGROUNDS.length] ?? BACKGROUNDS[0]
}

/** The colour of letters on a background: our light or dark one, else white or black. */
export function inkOn(background: string): string {
  const isReadable = (ink: string) => contrastOf(ink, background) >= CONTRAST_MIN
  return [PAPER, INK, '#ffffff'].find(isReadable) ?? '#000000'
}

/** The contrast ratio of two colours `#rrggbb`, 1 to 21. */
export function contrastOf(first: string, second: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(first), luminanceOf(second)].toSorted(
    (a, b) => b - a,
  )
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
