// No length in a style is longer than its bound, whatever its unit, and however often em and % are
// multiplied (threat-model.md §8 "Styles").
import { expect, test } from 'vitest'
import { makeSanitise } from './sanitise.ts'

const sanitise = makeSanitise({
  publicUrl: 'https://blog.example',
  allowedOrigins: [],
  contentBucketId: 'content',
})
const styled = (style: string): string => `<p style="${style};">x</p>`

test.each([
  'border: 20px solid transparent',
  'border-left: 1em dotted red',
  'border-width: 1px 2px 15pt thick',
  'border-spacing: 2px 20px',
  'border-radius: 50%',
  'font-size: 96px',
  'font-size: 72pt',
  'font-size: 6em',
  'font-size: 600%',
  'font-size: 6rem',
  'font-size: xxx-large',
  'font-size: 0',
  'line-height: 0.8',
  'line-height: 4',
  'line-height: normal',
  'vertical-align: 2em',
  'vertical-align: 40px',
  'vertical-align: 50%',
  'vertical-align: middle',
  'width: 680px',
  'width: 100%',
  'max-width: 42.5rem',
  'height: 34em',
  'margin-left: 400px',
  'margin-right: auto',
  'padding: 25rem',
  'text-decoration: underline wavy 2px rgb(1 2 3)',
  'font-weight: 1000',
])('%s is allowed', (style) => {
  expect(sanitise(styled(style))).toBe(styled(style))
})

test.each([
  'border: 9999px solid transparent',
  'border: solid 20.1px red',
  'border-top: 2em solid',
  'border-left-width: 16pt',
  'border-width: 1px 1px 9999px',
  'border-width: 10%',
  'border-spacing: 9999px 0',
  'border-radius: 9999px',
  'font-size: 97px',
  'font-size: 9999pt',
  'font-size: 6.1em',
  'font-size: 601%',
  'font-size: 7rem',
  'font-size: math',
  'font-size: 9999',
  'line-height: 0',
  'line-height: 0.79',
  'line-height: 4.1',
  'line-height: 0px',
  'line-height: 401%',
  'line-height: 9999px',
  'vertical-align: 9999px',
  'vertical-align: 2.1em',
  'vertical-align: 100%',
  'width: 681px',
  'width: 9999%',
  'width: 9999em',
  'width: max-content',
  'max-width: none',
  'height: 9999px',
  'height: 101%',
  'margin-left: 401px',
  'margin-left: 100%',
  'padding-left: 21em',
  'padding: 9999pt',
  'text-decoration: underline 9999px',
  'color: 9999px',
  'float: 9999px',
  'font-weight: 9999px',
  'list-style-type: 9999em',
  'width: -1px',
  'width: calc(1px)',
  'width: 1e9px',
  'width: 99999px',
])('%s is dropped', (style) => {
  expect(sanitise(styled(style))).toBe('<p>x</p>')
  expect(sanitise(styled(`color: red; ${style}; float: left`))).toBe(
    '<p style="color: red; float: left;">x</p>',
  )
})

test.each([
  ['150%', '1.5'],
  ['1.2em', '1.2'],
  ['30px', '1.5'],
  ['15pt', '1'],
])('a line height of %s becomes the factor %s, which fits any font size', (sent, factor) => {
  const cleaned = sanitise(styled(`line-height: ${sent}`))
  expect(cleaned).toBe(styled(`line-height: ${factor}`))
  expect(sanitise(cleaned)).toBe(cleaned)
})

test.each(['6em', '600%', '2em', 'larger', '110%'])(
  'nested font sizes of %s grow to no more than six times the text',
  (size) => {
    const nested = `<div style="font-size: ${size};">`.repeat(90) + '</div>'.repeat(90)
    const cleaned = sanitise(nested)
    expect(sanitise(cleaned)).toBe(cleaned)
    const factor = { '6em': 6, '600%': 6, '2em': 2, larger: 1.2, '110%': 1.1 }[size] ?? 1
    const count = cleaned.match(/font-size/g)?.length ?? 0
    expect(count).toBeGreaterThan(0)
    expect(factor ** count).toBeLessThanOrEqual(6)
  },
)

test('a length in em is relative to the font size of its element, wherever that comes from', () => {
  for (const html of [
    '<p style="border: 1em solid; font-size: 96px;">x</p>',
    '<div style="font-size: 96px;"><p style="border: 1em solid;">x</p></div>',
    '<h2 style="border: 1em solid;">x</h2>',
    '<p style="font-size: 1px; border: 1em solid; font-size: 96px;">x</p>',
  ])
    expect(sanitise(html)).not.toContain('border')
  expect(sanitise('<p style="border: 2em solid; font-size: 9px;">x</p>')).toContain('border: 2em')
})

test('the attributes width and height allow at most 100 %', () => {
  const image = (size: string) =>
    `<img src="/v1/storage/buckets/content/files/f1/view" width="${size}" height="${size}" />`
  expect(sanitise(image('2400'))).toBe(image('2400'))
  expect(sanitise(image('100%'))).toBe(image('100%'))
  expect(sanitise(image('9999%'))).not.toContain('width')
  expect(
    sanitise('<table><tr><td width="9999" border="9999" hspace="9999">x</td></tr></table>'),
  ).toBe('<table><tr><td>x</td></tr></table>')
})
