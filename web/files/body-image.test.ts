import { expect, test } from 'vitest'
import { fitBodyImage, withHints } from './body-image.ts'

const VIEW = '/v1/storage/buckets/content/files/abc.1/view?project=blog'
const PREVIEW = '/v1/storage/buckets/content/files/abc.1/preview?project=blog&amp;width='
const END = '&amp;quality=80&amp;output=webp'

function tagOf(hints: { width: number; height: number; type: string }, rest = ''): string {
  return `<img src="${withHints(VIEW, hints).replaceAll('&', '&amp;')}"${rest} alt="A boat">`
}

test('a large image gets its size and smaller versions, none larger than itself', () => {
  const tag = tagOf({ width: 1000, height: 600, type: 'jpeg' })
  const sources = [480, 768, 1000].map((width) => `${PREVIEW}${width}${END} ${width}w`).join(', ')
  expect(fitBodyImage(tag)).toBe(
    `<img srcset="${sources}" sizes="min(1000px, 100vw, 44rem)" width="1000" height="600" ${tag.slice('<img '.length)}`,
  )
})

test('an image of a standard width offers that width once', () => {
  const fitted = fitBodyImage(tagOf({ width: 768, height: 500, type: 'png' }))
  expect(fitted.match(/ \d+w/g)).toEqual([' 480w', ' 768w'])
})

test('an image that its author scaled down stays that size', () => {
  const fitted = fitBodyImage(
    tagOf({ width: 3000, height: 2000, type: 'png' }, ' width="300" height="200"'),
  )
  expect(fitted.match(/ width="/g)).toHaveLength(1)
  expect(fitted).toContain('sizes="min(300px, 100vw, 44rem)"')
  expect(fitted.match(/ \d+w/g)).toEqual([' 480w', ' 768w', ' 1152w', ' 1536w'])
})

test('a GIF may be animated, so its original is used', () => {
  const fitted = fitBodyImage(tagOf({ width: 1000, height: 600, type: 'gif' }))
  expect(fitted).toMatch(/^<img width="1000" height="600" src=/)
  expect(fitted).not.toContain('srcset')
})

test.each([
  ['without a size in its address', `<img src="${VIEW}">`],
  ['with an impossible size', `<img src="${VIEW}&amp;width=12001&amp;height=5&amp;type=png">`],
  [
    'with a size that is not a number',
    `<img src="${VIEW}&amp;width=1e3&amp;height=5&amp;type=png">`,
  ],
  ['in a data URL', '<img src="data:image/png;base64,AAAA">'],
  [
    'from elsewhere',
    '<img src="https://elsewhere.example/v1/storage/buckets/content/files/a/view?width=5&amp;height=5">',
  ],
])('an image %s is not changed', (_name, tag) => {
  expect(fitBodyImage(tag)).toBe(tag)
})
