// Draws QR codes of a text, flags of countries and icons of brands as images. Asks no other server.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import encodeQR from 'qr'
import { Refusal } from '#contract/errors.ts'
import type { ImageAsker } from './image-queue.ts'
import { type DrawingNeeds, drawSvg } from './previews.ts'

/** Sides in pixels; `margin` in the little squares of the code. */
type QrLook = { text: string; side: number; margin: number }
export type FlagLook = { code: string; width: number; height: number }

const { resolve } = createRequire(import.meta.url)
const FLAGS = join(dirname(resolve('flag-icons/package.json')), 'flags/4x3')

/**
 * Codes of the hosted API for browsers and credit cards, with names in the icon package. Codes
 * without an icon there are not known.
 */
const ICONS = {
  browsers: {
    an: 'android-icon',
    ch: 'chrome',
    ci: 'chrome',
    cm: 'chrome',
    ff: 'firefox',
    sf: 'safari',
    mf: 'safari',
    ps: 'microsoft-edge',
    oi: 'microsoft-edge',
    om: 'opera',
    op: 'opera',
    on: 'opera',
  },
  'credit-cards': {
    amex: 'amex',
    diners: 'dinersclub',
    discover: 'discover',
    elo: 'elo',
    hipercard: 'hipercard',
    jcb: 'jcb',
    mastercard: 'mastercard',
    maestro: 'maestro',
    'union-china-pay': 'unionpay',
    visa: 'visa',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type BrandSet = keyof typeof ICONS
export const BRAND_SETS = Object.keys(ICONS) as BrandSet[]

/** As the package has it: sizes that an icon does not tell are those of the whole set. */
type Size = { width?: number; height?: number; left?: number; top?: number }
type Package = Size & { icons: Record<string, Size & { body: string }> }

/** Those of flags and brands throw Refusal `avatar_not_found` for a code that has none. */
export function makeIcons({ imageQueue, drawOnce }: DrawingNeeds) {
  let brands: ReturnType<typeof readBrands> | undefined
  const draw = (
    key: string,
    size: { width: number; height: number },
    asker: ImageAsker,
    readSvg: () => string | Promise<string>,
  ) =>
    drawOnce(['icon', key, size.width, size.height], asker, (own) =>
      // A code is worked out here, in its turn: that is some milliseconds of this thread.
      drawSvg(imageQueue, own, async () => {
        const sides = `width="${size.width}" height="${size.height}"`
        return (await readSvg()).replace('<svg ', `<svg ${sides} `)
      }),
    )
  return {
    drawQr: ({ text, side, margin }: QrLook, asker: ImageAsker) =>
      draw(JSON.stringify(['qr', text, margin]), { width: side, height: side }, asker, () =>
        qrSvg(text, margin),
      ),
    drawFlag: ({ code, ...size }: FlagLook, asker: ImageAsker) =>
      draw(`flag ${code}`, size, asker, () => readFlag(code)),
    drawBrand: ({ set, code, ...size }: FlagLook & { set: BrandSet }, asker: ImageAsker) =>
      draw(`${set} ${code}`, size, asker, async () => {
        const names: Readonly<Record<string, string>> = ICONS[set]
        if (!Object.hasOwn(names, code)) throw new Refusal('avatar_not_found')
        brands ??= readBrands()
        const svg = (await brands).get(names[code] ?? '')
        if (svg === undefined) throw new Refusal('avatar_not_found')
        return svg
      }),
  }
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
