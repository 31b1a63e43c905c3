// Images inside post bodies. Their size and type are part of the address
// (`…/view?project=blog&width=1600&height=900&type=png`), because nothing but the body's HTML is
// stored; the server ignores these parameters. Works on tags that the server has cleaned.

/** Widths of the smaller versions, in image pixels. */
const WIDTHS = [480, 768, 1152, 1536]
/** The width of a post's text column with its margins. */
const COLUMN = '44rem'
const QUALITY = 80
const SIDE_MAX = 12_000
/** A preview may show only the first frame of an animation. */
const ANIMATED = 'gif'

type ImageHints = { width: number; height: number; type: string }

/** The size and type of an image; undefined if the browser cannot decode it. */
export async function measureImage(file: File): Promise<ImageHints | undefined> {
  try {
    const { width, height } = await createImageBitmap(file)
    return { width, height, type: file.type.replace(/^image\//, '') }
  } catch {
    return undefined
  }
}

/** @param path the result of `viewPath` */
export function withHints(path: string, hints: ImageHints | undefined): string {
  return hints ? `${path}&width=${hints.width}&height=${hints.height}&type=${hints.type}` : path
}

/**
 * Adds attributes to an image of this site, from its address: width and height, so that the text
 * does not move when the image loads, and a `srcset` of smaller versions. Other tags stay as they
 * are.
 *
 * @param tag a whole `<img …>`, sanitised
 */
export function fitBodyImage(tag: string): string {
  const [, base, query] =
    /\ssrc="(\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+)\/view\?([^"]*)"/.exec(tag) ?? []
  if (base === undefined || query === undefined) return tag
  const hints = new URLSearchParams(query.replaceAll('&amp;', '&'))
  const width = parseSide(hints.get('width'))
  const height = parseSide(hints.get('height'))
  if (!width || !height) return tag
  const shownWidth = parseSide(/\swidth="(\d+)"/.exec(tag)?.[1] ?? null)
  const sized =
    shownWidth || /\sheight=/.test(tag)
      ? tag
      : addAttributes(tag, `width="${width}" height="${height}"`)
  if (hints.get('type') === ANIMATED) return sized
  const project = encodeURIComponent(hints.get('project') ?? '')
  const widths = WIDTHS.some((smaller) => smaller >= width)
    ? [...WIDTHS.filter((smaller) => smaller < width), width]
    : WIDTHS
  const sources = widths.map(
    (pixels) =>
      `${base}/preview?project=${project}&amp;width=${pixels}&amp;quality=${QUALITY}&amp;output=webp ${pixels}w`,
  )
  return addAttributes(
    sized,
    `srcset="${sources.join(', ')}" sizes="min(${shownWidth || width}px, 100vw, ${COLUMN})"`,
  )
}

/** @returns 0 for an invalid size */
function parseSide(text: string | null): number {
  const pixels = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0
  return pixels <= SIDE_MAX ? pixels : 0
}

function addAttributes(tag: string, attributes: string): string {
  return tag.replace(/^<img/i, `<img ${attributes}`)
}
