// Share cards: an image for posts without one of their own, drawn once and kept like a preview.
import { Refusal } from '#contract/errors.ts'
import { makeWorkThread } from '../process/work-thread.ts'
import { CARD_SIZE, type CardDrawing, type CardTexts, FACE } from './card-svg.ts'
import { cardPrice } from './image-price.ts'
import type { ImageAsker } from './image-queue.ts'
import { decodeOrRefuse, loadSharp, type WorkTime } from './image-work.ts'
import { type DrawingNeeds, drawOnce } from './previews.ts'

/** How long the letters of one share card may take; most take a tenth of a second. */
const CARD_MAX_MS = 5000
/** How long the thread that sets them is kept, with the fonts that it has read. */
const CARD_IDLE_MS = 30_000

/** A card to be drawn. */
type Card = {
  /** Names everything that the card shows. */
  key: string
  /** In pixels; the height follows. */
  width: number
  /** Asked only when the card has to be drawn. */
  read(): Promise<Omit<CardTexts, 'hasFace'>>
  /** The author's face, round, of this side; undefined when there is none to be seen. */
  readFace(sidePixels: number): Promise<Buffer | undefined>
}

const THREAD = new URL('./card-thread.ts', import.meta.url)
const MEMORY_MB = 192

export function makeCards(needs: DrawingNeeds) {
  const setLetters = makeWorkThread<CardTexts, CardDrawing>(THREAD, {
    ...{ maxMs: CARD_MAX_MS, idleMs: CARD_IDLE_MS, memoryMb: MEMORY_MB },
  })
  return ({ key, width, ...card }: Card, asker: ImageAsker): Promise<Buffer> =>
    drawOnce(needs, ['card', key, width], asker, async () => {
      const face = await card.readFace(FACE.side)
      const texts = { ...(await card.read()), hasFace: face !== undefined }
      const size = { width, height: Math.round((width / CARD_SIZE.width) * CARD_SIZE.height) }
      return {
        price: cardPrice(size),
        async work(time) {
          const drawn = await setLetters(texts)
          if (typeof drawn === 'string')
            throw new Refusal('general_service_disabled', 'The image takes too long to work on.', {
              headers: { 'retry-after': '5' },
            })
          return await decodeOrRefuse(time, () => encodeCard(drawn.answer, { face, time, size }))
        },
      }
    })
}

async function encodeCard(
  { svg, isRightToLeft }: CardDrawing,
  {
    face,
    time,
    size,
  }: { face: Buffer | undefined; time: WorkTime; size: { width: number; height: number } },
): Promise<Buffer> {
  const sharp = await loadSharp()
  const card = time.timed(sharp(Buffer.from(svg)))
  const left = isRightToLeft ? CARD_SIZE.width - FACE.left - FACE.side : FACE.left
  const withFace = face ? card.composite([{ input: face, left, top: FACE.top }]) : card
  if (size.width === CARD_SIZE.width) return await withFace.png(PNG).toBuffer()
  // The library scales before it composes.
  const whole = await withFace.png({ compressionLevel: 1 }).toBuffer()
  return await time.timed(sharp(whole)).resize(size).png(PNG).toBuffer()
}

const PNG = { compressionLevel: 9 } as const
