// Arrow keys, Home and End in a row or column of items, which goes on at its other end.

const DOWN = { next: 'ArrowDown', previous: 'ArrowUp' }
export const ACROSS = { next: 'ArrowRight', previous: 'ArrowLeft' }

/** @returns the item to which a key leads; undefined for any other key */
export function nextIndex(
  key: string,
  index: number,
  count: number,
  keys = DOWN,
): number | undefined {
  if (count === 0) return undefined
  if (key === keys.next) return (index + 1) % count
  if (key === keys.previous) return (Math.max(index, 0) - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}
