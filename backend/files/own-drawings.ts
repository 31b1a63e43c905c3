// Images of our own: initials, share cards, QR codes. Drawn in their turn, once for all who ask,
// and kept like previews. Asks no other server.
import type { CardTexts } from './cards.ts'
import type { QrLook } from './image-child.ts'
import type { ImageAsker } from './image-queue.ts'
import { backgroundOf, FACE_SIDE } from './initials.ts'
import type { Previews } from './previews.ts'

const NONE = Buffer.alloc(0)

/** Sides are pixels; `background` is `#rrggbb`, by the letters when it is undefined. */
type LettersLook = {
  letters: string
  size: { width: number; height: number }
  background: string | undefined
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

export function makeOwnDrawings({ drawOwn }: Pick<Previews, 'drawOwn'>) {
  return {
    drawLetters({ letters, size, background }: LettersLook, asker: ImageAsker): Promise<Buffer> {
      const order = { initials: letters, size, color: background ?? backgroundOf(letters) }
      return drawOwn('initials', ['initials', order], asker, async () => ({ bytes: NONE, order }))
    },
    drawCard: ({ key, width, ...card }: Card, asker: ImageAsker): Promise<Buffer> =>
      drawOwn('card', ['card', key, width], asker, async () => ({
        bytes: (await card.readFace(FACE_SIDE)) ?? NONE,
        order: { texts: await card.read(), width },
      })),
    drawQr: (order: QrLook, asker: ImageAsker): Promise<Buffer> =>
      drawOwn('qr', ['qr', order], asker, async () => ({ bytes: NONE, order })),
  }
}
