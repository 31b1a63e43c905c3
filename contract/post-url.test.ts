import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter, runs } from '#test/support/fuzz.ts'
import { postPath, TITLE_SEGMENT_MAX_CHARS, titleSegment } from './post-url.ts'

test.each([
  ['Notes from a night train', 'notes-from-a-night-train'],
  ["  Don't panic: it’s 100 % fine!  ", 'dont-panic-its-100-fine'],
  ['Über Größe', 'über-größe'],
  ['رسائل من مدينة', 'رسائل-من-مدينة'],
  ['ශ්\u200dරී ලංකා', 'ශ්රී-ලංකා'],
  ['夜行列車の記録', '夜行列車の記録'],
  ['ＡＢＣ ﬁn', 'abc-fin'],
  ['a/b?c#d%2e..', 'a-b-c-d-2e'],
  ['I ❤\ufe0f it', 'i-it'],
  ['❤\ufe0f', ''],
  ['?!…', ''],
])('the title "%s" becomes "%s" in the URL', (title, words) => {
  expect(titleSegment(title)).toBe(words)
})

test('a long title is cut after a whole word', () => {
  const words = titleSegment('lamplight '.repeat(30))
  expect(words).toBe(Array(8).fill('lamplight').join('-'))
})

test('a single word that is too long is cut', () => {
  expect([...titleSegment('𝒂'.normalize('NFKC').repeat(300))]).toHaveLength(TITLE_SEGMENT_MAX_CHARS)
})

test('a path consists of the id and the encoded words', () => {
  expect(postPath({ $id: 'tide-1', title: 'Flut & Größe' })).toBe(
    '/post/tide-1/flut-gr%C3%B6%C3%9Fe',
  )
  expect(postPath({ $id: 'tide-1', title: '…' })).toBe('/post/tide-1')
})

test('any title becomes a single URL segment that parsing does not change', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (title) => {
      const path = postPath({ $id: 'a', title })
      const { pathname } = new URL(path, 'http://blog.test')
      expect(pathname).toBe(path)
      const tail = decodeURIComponent(path.split('/')[3] ?? '')
      expect(titleSegment(tail)).toBe(tail)
    }),
    runs(100),
  )
})
