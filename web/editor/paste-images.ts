// The images of a paste: if the clipboard has their bytes, they are stored like any other image;
// otherwise a notice tells the writer. Loads nothing from other sites.

import { addressOf, isExternal, isSameOrigin } from './external-media.ts'
import { isTracker } from './paste-cleaning.ts'
import { readRtfPictures } from './rtf-images.ts'

/** The data of the clipboard, read during the paste event. */
export type PastedData = { html: string; text: string; rtf: string; files: readonly File[] }

/** `notProvided`: the clipboard lacks the image's bytes; `external`: it is on another site. */
export type MissingReason = 'notProvided' | 'external'

export type CollectedImages = { files: Map<HTMLImageElement, File>; missing: MissingReason[] }

const DATA_IMAGE = /^data:(image\/[\w.+-]+)(?:;[\w=.-]+)*;base64,(.*)$/is
const OFFICE =
  /urn:schemas-microsoft-com:office|content=["']?(?:Word|Excel|PowerPoint)\.|LibreOffice/i
/** How far the aspect ratios of the same picture may differ, because sizes are rounded. */
const SHAPE_TOLERANCE = 0.04

/** Finds the bytes of each image of the pasted document. */
export async function collectImages(
  body: HTMLElement,
  pasted: PastedData,
): Promise<CollectedImages> {
  const images = [...body.querySelectorAll('img')].filter(isPicture)
  const files = new Map<HTMLImageElement, File>()
  const take = (image: HTMLImageElement, bytes: BlobPart, type: string): void => {
    files.set(image, new File([bytes], `picture-${files.size + 1}.png`, { type }))
  }
  const withoutBytes = () =>
    images.filter((image) => !files.has(image) && !isSameOrigin(addressOf(image)))
  for (const image of images) {
    const data = readData(addressOf(image))
    if (data) take(image, data.bytes, data.type)
  }
  const local = withoutBytes().filter((image) => !isExternal(addressOf(image)))
  const pictures = local.length > 0 ? readRtfPictures(pasted.rtf) : []
  if (pictures.length === local.length)
    for (const [index, image] of local.entries()) {
      const picture = pictures[index]
      if (picture) take(image, picture.bytes, picture.type)
    }
  const remaining = withoutBytes()
  if (remaining.length === pasted.files.length)
    for (const [index, image] of remaining.entries()) {
      const file = pasted.files[index]
      if (file && (await isFileOf(file, image, pasted))) files.set(image, file)
    }
  const missing = withoutBytes().map((image) =>
    isExternal(addressOf(image)) ? 'external' : 'notProvided',
  )
  return { files, missing }
}

/**
 * The alternative texts of the images if nothing else was copied; empty if there is also text.
 */
export function findLoneImages(body: HTMLElement): string[] {
  return body.textContent?.trim()
    ? []
    : [...body.querySelectorAll('img')].map(({ alt }) => alt.replace(/\s+/g, ' ').trim())
}

/** Whether the image is neither a checkbox nor a tracking pixel. */
function isPicture(image: HTMLImageElement): boolean {
  return !isTracker(image) && !image.hasAttribute('aria-roledescription') && addressOf(image) !== ''
}

function readData(address: string): { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined {
  const [, type = '', base64] = DATA_IMAGE.exec(address) ?? []
  if (base64 === undefined) return undefined
  try {
    const binary = atob(decodeURIComponent(base64).replace(/\s/g, ''))
    return { type, bytes: Uint8Array.from(binary, (character) => character.charCodeAt(0)) }
  } catch {
    return undefined
  }
}

/**
 * Whether a file of the clipboard contains this image. Office programs add a picture of all the
 * copied content, which has another aspect ratio.
 */
async function isFileOf(file: File, image: HTMLImageElement, pasted: PastedData): Promise<boolean> {
  const [width, height] = ['width', 'height'].map((side) => Number(image.getAttribute(side)))
  if (pasted.text.trim() === '' || !OFFICE.test(pasted.html) || !width || !height) return true
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return false
  const ratio = (bitmap.width * height) / (bitmap.height * width)
  bitmap.close()
  return Math.abs(ratio - 1) <= SHAPE_TOLERANCE
}
