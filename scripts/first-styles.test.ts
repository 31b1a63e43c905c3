import { expect, test } from 'vitest'
import { namesIn, pickRules } from './first-styles.ts'

const pick = (sheet: string, ...names: string[]): string => pickRules(sheet, new Set(names))

test('a rule stays when everything it is about may be on the page', () => {
  const sheet = '.a{color:red}.b{color:blue}.a .b,.a:hover,h1{margin:0}.a:is(.b,.c){top:0}'
  expect(pick(sheet, 'a')).toBe('.a{color:red}.a:hover,h1{margin:0}.a:is(.b,.c){top:0}')
})

test('a class that ends with a value is known by its beginning', () => {
  expect(namesIn('const color = `cover--$' + '{index}`')).toEqual(['cover--'])
  expect(pick('.cover--2{top:0}.card{top:0}', 'cover--')).toBe('.cover--2{top:0}')
})

test('names are the words of strings, not of the code around them', () => {
  expect(namesIn('const chip = cond ? "btn btn--icon" : other.panel')).toEqual(['btn', 'btn--icon'])
})

test('every layer keeps its place in the row', () => {
  const sheet = '@layer one{.a{top:0}}@layer two,three;@layer four{.b{top:0}}'
  expect(pick(sheet, 'b')).toBe('@layer one{}@layer two,three;@layer four{.b{top:0}}')
})

test('what is loaded, for paper, under a pointer, or used by nothing comes with the sheet', () => {
  const sheet = [
    '@font-face{font-family:F;src:url(/f.woff2)}@font-face{font-family:G;src:local("G")}',
    '@media print{.a{top:0}}@media (hover:hover){.a:hover{top:0}}@media (width<=40em){.b{top:0}}',
    ':root{--used:1px;--through:var(--used);--unused:2px}',
    '@keyframes spin{to{rotate:360deg}}@keyframes blink{to{opacity:0}}',
    '.a{top:var(--through);animation:1s spin}',
  ]
  expect(pick(sheet.join(''), 'a')).toBe(
    '@font-face{font-family:G;src:local("G")}:root{--used:1px;--through:var(--used)}' +
      '@keyframes spin{to{rotate:360deg}}.a{top:var(--through);animation:1s spin}',
  )
})

test('a rule that would load something is refused', () => {
  expect(() => pick('.a{background:url(/x.png)}', 'a')).toThrow('must not load anything')
})
