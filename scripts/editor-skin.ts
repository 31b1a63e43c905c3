// The editor's skin in the site's own colours, made at build time from the one of its package: each
// colour becomes the token that stands for it, so that one sheet serves both themes and no part of
// the editor is forgotten. A colour that nobody has decided about ends the build.

import type { Plugin } from 'vite'

const SKIN = /\/hugerte\/skins\/ui\/oxide\/skin\.css$/

/** Parts of the package that this editor does not have. */
const UNUSED =
  /tox-(?:comment|rtc|tree|checklist|image-tools|user|promotion|revision|view|slider|skeleton|sidebar__(?:pane|slider)|drop(?:zone)?-|emoj|rotate|ai|sugg|toggle-button|custom-preview|editor-dock)|revisionhistory|tox-imagepreview/

const DECLARATION = /([\w-]+)(\s*:\s*)([^;{}]+)/g
const COLOR = /#[0-9a-f]{3,8}\b|rgba?\([^)]*\)/gi
const SHADE = /^rgba\(34, 47, 62, ([\d.]+)\)$/

/** Blues of what is pressed, chosen or has the focus; the darker ones are under the pointer. */
const ACCENTS = ['#006ce7', '#4099ff', '#2d6adf']
const DARK_ACCENTS = ['#0060ce', '#0054b4', '#00489b', '#003c81', '#00244e', '#2a64a6']
const PALE_ACCENTS = [
  '#a6ccf7',
  '#93bbe9',
  '#7daee4',
  '#a8c8ed',
  '#d6e7fb',
  '#c1dbf9',
  'rgba(0, 108, 231, 0.1)',
  'rgba(0, 101, 216, 0.1)',
]
const DANGERS = ['#c00', '#77181f', '#e74c3c']
const PALE_DANGERS = ['#f5cccc', '#f0b3b3', '#f2bfbf', '#ee9494', '#e9a4a4', 'rgba(204, 0, 0, 0.1)']
const WARNINGS = ['#8f5d00', '#7a6e25']
const PALE_WARNINGS = [
  '#fff5cc',
  '#fff0b3',
  '#ffe89d',
  '#f2d574',
  '#e8c657',
  'rgba(255, 165, 0, 0.08)',
]
const SUCCESSES = ['#527530', '#517342']
const PALE_SUCCESSES = ['#e4eeda', '#d7e6c8', 'rgba(120, 171, 70, 0.1)']

type Tokens = Record<string, string>

const all = (colors: readonly string[], token: string): Tokens =>
  Object.fromEntries(colors.map((color) => [color, `var(--${token})`]))

const SAME: Tokens = {
  ...all(PALE_ACCENTS, 'accent-soft'),
  ...all(PALE_DANGERS, 'danger-soft'),
  ...all(PALE_WARNINGS, 'warn-soft'),
  ...all(PALE_SUCCESSES, 'success-soft'),
  ...all(DANGERS, 'danger'),
  ...all(WARNINGS, 'warn'),
  ...all(SUCCESSES, 'success'),
  'rgba(0, 108, 231, 0.25)': 'var(--focus)',
  'rgba(0, 0, 0, 0.5)': 'var(--scrim)',
}
const TEXT: Tokens = {
  ...SAME,
  ...all([...ACCENTS, ...DARK_ACCENTS], 'accent-text'),
  ...all(['#222f3e'], 'text'),
  ...all(['#fff', 'rgba(255, 255, 255, 0.5)'], 'on-accent'),
}
const GROUND: Tokens = {
  ...SAME,
  ...all(ACCENTS, 'accent'),
  ...all(DARK_ACCENTS, 'accent-hover'),
  ...all(['#fff', '#fcfcfc', 'rgba(255, 255, 255, 0.6)'], 'float'),
  ...all(['#f7f7f7', '#f2f2f2', '#f0f0f0'], 'surface-2'),
  ...all(['#e3e3e3', '#d6d6d6', '#eeeeee'], 'surface-3'),
  ...all(['#222f3e', '#666'], 'text-2'),
  'rgba(255, 255, 255, 0)': 'transparent',
  'rgba(255, 255, 255, 0.75)': 'var(--scrim)',
}
const LINE: Tokens = {
  ...SAME,
  ...all([...ACCENTS, ...DARK_ACCENTS, '#08f'], 'focus'),
  ...all(['#eeeeee', '#e3e3e3', '#f0f0f0', '#d6d6d6'], 'line'),
  ...all(['#626262', 'rgba(127, 127, 127, 0.3)'], 'line-control'),
  ...all(['#222f3e', '#fff'], 'float'),
}
const FAMILIES: [property: RegExp, tokens: Tokens][] = [
  [/^(?:color|fill|stroke)$/, TEXT],
  [/^background/, GROUND],
  [/^(?:border|outline|box-shadow)/, LINE],
]
/** Weaker shades of the text colour are weaker text, lines and grounds. */
const SHADES: [property: RegExp, token: (opacity: number) => string][] = [
  [/^(?:color|fill|stroke)$/, (opacity) => (opacity > 0.6 ? 'text-2' : 'text-3')],
  [/^background/, (opacity) => (opacity > 0.6 ? 'text-2' : 'surface-3')],
  [/^(?:border|outline)/, () => 'line-control'],
]

/** The skin of the package with tokens in place of its colours, faces and corners, in a layer. */
export function skinWithTokens(css: string): string {
  const rules = css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/([^{}]+)\{([^{}]*)\}/g, (_rule, selectors: string, body: string) => {
      const kept = selectors.split(',').filter((selector) => !UNUSED.test(selector))
      if (kept.length === 0) return ''
      return `${kept.join(',')}{${body.replace(DECLARATION, tokenised)}}`
    })
  return `@layer skin {${rules}}`
}

function tokenised(whole: string, property: string, colon: string, value: string): string {
  if (/^font-family$/.test(property) && /system/i.test(value)) return `${property}: var(--font-ui)`
  if (/^font-family$/.test(property) && /mono/i.test(value)) return `${property}: var(--font-data)`
  if (/^border-radius$/.test(property)) return property + colon + rounded(value)
  // What floats over the page has the page's own shadow.
  if (property === 'box-shadow' && /rgba\(34/.test(value)) return `${property}: var(--shadow-3)`
  // All hues, and the chequers under a colour one can see through, are no colours of a theme.
  if (property === 'background-image' || /#ff0080/.test(value)) return whole
  return property + colon + value.replace(COLOR, (color) => tokenFor(property, color.toLowerCase()))
}

function rounded(value: string): string {
  return value.replace(/\b(?:3|6)px/g, 'var(--radius-sm)').replace(/\b10px/g, 'var(--radius-lg)')
}

function tokenFor(property: string, color: string): string {
  const opacity = SHADE.exec(color)?.[1]
  const shade = opacity && SHADES.find(([known]) => known.test(property))?.[1](Number(opacity))
  if (shade) return `var(--${shade})`
  const token = FAMILIES.find(([known]) => known.test(property))?.[1][color]
  if (token !== undefined) return token
  throw new Error(`The editor's skin has a colour without a token: ${property}: ${color}`)
}

/** Makes the skin of what the package has. */
export function editorSkin(): Plugin {
  return {
    name: 'editor-skin',
    enforce: 'pre',
    transform: (code, id) =>
      SKIN.test(id.replace(/\?.*$/, '')) ? { code: skinWithTokens(code), map: null } : null,
  }
}
