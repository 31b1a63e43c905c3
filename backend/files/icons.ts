// Draws QR codes of a text, flags of countries and icons of brands as images. Asks no other server.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import encodeQR from 'qr'
import { Refusal } from '#contract/errors.ts'
import { type BrandSet, makeBrandIcons } from './brand-icons.ts'
import { iconPrice } from './image-price.ts'
import { type ImageAsker, type ImageQueue, workPaid } from './image-queue.ts'
import { decodeOrRefuse, loadSharp } from './image-work.ts'
import type { DrawingNeeds } from './previews.ts'

/** Sides in pixels; `margin` in the little squares of the code. */
export type QrLook = { text: string; side: number; margin: number }
export type FlagLook = { code: string; width: number; height: number }
export type BrandLook = FlagLook & { set: BrandSet }
export type DrawnIcon = { bytes: Buffer; etag: string }
export type Icons = {
  drawQr(look: QrLook, asker: ImageAsker): Promise<DrawnIcon>
  /** @throws Refusal `avatar_not_found` for a code that no flag has */
  drawFlag(look: FlagLook, asker: ImageAsker): Promise<DrawnIcon>
  /** @throws Refusal `avatar_not_found` for a code that has no icon */
  drawBrand(look: BrandLook, asker: ImageAsker): Promise<DrawnIcon>
}

const FLAGS = join(
  dirname(createRequire(import.meta.url).resolve('flag-icons/package.json')),
  'flags/4x3',
)

type Picture = { key: string; width: number; height: number; readSvg: () => Promise<string> }

/** Stored like previews. */
export function makeIcons({ imageQueue, findOrMake }: DrawingNeeds): Icons {
  const readBrand = makeBrandIcons()

  async function draw(picture: Picture, asker: ImageAsker): Promise<DrawnIcon> {
    const look = JSON.stringify(['icon', picture.key, picture.width, picture.height])
    const key = createHash('sha256').update(look).digest('hex')
    const { bytes } = await findOrMake(key, asker, (own) => drawPaid(imageQueue, picture, own))
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` }
  }

  return {
    drawQr: ({ text, side, margin }, asker) =>
      draw(
        {
          key: JSON.stringify(['qr', text, margin]),
          width: side,
          height: side,
          readSvg: async () => qrSvg(text, margin),
        },
        asker,
      ),
    drawFlag: ({ code, width, height }, asker) =>
      draw({ key: `flag ${code}`, width, height, readSvg: () => readFlag(code) }, asker),
    drawBrand: ({ set, code, width, height }, asker) =>
      draw({ key: `${set} ${code}`, width, height, readSvg: () => readBrand(set, code) }, asker),
  }
}

async function drawPaid(
  imageQueue: ImageQueue,
  { width, height, readSvg }: Picture,
  asker: ImageAsker,
): Promise<Buffer> {
  const price = iconPrice({ width, height })
  return await workPaid(imageQueue, price.isLarge ? 'large' : 'ordinary', asker, {
    kind: 'preview',
    price,
    async work(time) {
      // A code is worked out here, in its turn: that is some milliseconds of this thread.
      const svg = await readSvg()
      const sized = svg.replace('<svg ', `<svg width="${width}" height="${height}" `)
      return decodeOrRefuse(time, async () => {
        const sharp = await loadSharp()
        return time
          .timed(sharp(Buffer.from(sized)))
          .png({ palette: true })
          .toBuffer()
      })
    },
  })
}

/** Each row of dark squares is one path: a code has at most 177 of them. */
function qrSvg(text: string, margin: number): string {
  const rows = withoutBorder(encodeQR(text, 'raw', { border: 1, ecc: 'medium' }))
  const side = rows.length + 2 * margin
  const path = rows
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + margin} ${y + margin}h1v1h-1z` : '')),
    )
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`
}

/** The library draws at least one. */
function withoutBorder(rows: boolean[][]): boolean[][] {
  return rows.slice(1, -1).map((row) => row.slice(1, -1))
}

async function readFlag(code: string): Promise<string> {
  if (!/^[a-z]{2}$/.test(code)) throw new Refusal('avatar_not_found')
  const svg = await readFile(join(FLAGS, `${code}.svg`), 'utf8').catch((cause: unknown) => {
    throw new Refusal('avatar_not_found', undefined, { cause })
  })
  return svg.replace('<svg ', '<svg preserveAspectRatio="xMidYMid slice" ')
}
