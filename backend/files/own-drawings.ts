// Images of our own: initials, share cards, QR codes, flags of countries, icons of brands. Drawn in
// their turn, once for all who ask, and kept like previews. Asks no other server.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Refusal } from '#contract/errors.ts'
import type { CardTexts } from './cards.ts'
import type { QrLook } from './image-child.ts'
import type { ImageAsker } from './image-queue.ts'
import { backgroundOf, FACE_SIDE, initialsOf } from './initials.ts'
import type { Previews } from './previews.ts'

const INITIALS_SIDE_DEFAULT_PIXELS = 500
const NONE = Buffer.alloc(0)

/** Sides are pixels, 0 means the default; `background` is `#rrggbb`. */
type InitialsLook = { name: string; width: number; height: number; background: string | undefined }
export type IconLook = { code: string; width: number; height: number }

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

const { resolve } = createRequire(import.meta.url)
const FLAGS = join(dirname(resolve('flag-icons/package.json')), 'flags/4x3')

/**
 * Codes of the hosted API for browsers and credit cards, with names in the icon package. Codes
 * without an icon there are not known.
 */
const ICONS = {
  browsers: {
    ...{ an: 'android-icon', ch: 'chrome', ci: 'chrome', cm: 'chrome', ff: 'firefox' },
    ...{ sf: 'safari', mf: 'safari', ps: 'microsoft-edge', oi: 'microsoft-edge' },
    ...{ om: 'opera', op: 'opera', on: 'opera' },
  },
  'credit-cards': {
    ...{ amex: 'amex', diners: 'dinersclub', discover: 'discover', elo: 'elo', jcb: 'jcb' },
    ...{ hipercard: 'hipercard', mastercard: 'mastercard', maestro: 'maestro', visa: 'visa' },
    'union-china-pay': 'unionpay',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type BrandSet = keyof typeof ICONS
export const BRAND_SETS = Object.keys(ICONS) as BrandSet[]

/** As the package has it: sizes that an icon does not tell are those of the whole set. */
type Size = { width?: number; height?: number; left?: number; top?: number }
type Package = Size & { icons: Record<string, Size & { body: string }> }

/** Those of flags and brands throw Refusal `avatar_not_found` for a code that has none. */
export function makeOwnDrawings({ drawOwn }: Pick<Previews, 'drawOwn'>) {
  let brands: ReturnType<typeof readBrands> | undefined
  const drawIcon = (
    set: string,
    { code, width, height }: IconLook,
    asker: ImageAsker,
    readSvg: () => Promise<string>,
  ) =>
    drawOwn('svg', ['icon', set, code, width, height], asker, async () => {
      const sides = `width="${width}" height="${height}"`
      return {
        bytes: Buffer.from((await readSvg()).replace('<svg ', `<svg ${sides} `)),
        order: null,
      }
    })
  return {
    drawInitials(look: InitialsLook, asker: ImageAsker): Promise<Buffer> {
      const size = {
        width: look.width || INITIALS_SIDE_DEFAULT_PIXELS,
        height: look.height || INITIALS_SIDE_DEFAULT_PIXELS,
      }
      const initials = initialsOf(look.name)
      const order = { initials, size, color: look.background ?? backgroundOf(initials) }
      return drawOwn('initials', ['initials', order], asker, async () => ({ bytes: NONE, order }))
    },
    drawCard: ({ key, width, ...card }: Card, asker: ImageAsker): Promise<Buffer> =>
      drawOwn('card', ['card', key, width], asker, async () => ({
        bytes: (await card.readFace(FACE_SIDE)) ?? NONE,
        order: { texts: await card.read(), width },
      })),
    drawQr: (order: QrLook, asker: ImageAsker): Promise<Buffer> =>
      drawOwn('qr', ['qr', order], asker, async () => ({ bytes: NONE, order })),
    drawFlag: (look: IconLook, asker: ImageAsker): Promise<Buffer> =>
      drawIcon('flag', look, asker, () => readFlag(look.code)),
    drawBrand: (set: BrandSet, look: IconLook, asker: ImageAsker): Promise<Buffer> =>
      drawIcon(set, look, asker, async () => {
        const names: Readonly<Record<string, string>> = ICONS[set]
        brands ??= readBrands()
        const svg = Object.hasOwn(names, look.code) && (await brands).get(names[look.code] ?? '')
        if (!svg) throw new Refusal('avatar_not_found')
        return svg
      }),
  }
}

async function readFlag(code: string): Promise<string> {
  if (!/^[a-z]{2}$/.test(code)) throw new Refusal('avatar_not_found')
  const svg = await readFile(join(FLAGS, `${code}.svg`), 'utf8').catch((cause: unknown) => {
    throw new Refusal('avatar_not_found', undefined, { cause })
  })
  return svg.replace('<svg ', '<svg preserveAspectRatio="xMidYMid slice" ')
}

/** Of two thousand icons the few that have a code. */
async function readBrands(): Promise<ReadonlyMap<string, string>> {
  const path = resolve('@iconify-json/logos/icons.json')
  const { icons, ...standard } = JSON.parse(await readFile(path, 'utf8')) as Package
  const names = BRAND_SETS.flatMap((set) => Object.values(ICONS[set]))
  return new Map(
    names.flatMap((name) => {
      const icon = icons[name]
      return icon ? [[name, toSvg({ ...standard, ...icon })] as const] : []
    }),
  )
}

function toSvg({ body, width = 16, height = 16, left = 0, top = 0 }: Size & { body: string }) {
  const box = `viewBox="${left} ${top} ${width} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${box}>${body}</svg>`
}
