// Names of files as text and in the header of a download.
import { expect, test } from 'vitest'
import { cleanName, dispositionOf, fitName, readExtension } from './file-names.ts'

test.each([
  ['photo.png', 'inline; filename="photo.png"'],
  ['a "b".png', 'inline; filename="a b.png"'],
  ['line\r\nSet-Cookie: x=1.png', 'inline; filename="lineSet-Cookie: x=1.png"'],
  ['../../etc/passwd.gif', 'inline; filename="....etcpasswd.gif"'],
  [
    "it's (ü)*.jpg",
    `inline; filename="it's (_)*.jpg"; filename*=UTF-8''it%27s%20%28%C3%BC%29%2A.jpg`,
  ],
  ['\u202egnp.exe', 'inline; filename="gnp.exe"'],
  ['half \ud83d.png', `inline; filename="half _.png"; filename*=UTF-8''half%20%EF%BF%BD.png`],
])('%j is shown as %s', (name, header) => {
  expect(dispositionOf('inline', name)).toBe(header)
})

test('a name is at most 255 characters long', () => {
  expect(cleanName('x'.repeat(300))).toBe('x'.repeat(255))
})

test('a name that is cut keeps its extension and whole characters', () => {
  expect(cleanName(`${'x'.repeat(300)}.png`)).toBe(`${'x'.repeat(251)}.png`)
  expect(cleanName(`${'x'.repeat(250)}😀.jpeg`)).toBe(`${'x'.repeat(250)}.jpeg`)
  expect(cleanName(`${'x'.repeat(249)}😀😀.jpeg`)).toBe(`${'x'.repeat(249)}.jpeg`)
  expect(cleanName(`${'x'.repeat(245)}👨‍👩‍👧.jpeg`)).toBe(`${'x'.repeat(245)}.jpeg`)
})

test.each([
  ['new.png', 'png', 'new.png'],
  ['NEW.PNG', 'png', 'NEW.PNG'],
  ['new.jpg', 'jpeg', 'new.jpg'],
  ['new.jpeg', 'jpg', 'new.jpeg'],
  ['evil.html', 'png', 'evil.png'],
  ['evil.png.exe', 'jpeg', 'evil.png.jpg'],
  ['photo.png', 'gif', 'photo.gif'],
  ['holiday', 'jpeg', 'holiday.jpg'],
  ['at 3.5 metres', 'png', 'at 3.5 metres.png'],
  ['Mr. Lamp.', 'png', 'Mr. Lamp..png'],
  ['.html', 'png', '.png'],
  ['x'.repeat(255), 'png', `${'x'.repeat(251)}.png`],
])('%j of a %s file becomes %j', (name, extension, fitted) => {
  expect(fitName(name, extension)).toBe(fitted)
})

test.each([
  ['a.PNG', 'png'],
  ['a.b.jpeg', 'jpeg'],
  ['.gif', 'gif'],
])('%s has the extension %s', (name, extension) => {
  expect(readExtension(name)).toBe(extension)
})

test.each(['png', 'a.', '', 'a.png ', 'a.svg', 'a.png.exe'])(
  '%j has no accepted extension',
  (name) => {
    expect(() => readExtension(name)).toThrow('Only png, jpg, jpeg and gif images are accepted.')
  },
)
