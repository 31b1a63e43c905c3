// Any accent that operators choose is readable in both themes.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ACCENTS,
  accentForTheme,
  accentTokens,
  contrastBetween,
  DEFAULT_ACCENT,
  fromHex,
  toRgb,
} from './accent.ts'

const tokens = readFileSync('web/styles/tokens.css', 'utf8').replaceAll(
  'var(--white)',
  'oklch(1 0 0)',
)
const THEMES = ['light', 'dark'] as const

/** The colour of a token that has a value for each theme. */
function colorOf(token: string, theme: (typeof THEMES)[number]) {
  const match = new RegExp(`--${token}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)`).exec(
    tokens,
  )
  const [lightness = 0, chroma = 0, hue = 0] = (match?.[theme === 'light' ? 1 : 2] ?? '')
    .split(' ')
    .map(Number)
  return toRgb([lightness, chroma, hue])
}

/** Pseudo-random colours that are the same on every run. */
function colors(count: number): string[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return `#${(state >>> 8).toString(16).padStart(6, '0')}`
  })
}

test('each pair of colours with the accent has enough contrast, in both themes, for 2,000 accents', () => {
  const extremes = ['#000000', '#ffffff', '#0000ff', '#ffff00', '#ff0000', '#00ff00', '#777777']
  const bad: string[] = []
  for (const theme of THEMES) {
    const grounds = ['bg', 'surface-1', 'surface-2', 'surface-3'].map((token) =>
      colorOf(token, theme),
    )
    const text = colorOf('text', theme)
    const text2 = colorOf('text-2', theme)
    const onAccent = colorOf('on-accent', theme)
    for (const value of [...extremes, ...Object.values(ACCENTS).slice(1), ...colors(2000)]) {
      const colors = accentForTheme(theme, value)
      const accent = fromHex(colors.accent)
      const hover = fromHex(colors.hover)
      const soft = fromHex(colors.soft)
      const mark = fromHex(colors.mark)
      const pairs = [
        ...[...grounds, soft, onAccent].map((color) => contrastBetween(accent, color)),
        contrastBetween(hover, onAccent),
        contrastBetween(text, soft),
        contrastBetween(text2, soft),
        contrastBetween(mark, theme === 'light' ? text : onAccent),
      ]
      if (Math.min(...pairs) < 4.5) bad.push(`${theme} ${value} ${Math.min(...pairs)}`)
    }
  }
  expect(bad).toEqual([])
})

test('an accent with enough contrast is unchanged; otherwise only its lightness changes', () => {
  expect(accentForTheme('light', '#1d5866')).toMatchObject({ accent: '#1d5866' })
  expect(accentForTheme('light', '#1d5866').unreadable).toBeUndefined()
  const moved = accentForTheme('light', ACCENTS.sky)
  expect(moved.unreadable?.contrast).toBeLessThan(4.5)
  expect(moved.contrast).toBeGreaterThanOrEqual(4.5)
  const [red, green, blue] = fromHex(moved.accent)
  expect(blue).toBeGreaterThan(green)
  expect(green).toBeGreaterThan(red)
})

test('the default accent is the one in the style sheet', () => {
  expect(accentTokens(DEFAULT_ACCENT)).toEqual({})
  expect(fromHex(accentForTheme('light', DEFAULT_ACCENT).accent)).toEqual(toRgb([0.42, 0.07, 213]))
  expect(Object.keys(accentTokens('#123456'))).toContain('--focus')
})
