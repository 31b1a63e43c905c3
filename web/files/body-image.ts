// Images inside post bodies. Their size and type are told in the address
// (`…/view?project=blog&width=1600&height=900&type=png`), because the body is all that is stored of
// a post's text; the server ignores them there. Works on tags that the server has cleaned.

/** Widths that screens have, in image pixels. */
const WIDTHS = [480, 768, 1152, 1536]
/** The column of a post's text, and a little more for its margins. */
const COLUMN = '44rem'
const QUALITY = 80
const SIDE_MAX = 12_000
/** A preview of a moving picture may stand still. */
const MOVING = 'gif'

type ImageHints = { width: number; height: number; type: string }

/**
 * What is known of an image that is about to be put into a text; undefined when the browser can not
 * decode it.
 */
export async function measureImage(file: File): Promise<ImageHints | undefined> {
  try {
    const { width, height } = await createImageBitmap(file)
    return { width, height, type: file.type.replace(/^image\//, '') }
  } catch {
    return undefined
  }
}

/** @param path as `viewPath` gave it */
export function withHints(path: string, hints: ImageHints | undefined): string {
  return hints ? `${path}&width=${hints.width}&height=${hints.height}&type=${hints.type}` : path
}

/**
 * Gives the tag of an own image what its address tells: width and height, so that nothing moves
 * when it arrives, and addresses of smaller versions. Tags of other images come back as they are.
 *
 * @param tag a whole `<img …>`, sanitised
 */
export function fitBodyImage(tag: string): string {
  const [, base, query] =
    /\ssrc="(\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+)\/view\?([^"]*)"/.exec(tag) ?? []
  if (base === undefined || query === undefined) return tag
  const told = new URLSearchParams(query.replaceAll('&amp;', '&'))
  const [width, height] = [readSide(told.get('width')), readSide(told.get('height'))]
  if (!width || !height) return tag
  const shownWidth = readSide(/\swidth="(\d+)"/.exec(tag)?.[1] ?? null)
  const sized =
    shownWidth || /\sheight=/.test(tag) ? tag : addTo(tag, `width="${width}" height="${height}"`)
  if (told.get('type') === MOVING) return sized
  const project = encodeURIComponent(told.get('project') ?? '')
  const widths = WIDTHS.some((one) => one >= width)
    ? [...WIDTHS.filter((one) => one < width), width]
    : WIDTHS
  const sources = widths.map(
    (one) =>
      `${base}/preview?project=${project}&amp;width=${one}&amp;quality=${QUALITY}&amp;output=webp ${one}w`,
  )
  return addTo(
    sized,
    `srcset="${sources.join(', ')}" sizes="min(${shownWidth || width}px, 100vw, ${COLUMN})"`,
  )
}

/** 0 when it is no size of an image. */
function readSide(text: string | null): number {
  const pixels = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0
  return pixels <= SIDE_MAX ? pixels : 0
}

function addTo(tag: string, attributes: string): string {
  return tag.replace(/^<img/i, `<img ${attributes}`)
}
