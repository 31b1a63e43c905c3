// The images of what is pasted: where the clipboard has their bytes they are stored like any other,
// and where it has not, the writer is told. Loads nothing from other sites.

import { readRtfPictures } from './rtf-pictures.ts'

/** What a program lays on the clipboard, read while the event lasts. */
export type Pasted = { html: string; text: string; rtf: string; files: readonly File[] }

/** `handed`: the program kept its bytes to itself; `away`: it is on another site. */
export type Missing = 'handed' | 'away'

export type TakenImages = {
  /** The same HTML, with `markOf(n)` as the address of the image of `files[n]`. */
  html: string
  files: File[]
  missing: Missing[]
}

type Tag = { at: number; source: string; image: HTMLImageElement }

const TAG = /<!--[\s\S]*?-->|<img\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi
const SOURCE = /\ssrc\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/i
const DATA_IMAGE = /^data:(image\/[\w.+-]+)(?:;[\w=.-]+)*;base64,(.*)$/is
const OFFICE =
  /urn:schemas-microsoft-com:office|content=["']?(?:Word|Excel|PowerPoint)\.|LibreOffice/i
/** How far the shapes of the same picture may differ, as pages name them rounded. */
const SHAPE_TOLERANCE = 0.04

export function markOf(index: number): string {
  return `blob:${location.origin}/pasted-${index}`
}

export function markIndex(address: string | null): number | undefined {
  const [, index] = /\/pasted-(\d+)$/.exec(address ?? '') ?? []
  return index === undefined || !address?.startsWith('blob:') ? undefined : Number(index)
}

/** Finds the bytes of each image. */
export async function takeImages(pasted: Pasted): Promise<TakenImages> {
  const tags = findTags(pasted.html)
  const found = new Map<Tag, File>()
  for (const [index, tag] of tags.entries()) {
    const file = fileFromData(tag.image, index) ?? (await fileFromBlob(tag.image, index))
    if (file) found.set(tag, file)
  }
  const wanted = tags.filter((tag) => !found.has(tag) && !isOwn(tag.image))
  const local = wanted.filter(({ image }) => !isAway(image))
  const pictures = local.length > 0 ? readRtfPictures(pasted.rtf) : []
  if (pictures.length === local.length)
    for (const [index, tag] of local.entries()) {
      const picture = pictures[index]
      if (picture) found.set(tag, new File([picture.bytes], nameFor(index), { type: picture.type }))
    }
  const left = wanted.filter((tag) => !found.has(tag))
  if (left.length === pasted.files.length)
    for (const [index, tag] of left.entries()) {
      const file = pasted.files[index]
      if (file && (await isOfTag(file, tag.image, pasted))) found.set(tag, file)
    }
  return {
    html: withMarks(pasted.html, tags, found),
    files: tags.flatMap((tag) => found.get(tag) ?? []),
    missing: wanted
      .filter((tag) => !found.has(tag))
      .map(({ image }) => (isAway(image) ? 'away' : 'handed')),
  }
}

function findTags(html: string): Tag[] {
  return [...html.matchAll(TAG)].flatMap(({ index, 0: source }) => {
    if (source.startsWith('<!--')) return []
    // Only what says where the image is and how large: nothing of the tag may run.
    const { body } = new DOMParser().parseFromString(
      source.replace(/\s(?:on\w+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi, ''),
      'text/html',
    )
    const image = body.querySelector('img')
    return image && !isNoPicture(image) ? [{ at: index, source, image }] : []
  })
}

/** Signs, checkboxes and what counts readers. */
function isNoPicture(image: HTMLImageElement): boolean {
  const isDot = ['width', 'height'].every((side) => /^[01]$/.test(image.getAttribute(side) ?? ''))
  return isDot || image.hasAttribute('aria-roledescription') || !image.getAttribute('src')
}

function withMarks(html: string, tags: readonly Tag[], found: Map<Tag, File>): string {
  let marked = ''
  let end = 0
  let index = 0
  for (const tag of tags.filter((one) => found.has(one))) {
    marked += html.slice(end, tag.at) + tag.source.replace(SOURCE, ` src="${markOf(index)}"`)
    end = tag.at + tag.source.length
    index += 1
  }
  return marked + html.slice(end)
}

function addressOf(image: HTMLImageElement): string {
  return (image.getAttribute('src') ?? '').trim()
}

function isAway(image: HTMLImageElement): boolean {
  return /^(?:https?:)?\/\//i.test(addressOf(image))
}

function isOwn(image: HTMLImageElement): boolean {
  const address = addressOf(image)
  return (
    !/^(?:data|blob|file|cid):/i.test(address) &&
    URL.canParse(address, location.href) &&
    new URL(address, location.href).origin === location.origin
  )
}

function fileFromData(image: HTMLImageElement, index: number): File | undefined {
  const [, type = '', base64] = DATA_IMAGE.exec(addressOf(image)) ?? []
  if (base64 === undefined) return undefined
  try {
    const binary = atob(decodeURIComponent(base64).replace(/\s/g, ''))
    const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
    return new File([bytes], nameFor(index), { type })
  } catch {
    return undefined
  }
}

/** What another page of this site holds in memory; it can be shown, so it can be drawn. */
async function fileFromBlob(image: HTMLImageElement, index: number): Promise<File | undefined> {
  const address = addressOf(image)
  if (!address.startsWith(`blob:${location.origin}/`)) return undefined
  const shown = new Image()
  shown.src = address
  try {
    await shown.decode()
    const canvas = document.createElement('canvas')
    canvas.width = shown.naturalWidth
    canvas.height = shown.naturalHeight
    canvas.getContext('2d')?.drawImage(shown, 0, 0)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    return blob ? new File([blob], nameFor(index), { type: blob.type }) : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a file of the clipboard is the image of this tag. Office programs add a picture of all
 * that was copied; that one has another shape.
 */
async function isOfTag(file: File, image: HTMLImageElement, pasted: Pasted): Promise<boolean> {
  const hasText = pasted.text.trim() !== ''
  const [width, height] = ['width', 'height'].map((side) => Number(image.getAttribute(side)))
  if (!hasText || !OFFICE.test(pasted.html) || !width || !height) return true
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return false
  const share = (bitmap.width * height) / (bitmap.height * width)
  bitmap.close()
  return Math.abs(share - 1) <= SHAPE_TOLERANCE
}

function nameFor(index: number): string {
  return `picture-${index + 1}.png`
}

/**
 * Puts a block in the place of each marked image of cleaned HTML, between the blocks around it.
 *
 * @param makeBlock for the image of `files[index]`, with the attributes that its tag keeps
 */
export function placeBlocks(
  html: string,
  makeBlock: (index: number, attributes: Record<string, string>) => string,
): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const image of [...body.querySelectorAll('img')]) {
    const index = markIndex(image.getAttribute('src'))
    if (index === undefined) continue
    const attributes = Object.fromEntries(
      [...image.attributes]
        .filter(({ name }) => name !== 'src')
        .map(({ name, value }) => [name, value]),
    )
    const template = document.createElement('template')
    template.innerHTML = makeBlock(index, attributes)
    const block = template.content.firstElementChild
    if (!block) continue
    image.replaceWith(block)
    liftOut(block)
  }
  return body.innerHTML
}

const HOLDS_BLOCKS = 'body,td,th,li,dd,dt,blockquote,div,figure'

/** Divides the elements of running text around a block. */
function liftOut(block: Element): void {
  for (let parent = block.parentElement; parent && !parent.matches(HOLDS_BLOCKS); ) {
    const rest = parent.cloneNode(false) as Element
    while (block.nextSibling) rest.append(block.nextSibling)
    parent.after(block, rest)
    for (const part of [parent, rest])
      if (!part.textContent?.trim() && !part.querySelector('img,br,hr')) part.remove()
    parent = block.parentElement
  }
}
