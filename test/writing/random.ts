// Repeatable random numbers: the same seed gives the same numbers everywhere.

export type Chance = {
  /** A whole number from 0, less than the limit. */
  below(limit: number): number
  oneOf<Item>(items: readonly Item[]): Item
  /** True with this probability in per cent. */
  percent(share: number): boolean
}

const STEP = 0x6d_2b_79_f5

/** @source the generator known as mulberry32 */
export function makeChance(seed: number): Chance {
  // Neighbouring seeds must begin far from each other.
  let state = Math.imul(seed ^ 0x9e_37_79_b9, 0x85_eb_ca_6b)
  state ^= state >>> 13
  const next = (): number => {
    state = (state + STEP) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    oneOf<Item>(items: readonly Item[]): Item {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to choose from')
      return item
    },
    percent: (share) => below(100) < share,
  }
}
