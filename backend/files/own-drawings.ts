// Initials and share cards: drawn in their turn, once for all who ask, and kept like previews.
import { type CardTexts, FACE_SIDE } from './cards.ts'
import { runImageJob } from './image-process.ts'
import type { ImageAsker } from './image-queue.ts'
import { backgroundOf, initialsOf } from './initials.ts'
import type { DrawingNeeds } from './previews.ts'

const INITIALS_SIDE_DEFAULT_PIXELS = 500

/** Sides are pixels, 0 means the default; `background` is `#rrggbb`. */
export type InitialsLook = {
  name: string
  width: number
  height: number
  background: string | undefined
}
export function makeInitials({ imageQueue, drawOnce }: DrawingNeeds) {
  return (look: InitialsLook, asker: ImageAsker): Promise<Buffer> => {
    const size = {
      width: look.width || INITIALS_SIDE_DEFAULT_PIXELS,
      height: look.height || INITIALS_SIDE_DEFAULT_PIXELS,
    }
    const initials = initialsOf(look.name)
    const color = look.background ?? backgroundOf(initials)
    return drawOnce(['initials', initials, size, color], asker, (own) =>
      imageQueue.run(own, {}, async () => {
        const order = { initials, size, color }
        return (await runImageJob('initials', Buffer.alloc(0), order)).bytes
      }),
    )
  }
}

/** A card to be drawn. */
type Card = {
  /** Names everything that the card shows. */
  key: string
  /** In pixels; the height follows. */
  width: number
  /** Asked only when the card has to be drawn. */
  read(): Promise<CardTexts>
  /** The author's face, round, of this side; undefined when there is none to be seen. */
  readFace(sidePixels: number): Promise<Buffer | undefined>
}

export function makeCards({ imageQueue, drawOnce }: DrawingNeeds) {
  return ({ key, width, ...card }: Card, asker: ImageAsker): Promise<Buffer> =>
    drawOnce(['card', key, width], asker, async (own) => {
      const face = (await card.readFace(FACE_SIDE)) ?? Buffer.alloc(0)
      const texts = await card.read()
      return await imageQueue.run(
        own,
        {},
        async () => (await runImageJob('card', face, { texts, width })).bytes,
      )
    })
}
