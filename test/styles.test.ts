// The style sheets' own order: every colour is written once, no rule and no token is left over. The
// row and the length of the sheets are in architecture.test.ts.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toRgb } from '#contract/accent.ts'
import { PAGE_BACKGROUND } from '#contract/colors.ts'

const TOKENS = 'web/styles/tokens.css'
/** Written out, not made from another colour: oklch(from …) is none. */
const COLOR =
  /#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b|\b(?:oklch|oklab|rgba?|hsla?)\((?!from )[^()]*\)/gi
/** Given by others: the editor, the text of a post and the server, which highlights its code. */
const FOREIGN_CLASS = /^(?:tox|mce|align|ephox)-?|^c-[ksnftac]$/

const sheets = readAll('web/**/*.css')
const sources = readAll('web/**/*.{ts,tsx}')
const tokens = sheets.get(TOKENS) ?? ''

/** An example for people who write one. */
const EXAMPLE = 'web/locales/en/admin.tsx: #2f7a6b'

test('a colour is written in the tokens, or in the contract if code outside of style sheets needs it', () => {
  const pageSources = readAll('backend/pages/*.ts')
  const faults = [...sheets, ...sources, ...pageSources].flatMap(([file, text]) =>
    [...withoutComments(text).matchAll(COLOR)].map(([color]) => `${file}: ${color}`),
  )
  const isAllowed = (line: string) => line.startsWith(`${TOKENS}: `) || line === EXAMPLE
  expect(faults.filter((line) => !isAllowed(line))).toEqual([])
})

test('no colour occurs twice in the tokens', () => {
  const colors = [...withoutComments(tokens).matchAll(COLOR)].map(([color]) => color)
  expect(colors.length).toBeGreaterThan(40)
  expect(colors.filter((color, index) => colors.indexOf(color) !== index)).toEqual([])
})

test('the colours of the contract equal those of the tokens', () => {
  const [, light = '', dark = ''] =
    /--bg: light-dark\(oklch\(([^)]*)\), oklch\(([^)]*)\)\)/.exec(tokens) ?? []
  expect({ dark: toHex(dark), light: toHex(light) }).toEqual(PAGE_BACKGROUND)
})

test('every token is used', () => {
  const defined = [...tokens.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name = '']) => name)
  const all = [...sheets.values(), ...sources.values()].join('\n')
  expect(new Set(defined).size).toBeGreaterThan(60)
  expect(defined.filter((name) => !all.includes(`var(${name})`))).toEqual([])
})

test('every class in a rule is used', () => {
  const used = new Set([...sources.values()].flatMap((text) => text.match(/[\w-]+/g) ?? []))
  const names = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/([\w-]+--)\$\{/g)].map(([, start = '']) => start),
  )
  const classes = [...sheets.values()].flatMap((text) =>
    [...selectors(text).matchAll(/\.(-?[a-z][\w-]*)/gi)].map(([, name = '']) => name),
  )
  expect(classes.length).toBeGreaterThan(300)
  const lost = [...new Set(classes)].filter(
    (name) =>
      !FOREIGN_CLASS.test(name) &&
      !used.has(name) &&
      !names.some((start) => name.startsWith(start)),
  )
  expect(lost).toEqual([])
})

test('every :hover rule is inside a media query for devices that can hover', () => {
  const faults = [...sheets]
    .filter(([file]) => !file.startsWith('web/editor/'))
    .flatMap(([file, text]) => hoverRules(text).map((rule) => `${file}: ${rule}`))
  expect(faults).toEqual([])
})

/** Selectors with :hover outside of `@media (hover: hover)`. */
function hoverRules(sheet: string): string[] {
  const open: string[] = []
  const faults: string[] = []
  for (const [, head = '', brace] of withoutComments(sheet).matchAll(/([^{};]*)([{};])/g)) {
    if (brace === '}') open.pop()
    if (brace !== '{') continue
    if (head.includes(':hover') && !open.some((outer) => outer.includes('(hover: hover)')))
      faults.push(head.trim())
    open.push(head)
  }
  return faults
}

function readAll(pattern: string): Map<string, string> {
  const files = globSync(pattern)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$/.test(file))
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** The text before each opening brace. */
function selectors(sheet: string): string {
  const rules = withoutComments(sheet).replace(/@import[^;]*;|url\([^)]*\)/g, '')
  return [...rules.matchAll(/([^{};]*)\{/g)].map(([, head = '']) => head).join('\n')
}

/** @param oklch lightness, chroma and hue in degrees */
function toHex(oklch: string): string {
  const [lightness = 0, chroma = 0, hue = 0] = oklch.split(' ').map(Number)
  const bytes = toRgb([lightness, chroma, hue])
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
