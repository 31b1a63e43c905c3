import { expect, test, vi } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import {
  distinctTags,
  findTagLine,
  isTag,
  tagKey,
  tagPath,
  tagsOf,
  withoutTagLine,
} from './plain-text.ts'

test.each([
  'trains',
  'Trains',
  '2024',
  'night-train',
  '_a_',
  '-1',
  'Zürich',
  'поезд',
  '電車',
  'रेल',
  'קו',
  'ﬁlm',
  'İstanbul',
  'x'.repeat(30),
  '𐐷'.repeat(30),
])('%s is a tag', (text) => {
  expect(isTag(text)).toBe(true)
})

test.each([
  '',
  ' ',
  '#',
  '#trains',
  'night train',
  'a\u00a0b',
  'a,b',
  'c++',
  'a.b',
  'a/b',
  '..',
  '---',
  'x'.repeat(31),
  '😀',
  'a\u200db',
  '\u0301',
  '\u0301a',
  '\ud800',
  'a\0',
  '\u202ea',
  '<b>',
  // Its normalised form contains spaces.
  '\ufdfa',
])('%j is not a tag', (text) => {
  expect(isTag(text)).toBe(false)
})

const LETTERS: [name: string, end: number, tags: string[]][] = [
  ['of Europe', 0x600, []],
  ['there is', 0x110000, ['more']],
]
for (const [name, end, tags] of LETTERS)
  test(`tagKey leaves its own result unchanged, for every letter ${name}`, { tags }, () => {
    const changed: string[] = []
    for (let code = 0; code < end; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const key = tagKey(String.fromCodePoint(code))
      if (tagKey(key) !== key) changed.push(code.toString(16))
    }
    expect(changed).toEqual([])
  })

test('variants of a word share one key and one path', () => {
  expect(['Trains', 'TRAINS', 'ｔｒａｉｎｓ'].map(tagKey)).toEqual(['trains', 'trains', 'trains'])
  expect(tagKey('Zu\u0308rich')).toBe('zürich')
  expect(tagPath('Züge')).toBe('/tag/z%C3%BCge')
  expect(distinctTags(['Trains', 'night', 'TRAINS'])).toEqual(['Trains', 'night'])
})

test('other values that programs send as tags are ignored', () => {
  expect(tagsOf({ tags: ['a', 'b'] })).toEqual(['a', 'b'])
  for (const tags of [undefined, null, 'a, b', ['New York'], ['a', 1], 3, {}])
    expect(tagsOf({ tags })).toEqual([])
})

test.each([
  ['<p>Text</p><p>#trains #Night</p>', ['trains', 'Night'], '<p>Text</p>'],
  ['<p>Text</p>\n<p>#trains,&nbsp;#night</p>\n<p>&nbsp;</p><p><br></p>', ['trains', 'night'], null],
  ['<p>Text<br>#trains</p>', ['trains'], '<p>Text</p>'],
  ['<p>Text<br><strong>#tra<em>ins</em></strong> #b</p>', ['trains', 'b'], null],
  ['<div><p>Text</p><div>#a</div></div>', ['a'], '<div><p>Text</p></div>'],
  ['<ul><li>x</li></ul>#a #b', ['a', 'b'], '<ul><li>x</li></ul>'],
  ['<p>Text</p><h2>#a</h2>', ['a'], '<p>Text</p>'],
  ['<p>Text</p><hr>#a', ['a'], '<p>Text</p><hr>'],
  ['<p>x</p><p><a href="/x?a=1&amp;b=2">#a</a></p><ul></ul>', ['a'], '<p>x</p><ul></ul>'],
  ['<p>＃電車 #קו</p>', ['電車', 'קו'], ''],
  ['<p>＃電車</p>', ['電車'], ''],
  ['#a', ['a'], ''],
  [`<p>#${'x'.repeat(31)} #a</p>`, ['x'.repeat(31), 'a'], ''],
])('%s ends with a line of tags', (html, words, rest) => {
  const line = findTagLine(html)
  expect(line?.words).toEqual(words)
  if (rest !== null) expect(line?.rest).toBe(rest)
})

test('an element that contains more than the line of tags stays', () => {
  expect(findTagLine('<p>Text<br><strong>#tra<em>ins</em></strong> #b</p>')?.rest).toBe(
    '<p>Text<strong><em></em></strong></p>',
  )
})

test.each([
  '',
  '<p></p>',
  '<p>Text</p>',
  '<p>We are #1</p>',
  '<p>#1 of all</p>',
  '<p># trains</p>',
  '<p>#a</p><p>Text</p>',
  '<p>#a #</p>',
  '<p>#a#b</p>',
  '<p>#c++ #a</p>',
  '<p>##a</p>',
  '<ul><li>#a</li></ul>',
  '<blockquote><p>#a</p></blockquote>',
  '<pre>#include</pre>',
  '<pre><code>x\n#a</code></pre>',
  '<p><code>#a</code></p>',
  '<p>#a &amp; #b</p>',
  '<table><tbody><tr><td>#a</td></tr></tbody></table>',
  '<p><img src="x">#a</p>',

  '<p>#a</p><p><img src="x"></p>',
  '<p>#a</p><hr>',
  '<figure><figcaption>#a</figcaption></figure>',
  '<p>#a</p><iframe src="x"></iframe>',
  `<p>${'#a '.repeat(500)}</p>`,
  '<p>#---</p>',
  '>',
  '<',
  '<details><summary>#a</summary></details>',
  '<p>#a</p><pre>x</pre>',
])('%s does not end with a line of tags', (html) => {
  expect(findTagLine(html)).toBeUndefined()
})

test('finding the line of tags takes no longer in a long text', () => {
  const long = `${'<p>x</p>'.repeat(120_000)}<p>#a</p>`
  const ms = threadCpuMs(() => {
    for (let at = 0; at < 1000; at++) findTagLine(long)
  })
  expect(ms).toBeLessThan(2500)
})

test('a page omits the line of tags only if all of them are shown next to the text', () => {
  const html = '<p>Text</p><p>#Trains #night</p>'
  expect(withoutTagLine(html, ['night', 'x', 'TRAINS'])).toBe('<p>Text</p>')
  for (const shown of [[], ['trains'], ['night', 'train']])
    expect(withoutTagLine(html, shown)).toBe(html)
  expect(withoutTagLine('<p>Text</p>', ['trains'])).toBe('<p>Text</p>')
})

test('the search for the line of tags stops after a bounded number of empty elements', () => {
  expect(findTagLine(`<p>#a${'<b></b>'.repeat(100)}</p>`)?.words).toEqual(['a'])
  const pieces = vi.spyOn(RegExp.prototype, 'exec')
  expect(findTagLine(`<p>#a${'<b></b>'.repeat(10_000)}</p>`)).toBeUndefined()
  const count = pieces.mock.calls.length
  pieces.mockRestore()
  expect(count).toBeLessThan(5000)
})
