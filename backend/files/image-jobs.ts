// What a process that draws can do. Each takes bytes and an order, and gives bytes and what is to
// be said of them; whatever it throws means that the bytes are no image.
import { type CardTexts, drawCard } from './cards.ts'
import { sharp } from './image-library.ts'
import { readImage } from './images.ts'
import { drawInitials } from './initials.ts'
import { drawPreview } from './preview-drawing.ts'

type Card = { texts: CardTexts; width: number }
type Initials = { initials: string; size: { width: number; height: number }; color: string }

export const IMAGE_JOBS = {
  upload: readImage,
  preview: drawPreview,
  /** Codes, flags, icons. */
  svg: async (svg: Buffer, _order: null) => ({
    bytes: await sharp(svg).png({ palette: true }).toBuffer(),
  }),
  card: async (face: Buffer, { texts, width }: Card) => ({
    bytes: await drawCard(texts, face.length > 0 ? face : undefined, width),
  }),
  initials: async (_none: Buffer, { initials, size, color }: Initials) => ({
    bytes: await drawInitials(initials, size, color),
  }),
}

export type ImageJobs = typeof IMAGE_JOBS
