// The colour that most of a picture has, from a few of its pixels: what stands in its box until it
// has come. Knows no decoder.

/**
 * Pixels in rows, as decoded: `channels` bytes each, grey or red, green, blue, the last one alpha
 * when there are two or four.
 */
export type Samples = { data: Buffer; width: number; height: number; channels: number }

/** Rows looked at, evenly spread: enough for a colour, and never long. */
const ROWS = 64
/** Colours that differ in the lower bits only count as one. */
const KEPT_BITS = 4
const OPAQUE_MIN = 250

type Bin = { count: number; sums: [red: number, green: number, blue: number] }

/**
 * The mean of the largest group of like colours.
 *
 * @returns `#rrggbb`; empty when anything is see-through: its own colour behind a picture would
 *   hide what it shows
 */
export function dominantColor({ data, width, height, channels }: Samples): string {
  const hasAlpha = channels === 2 || channels === 4
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  const bins = new Map<number, Bin>()
  let largest: Bin | undefined
  for (let row = 0; row < Math.min(ROWS, height); row++) {
    const start = Math.floor(((row + 0.5) * height) / Math.min(ROWS, height)) * width * channels
    for (let at = start; at < start + width * channels; at += channels) {
      if (hasAlpha && data.readUInt8(at + channels - 1) < OPAQUE_MIN) return ''
      const color = [
        data.readUInt8(at),
        data.readUInt8(at + green),
        data.readUInt8(at + blue),
      ] as const
      const bin = addTo(bins, color)
      if (largest === undefined || bin.count > largest.count) largest = bin
    }
  }
  if (!largest) return ''
  const { count, sums } = largest
  return `#${sums
    .map((sum) =>
      Math.round(sum / count)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function addTo(bins: Map<number, Bin>, [red, green, blue]: readonly [number, number, number]): Bin {
  const shift = 8 - KEPT_BITS
  const key =
    ((red >> shift) << (2 * KEPT_BITS)) | ((green >> shift) << KEPT_BITS) | (blue >> shift)
  const bin = bins.get(key) ?? { count: 0, sums: [0, 0, 0] }
  bins.set(key, bin)
  const [reds, greens, blues] = bin.sums
  bin.count += 1
  bin.sums = [reds + red, greens + green, blues + blue]
  return bin
}
