// Draws the cover of a post from its title: the first letter on one of four backgrounds, as the
// blog shows a post without an image. The result is a file that is uploaded like any other.
import { useState } from 'react'
import { texts } from '../locales/texts.ts'
import { COVER_BACKGROUNDS, coverOf } from '../posts/featured-image.tsx'
import { directionOf } from '../posts/plain-text.ts'

const COVER_SIZE = { width: 1600, height: 900 }

const LIGHT = { radius: 544, opacity: 0.16 }
const BAR = { x: 960, y: 802, width: 560, height: 24, radius: 12, opacity: 0.38 }
/** Cut by the lower edge. */
const STANDING = { x: 48, baseline: 985, pixels: 928 }
const CENTERED = { pixels: 640, widthMax: 1360, heightMax: 700 }
/** Identifies a drawn cover, also when it is restored with a draft. */
const FILE_NAME = /^drawn-cover-([1-4])\.png$/

type Cover = { title: string; slug: string; background: number }

/** @returns the number of the background of a drawn cover; undefined for any other file */
function drawnBackground(file: File | undefined): number | undefined {
  const number = FILE_NAME.exec(file?.name ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * @param before the cover to be replaced: the new one has the next background
 * @returns undefined when this browser cannot draw
 */
async function drawCover(
  { title, slug }: Pick<Cover, 'title' | 'slug'>,
  before?: File,
): Promise<File | undefined> {
  const last = drawnBackground(before)
  const background =
    last === undefined ? coverOf({ title, slug }).background : (last % COVER_BACKGROUNDS) + 1
  const canvas = Object.assign(document.createElement('canvas'), COVER_SIZE)
  const paint = canvas.getContext('2d')
  if (!paint) return undefined
  const { letter } = coverOf({ title, slug })
  // A font that cannot be loaded is replaced by the next one of the list.
  await document.fonts
    .load(`500 ${STANDING.pixels}px ${token('--font-read')}`, letter)
    .catch(() => [])
  paintCover(paint, { title, slug, background })
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  return bytes
    ? new File([bytes], `drawn-cover-${background}.png`, { type: 'image/png' })
    : undefined
}

function paintCover(paint: CanvasRenderingContext2D, { title, slug, background }: Cover): void {
  const { width, height } = COVER_SIZE
  const { letter, isCentered } = coverOf({ title, slug })
  const ink = token('--cover-letter')
  paint.fillStyle = token(`--cover-${background}`)
  paint.fillRect(0, 0, width, height)
  paint.fillStyle = ink
  paint.save()
  if (directionOf(title) === 'rtl') {
    paint.translate(width, 0)
    paint.scale(-1, 1)
  }
  paint.globalAlpha = LIGHT.opacity
  paint.beginPath()
  paint.moveTo(width, 0)
  paint.arc(width, 0, LIGHT.radius, Math.PI / 2, Math.PI)
  paint.fill()
  if (!isCentered) {
    paint.globalAlpha = BAR.opacity
    paint.beginPath()
    paint.roundRect(BAR.x, BAR.y, BAR.width, BAR.height, BAR.radius)
    paint.fill()
  }
  paint.restore()
  if (isCentered) paintCentered(paint, letter)
  else {
    paint.font = `500 ${STANDING.pixels}px ${token('--font-read')}`
    paint.fillText(letter, STANDING.x, STANDING.baseline)
  }
}

/** Whole, in the middle: of its outline, not of its baseline. */
function paintCentered(paint: CanvasRenderingContext2D, letter: string): void {
  const { pixels, widthMax, heightMax } = CENTERED
  paint.font = `500 ${pixels}px ${token('--font-read')}`
  const whole = boxOf(paint, letter)
  const scale = Math.min(1, widthMax / whole.width, heightMax / whole.height)
  paint.font = `500 ${pixels * scale}px ${token('--font-read')}`
  const { left, top, width, height } = boxOf(paint, letter)
  paint.fillText(
    letter,
    (COVER_SIZE.width - width) / 2 + left,
    (COVER_SIZE.height - height) / 2 + top,
  )
}

/** The box of a letter; `left` and `top` lead from its corner to the point where drawing starts. */
function boxOf(paint: CanvasRenderingContext2D, letter: string) {
  const {
    actualBoundingBoxLeft: left,
    actualBoundingBoxRight: right,
    actualBoundingBoxAscent: top,
    actualBoundingBoxDescent: bottom,
  } = paint.measureText(letter)
  return { left, top, width: Math.max(1, left + right), height: Math.max(1, top + bottom) }
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

type Fields = { title: string; slug: string; image: File | undefined }

/**
 * "Generate from title": draws the featured image of the form.
 *
 * @returns `drawing` for the image field, and the problem of the title field when it was empty
 */
export function useDrawnCover(
  { title, slug, image }: Fields,
  onChange: (file: File | undefined) => void,
) {
  const [wantsTitle, setWantsTitle] = useState(false)
  async function draw() {
    const isMissing = title.trim() === ''
    setWantsTitle(isMissing)
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
    titleProblem: wantsTitle && title.trim() === '' ? texts.problems.title : undefined,
  }
}
