// Names of files as text and in the header of a download.
import { expect, test } from 'vitest'
import { cleanName, dispositionOf, readExtension } from './file-names.ts'

test.each([
  ['photo.png', 'inline; filename="photo.png"'],
  ['a "b".png', 'inline; filename="a b.png"'],
  ['line\r\nSet-Cookie: x=1.png', 'inline; filename="lineSet-Cookie: x=1.png"'],
  ['../../etc/passwd.gif', 'inline; filename="....etcpasswd.gif"'],
  ["it's (ü)*.jpg", `inline; filename="it's (_)*.jpg"; filename*=UTF-8''it%27s%20%28%C3%BC%29%2A.jpg`],
  ['\u202egnp.exe', 'inline; filename="gnp.exe"'],
  ['half \ud83d.png', `inline; filename="half _.png"; filename*=UTF-8''half%20%EF%BF%BD.png`],
])('%j is shown as %s', (name, header) => {
  expect(dispositionOf('inline', name)).toBe(header)
})

test('a name is at most 255 characters long', () => {
  expect(cleanName('x'.repeat(300))).toBe('x'.repeat(255))
})

test.each([
  ['a.PNG', 'png'],
  ['a.b.jpeg', 'jpeg'],
  ['.gif', 'gif'],
])('%s has the extension %s', (name, extension) => {
  expect(readExtension(name)).toBe(extension)
})

test.each(['png', 'a.', '', 'a.png ', 'a.svg', 'a.png.exe'])('%j has none that is taken', (name) => {
  expect(() => readExtension(name)).toThrow('Only png, jpg, jpeg and gif images are accepted.')
})
