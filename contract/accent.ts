// Adapts the accent colour that operators choose to each theme (design: Blog settings). Only its
// lightness changes, and only where text on it, or links in that colour, would
// have too little contrast.

/** Suggestions; operators may enter any other `#rrggbb`. */
export const ACCENTS = {
  butter: '#f6dc8f',
  apricot: '#f4a988',
  rose: '#f2a7a6',
  lilac: '#d8abe2',
  sky: '#9dc9f7',
  mint: '#91debc',
} as const
/** The accent of web/styles/tokens.css. */
export const DEFAULT_ACCENT: string = ACCENTS.butter

export type AccentTheme = 'dark' | 'light'
/** Lightness 0 to 1, chroma, hue in degrees. */
type Oklch = readonly [lightness: number, chroma: number, hue: number]
type Rgb = readonly [number, number, number]

export const MIN_CONTRAST = 4.5

/** As in web/styles/tokens.css; `ground` is the background that gives links the least contrast. */
const THEMES = {
  dark: {
    default: [0.895, 0.103, 92],
    on: [0.225, 0.035, 220],
    ground: [0.335, 0.032, 216],
    soft: [0.345, 0.048],
    hover: 0.035,
    lightnessLimit: 1,
  },
  light: {
    default: [0.42, 0.07, 213],
    on: [0.99, 0.006, 95],
    ground: [0.928, 0.012, 202],
    soft: [0.95, 0.052],
    hover: -0.055,
    lightnessLimit: 0,
  },
} as const

export type Accent = {
  /** Also the colour of links and of the focus ring. */
  accent: string
  hover: string
  soft: string
  /** The background of marked words. */
  mark: string
  /** The colour of text on the accent. */
  on: string
  /** Contrast ratio of `accent` and `on`. */
  contrast: number
  /** Set when the chosen value has too little contrast: the value, and its lowest contrast. */
  unreadable?: { value: string; contrast: number }
}

/** @param value `#rrggbb` */
export function accentForTheme(theme: AccentTheme, value: string): Accent {
  const { on, ground, soft, hover, lightnessLimit } = THEMES[theme]
  const isDefault = value === DEFAULT_ACCENT
  const chosen = isDefault ? toRgb(THEMES[theme].default) : fromHex(value)
  const [lightness, chroma, hue] = toOklch(chosen)
  const softRgb = toRgb([soft[0], Math.min(chroma, soft[1]), hue])
  const onRgb = toRgb(on)
  const groundRgb = toRgb(ground)
  const lowestContrast = (color: Rgb) =>
    Math.min(...[onRgb, groundRgb, softRgb].map((other) => contrastBetween(color, other)))
  const contrast = lowestContrast(chosen)
  const isReadable = isDefault || contrast >= MIN_CONTRAST
  const adapted = isReadable
    ? chosen
    : findNearest(lightness, lightnessLimit, (candidate) => toRgb([candidate, chroma, hue]))
  function findNearest(from: number, to: number, colorAt: (lightness: number) => Rgb): Rgb {
    let near = from
    let far = to
    for (let step = 0; step < 20; step++) {
      const middle = (near + far) / 2
      if (lowestContrast(colorAt(middle)) >= MIN_CONTRAST) far = middle
      else near = middle
    }
    return colorAt(far)
  }
  const [adaptedLightness] = toOklch(adapted)
  return {
    accent: toHex(adapted),
    hover: toHex(toRgb([Math.min(1, Math.max(0, adaptedLightness + hover)), chroma * 0.87, hue])),
    soft: toHex(softRgb),
    mark: theme === 'dark' ? toHex(adapted) : toHex(toRgb([0.92, Math.min(chroma, 0.095), hue])),
    on: toHex(onRgb),
    contrast: contrastBetween(adapted, onRgb),
    ...(isReadable ? {} : { unreadable: { value, contrast } }),
  }
}

/** The CSS tokens that depend on the accent; none for the default, which the style sheet has. */
export function accentTokens(value: string = DEFAULT_ACCENT): Record<`--${string}`, string> {
  if (value === DEFAULT_ACCENT) return {}
  const light = accentForTheme('light', value)
  const dark = accentForTheme('dark', value)
  const both = (name: 'accent' | 'hover' | 'soft' | 'mark') =>
    `light-dark(${light[name]}, ${dark[name]})`
  return {
    '--accent': both('accent'),
    '--accent-hover': both('hover'),
    '--accent-text': 'var(--accent)',
    '--accent-soft': both('soft'),
    '--focus': 'var(--accent)',
    '--mark': both('mark'),
  }
}

// --- colours. @source CSS Color 4, section 10; WCAG 2.2, contrast ratio

export function contrastBetween(first: Rgb, second: Rgb): number {
  const [dark, light] = [luminanceOf(first), luminanceOf(second)].toSorted((a, b) => a - b)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** @returns 0 to 255 each */
export function fromHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function luminanceOf(rgb: Rgb): number {
  const [red, green, blue] = rgb.map(toLinear) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toLinear(byte: number): number {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function toOklch(rgb: Rgb): Oklch {
  const [red, green, blue] = rgb.map(toLinear) as [number, number, number]
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  return [lightness, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI]
}

/** Reduces the chroma of colours outside the sRGB gamut. */
export function toRgb([lightness, chroma, hue]: Oklch): Rgb {
  let low = 0
  let high = chroma
  let channels = channelsOf([lightness, chroma, hue])
  for (let step = 0; step < 12 && (step > 0 || !isInGamut(channels)); step++) {
    const middle = (low + high) / 2
    const candidate = channelsOf([lightness, middle, hue])
    if (isInGamut(candidate)) low = middle
    else high = middle
    channels = channelsOf([lightness, low, hue])
  }
  const [red, green, blue] = channels
  return [toByte(red), toByte(green), toByte(blue)]
}

function isInGamut(linear: Rgb): boolean {
  return linear.every((channel) => channel > -0.0005 && channel < 1.0005)
}

/** Linear light; below 0 or above 1 outside the sRGB gamut. */
function channelsOf([lightness, chroma, hue]: Oklch): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function toByte(linear: number): number {
  const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(255 * Math.min(1, Math.max(0, encoded)))
}
