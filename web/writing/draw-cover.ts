// Draws the cover of a post from its title: the first letter on one of four backgrounds, as the
// blog shows a post without an image. The result is a file that is uploaded like any other.
import { useState } from 'react'
import { texts } from '../locales/texts.ts'
import { COVER_BACKGROUNDS, coverOf } from '../posts/featured-image.tsx'
import { directionOf } from '../posts/plain-text.ts'

const COVER_SIZE = { width: 1600, height: 900 }

/** The quarter of a circle in an upper corner. */
const LIGHT = { radius: 544, opacity: 0.16 }
const BAR = { x: 960, y: 802, width: 560, height: 24, radius: 12, opacity: 0.38 }
/** The letter stands in a lower corner, cut off by the edge. */
const CORNER_LETTER = { x: 48, baseline: 985, pixels: 928 }
const CENTERED_LETTER = { pixels: 640, widthMax: 1360, heightMax: 700 }
/** Identifies a drawn cover, also when it is restored with a draft. */
const FILE_NAME = /^drawn-cover-([1-4])\.png$/

type Cover = { title: string; slug: string; background: number }

/** @returns the number of the background of a drawn cover; undefined for any other file */
export function drawnBackground(file: File | undefined): number | undefined {
  const number = FILE_NAME.exec(file?.name ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * @param previousCover the cover to be replaced: the new one gets the next background
 * @returns undefined when this browser cannot draw
 */
export async function drawCover(
  { title, slug }: Pick<Cover, 'title' | 'slug'>,
  previousCover?: File,
): Promise<File | undefined> {
  const previous = drawnBackground(previousCover)
  const background =
    previous === undefined
      ? coverOf({ title, slug }).background
      : (previous % COVER_BACKGROUNDS) + 1
  const canvas = Object.assign(document.createElement('canvas'), COVER_SIZE)
  const context = canvas.getContext('2d')
  if (!context) return undefined
  const { letter } = coverOf({ title, slug })
  // If the font cannot be loaded, the browser uses the next one in the list.
  await document.fonts
    .load(`500 ${CORNER_LETTER.pixels}px ${token('--font-read')}`, letter)
    .catch(() => [])
  paintCover(context, { title, slug, background })
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return bytes
    ? new File([bytes], `drawn-cover-${background}.png`, { type: 'image/png' })
    : undefined
}

function paintCover(context: CanvasRenderingContext2D, { title, slug, background }: Cover): void {
  const { width, height } = COVER_SIZE
  const { letter, isCentered } = coverOf({ title, slug })
  const ink = token('--cover-letter')
  context.fillStyle = token(`--cover-${background}`)
  context.fillRect(0, 0, width, height)
  context.fillStyle = ink
  context.save()
  if (directionOf(title) === 'rtl') {
    context.translate(width, 0)
    context.scale(-1, 1)
  }
  context.globalAlpha = LIGHT.opacity
  context.beginPath()
  context.moveTo(width, 0)
  context.arc(width, 0, LIGHT.radius, Math.PI / 2, Math.PI)
  context.fill()
  if (!isCentered) {
    context.globalAlpha = BAR.opacity
    context.beginPath()
    context.roundRect(BAR.x, BAR.y, BAR.width, BAR.height, BAR.radius)
    context.fill()
  }
  context.restore()
  if (isCentered) paintCentered(context, letter)
  else {
    context.font = `500 ${CORNER_LETTER.pixels}px ${token('--font-read')}`
    context.fillText(letter, CORNER_LETTER.x, CORNER_LETTER.baseline)
  }
}

/** Paints the whole letter in the middle, centred by its outline and not by its baseline. */
function paintCentered(context: CanvasRenderingContext2D, letter: string): void {
  const { pixels, widthMax, heightMax } = CENTERED_LETTER
  context.font = `500 ${pixels}px ${token('--font-read')}`
  const fullSize = boxOf(context, letter)
  const scale = Math.min(1, widthMax / fullSize.width, heightMax / fullSize.height)
  context.font = `500 ${pixels * scale}px ${token('--font-read')}`
  const { left, top, width, height } = boxOf(context, letter)
  context.fillText(
    letter,
    (COVER_SIZE.width - width) / 2 + left,
    (COVER_SIZE.height - height) / 2 + top,
  )
}

/** The box of a letter. `left` and `top` lead from its corner to the point where drawing starts. */
function boxOf(context: CanvasRenderingContext2D, letter: string) {
  const {
    actualBoundingBoxLeft: left,
    actualBoundingBoxRight: right,
    actualBoundingBoxAscent: top,
    actualBoundingBoxDescent: bottom,
  } = context.measureText(letter)
  return { left, top, width: Math.max(1, left + right), height: Math.max(1, top + bottom) }
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

type Fields = { title: string; slug: string; image: File | undefined }

/**
 * "Generate from title": draws the featured image of the form.
 *
 * @returns `drawing` for the image field; `titleProblem` if the button was pressed without a title
 */
export function useDrawnCover(
  { title, slug, image }: Fields,
  onChange: (file: File | undefined) => void,
) {
  const [hasTriedWithoutTitle, setTriedWithoutTitle] = useState(false)
  async function draw() {
    const isMissing = title.trim() === ''
    setTriedWithoutTitle(isMissing)
    if (isMissing) return document.getElementById('title')?.focus()
    const file = await drawCover({ title, slug }, image)
    if (file) onChange(file)
  }
  return {
    drawing: {
      isShown: drawnBackground(image) !== undefined,
      size: texts.imageField.size(COVER_SIZE),
      draw: () => void draw(),
    },
    titleProblem: hasTriedWithoutTitle && title.trim() === '' ? texts.problems.title : undefined,
  }
}
