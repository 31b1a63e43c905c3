// Paint and brushes for the drawn images: colours, dice and small pieces of SVG. Knows no scene.

export type Dice = {
  /** A number from `low` up to `high`. */
  between(low: number, high: number): number
  /** One of the list. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  chance(of: number): boolean
}

export const WIDTH = 1600
export const HEIGHT = 900

export const NIGHT = '#0b2530'
export const PETROL = '#123f4b'
export const TEAL = '#3c7a7d'
export const BUTTER = '#f5dfa0'
export const CREAM = '#fdf3d3'
export const PERSIMMON = '#e0714a'
export const PLUM = '#5b3a4a'

/** Mulberry32: small, even enough, and the same on every machine. */
export function makeDice(seed: number): Dice {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (low, high) => low + next() * (high - low),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    chance: (of) => next() < of,
  }
}

export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('')
}

export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more = '',
): string {
  return `<rect x="${r(x)}" y="${r(y)}" width="${r(width)}" height="${r(height)}" fill="${fill}" ${more}/>`
}

export function disc(x: number, y: number, radius: number, fill: string, opacity = 1): string {
  return `<circle cx="${r(x)}" cy="${r(y)}" r="${r(radius)}" fill="${fill}" opacity="${r(opacity)}"/>`
}

export function shape(d: string, fill: string, more = ''): string {
  return `<path d="${d}" fill="${fill}" ${more}/>`
}

export function stroke(d: string, colour: string, width: number, more = ''): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${r(width)}" stroke-linecap="round" ${more}/>`
}

export function r(value: number): string {
  return value.toFixed(1)
}

export function sky(top: string, bottom: string): string {
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}`
}

export function glow(x: number, y: number, radius: number, colour = BUTTER): string {
  return times(6, (ring) => disc(x, y, radius * (1 - ring / 7), colour, 0.07 + ring * 0.02))
}

export function stars(dice: Dice, count: number, below = 480): string {
  return times(count, () =>
    disc(
      dice.between(0, WIDTH),
      dice.between(0, below),
      dice.between(0.8, 2.6),
      CREAM,
      dice.between(0.3, 0.9),
    ),
  )
}

/** A ridge from edge to edge, as a closed shape down to the bottom. */
export function ridge(dice: Dice, base: number, swing: number, fill: string): string {
  const [a, b, phase] = [dice.between(1.2, 3), dice.between(4, 7), dice.between(0, 6)]
  const points = Array.from({ length: 41 }, (_, step) => {
    const at = step / 40
    return `${r(at * WIDTH)},${r(base + Math.sin(at * a * Math.PI + phase) * swing + Math.sin(at * b * Math.PI + phase) * swing * 0.3)}`
  })
  return shape(`M0,${HEIGHT} L${points.join(' L')} L${WIDTH},${HEIGHT} Z`, fill)
}
