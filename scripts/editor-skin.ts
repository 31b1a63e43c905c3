// The editor's skin in the site's colours, generated at build time from the skin of its package:
// each colour is replaced by a token, so that one style sheet serves both themes. A colour without
// a token fails the build.

import type { Plugin } from 'vite'

const SKIN = /\/hugerte\/skins\/ui\/oxide\/skin\.css$/

/** Parts of the package that this editor does not have; its dialogs are those of the site. */
const UNUSED = new RegExp(
  [
    'tox-(?:comment|rtc|tree|checklist|image-tools|user|promotion|revision|view|slider|skeleton)',
    'tox-(?:sidebar__(?:pane|slider)|drop(?:zone)?-|emoj|rotate|ai|sugg|toggle-button)',
    'tox-(?:custom-preview|editor-dock|advtemplate|anchorbar|croprect|number-input|navobj|spinner)',
    'tox-(?:dialog|form|checkbox|control-wrap|text(?:area|field)|selectfield|listbox|dropzone)',
    'tox-(?:color-(?:input|picker)|rgb|hue|sv-|autocompleter)',
    'revisionhistory|tox-imagepreview',
  ].join('|'),
)

const DECLARATION = /([\w-]+)(\s*:\s*)([^;{}]+)/g
const COLOR = /#[0-9a-f]{3,8}\b|rgba?\([^)]*\)/gi
const SHADE = /^rgba\(34, 47, 62, ([\d.]+)\)$/

/** Blues of pressed, selected and focused parts; the darker ones are for hovering. */
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

const tokensFor = (colors: readonly string[], token: string): Tokens =>
  Object.fromEntries(colors.map((color) => [color, `var(--${token})`]))

const SAME: Tokens = {
  ...tokensFor(PALE_ACCENTS, 'accent-soft'),
  ...tokensFor(PALE_DANGERS, 'danger-soft'),
  ...tokensFor(PALE_WARNINGS, 'warn-soft'),
  ...tokensFor(PALE_SUCCESSES, 'success-soft'),
  ...tokensFor(DANGERS, 'danger'),
  ...tokensFor(WARNINGS, 'warn'),
  ...tokensFor(SUCCESSES, 'success'),
  'rgba(0, 108, 231, 0.25)': 'var(--focus)',
  'rgba(0, 0, 0, 0.5)': 'var(--scrim)',
}
const TEXT: Tokens = {
  ...SAME,
  ...tokensFor([...ACCENTS, ...DARK_ACCENTS], 'accent-text'),
  ...tokensFor(['#222f3e'], 'text'),
  ...tokensFor(['#fff', 'rgba(255, 255, 255, 0.5)'], 'on-accent'),
}
const GROUND: Tokens = {
  ...SAME,
  ...tokensFor(ACCENTS, 'accent'),
  ...tokensFor(DARK_ACCENTS, 'accent-hover'),
  ...tokensFor(['#fff', '#fcfcfc', 'rgba(255, 255, 255, 0.6)'], 'float'),
  ...tokensFor(['#f7f7f7', '#f2f2f2', '#f0f0f0'], 'surface-2'),
  ...tokensFor(['#e3e3e3', '#d6d6d6', '#eeeeee'], 'surface-3'),
  ...tokensFor(['#222f3e', '#666'], 'text-2'),
  'rgba(255, 255, 255, 0)': 'transparent',
  'rgba(255, 255, 255, 0.75)': 'var(--scrim)',
}
const LINE: Tokens = {
  ...SAME,
  ...tokensFor([...ACCENTS, ...DARK_ACCENTS, '#08f'], 'focus'),
  ...tokensFor(['#eeeeee', '#e3e3e3', '#f0f0f0', '#d6d6d6'], 'line'),
  ...tokensFor(['#626262', 'rgba(127, 127, 127, 0.3)'], 'line-control'),
  ...tokensFor(['#222f3e', '#fff'], 'float'),
}
const FAMILIES: [property: RegExp, tokens: Tokens][] = [
  [/^(?:color|fill|stroke)$/, TEXT],
  [/^background/, GROUND],
  [/^(?:border|outline|box-shadow)/, LINE],
]
/** Translucent shades of the text colour become weaker text, lines and backgrounds. */
const SHADES: [property: RegExp, token: (opacity: number) => string][] = [
  [/^(?:color|fill|stroke)$/, (opacity) => (opacity > 0.6 ? 'text-2' : 'text-3')],
  [/^background/, (opacity) => (opacity > 0.6 ? 'text-2' : 'surface-3')],
  [/^(?:border|outline)/, () => 'line-control'],
]

/** The package's skin in a layer, with tokens in place of its colours, fonts and radii. */
export function skinWithTokens(css: string): string {
  const rules = css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/([^{}]+)\{([^{}]*)\}/g, (_rule, selectors: string, body: string) => {
      const usedSelectors = selectors.split(',').filter((selector) => !UNUSED.test(selector))
      if (usedSelectors.length === 0) return ''
      return `${usedSelectors.join(',')}{${body.replace(DECLARATION, withTokens)}}`
    })
  return `@layer skin {${rules}}`
}

function withTokens(whole: string, property: string, colon: string, value: string): string {
  if (/^font-family$/.test(property) && /system/i.test(value)) return `${property}: var(--font-ui)`
  if (/^font-family$/.test(property) && /mono/i.test(value)) return `${property}: var(--font-data)`
  if (/^border-radius$/.test(property)) return property + colon + withRadiusTokens(value)
  // Floating parts get the shadow of the site.
  if (property === 'box-shadow' && /rgba\(34/.test(value)) return `${property}: var(--shadow-3)`
  // The hues of the colour picker and the chequered background are the same in all themes.
  if (property === 'background-image' || /#ff0080/.test(value)) return whole
  return property + colon + value.replace(COLOR, (color) => tokenFor(property, color.toLowerCase()))
}

function withRadiusTokens(value: string): string {
  return value.replace(/\b(?:3|6)px/g, 'var(--radius-sm)').replace(/\b10px/g, 'var(--radius-lg)')
}

function tokenFor(property: string, color: string): string {
  const opacity = SHADE.exec(color)?.[1]
  const shade = opacity && SHADES.find(([pattern]) => pattern.test(property))?.[1](Number(opacity))
  if (shade) return `var(--${shade})`
  const token = FAMILIES.find(([pattern]) => pattern.test(property))?.[1][color]
  if (token !== undefined) return token
  throw new Error(`The editor's skin has a colour without a token: ${property}: ${color}`)
}

/** A Vite plugin that transforms the package's skin. */
export function editorSkin(): Plugin {
  return {
    name: 'editor-skin',
    enforce: 'pre',
    transform: (code, id) =>
      SKIN.test(id.replace(/\?.*$/, '')) ? { code: skinWithTokens(code), map: null } : null,
  }
}
