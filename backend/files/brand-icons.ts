// Icons of browsers and of credit cards under the codes of the hosted API, from an icon package.
// Reads the package once, when the first is asked for.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Refusal } from '#contract/errors.ts'

/** Code, name in the package. Codes without an icon there are not known. */
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

export type BrandIcons = (set: BrandSet, code: string) => Promise<string>

/** @returns what reads an icon as SVG; it throws Refusal `avatar_not_found` for an unknown code */
export function makeBrandIcons(): BrandIcons {
  let reading: Promise<ReadonlyMap<string, string>> | undefined
  return async (set, code) => {
    const names: Readonly<Record<string, string>> = ICONS[set]
    if (!Object.hasOwn(names, code)) throw new Refusal('avatar_not_found')
    reading ??= readIcons()
    const svg = (await reading).get(names[code] ?? '')
    if (svg === undefined) throw new Refusal('avatar_not_found')
    return svg
  }
}

/** Of two thousand icons the few that have a code. */
async function readIcons(): Promise<ReadonlyMap<string, string>> {
  const path = createRequire(import.meta.url).resolve('@iconify-json/logos/icons.json')
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
