import { expect, test } from 'vitest'
import { readRtfPictures } from './rtf-images.ts'

const PNG = '89504e47\r\n0d0a1a0a'
const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

test('pictures are read in the order of the text, each once, without those for bullets and old viewers', () => {
  const rtf = String.raw`{\rtf1\ansi{\*\listpicture{\pict\pngblip 00}}\pard One {\*\shppict{\pict{\*\picprop\shplid1{\sp{\sn a}{\sv 1}}}\picw10\pich10\pngblip\bliptag-1 {\*\blipuid 0123456789abcdef}${PNG}}}{\nonshppict{\pict\wmetafile8 0102}} \{two\} {\pict\jpegblip ffd8ff} {\pict\emfblip 01000000} {\header{\pict\pngblip 00}}\par}`
  expect(readRtfPictures(rtf)).toEqual([
    { type: 'image/png', bytes },
    { type: 'image/jpeg', bytes: Uint8Array.from([0xff, 0xd8, 0xff]) },
    undefined,
  ])
})

test('binary data is read by its length, whatever the bytes look like', () => {
  const rtf = `{\\rtf1{\\pict\\pngblip\\bin4 }{\\\\}{\\pict\\pngblip 0a}}`
  expect(readRtfPictures(rtf)).toEqual([
    { type: 'image/png', bytes: Uint8Array.from([0x7d, 0x7b, 0x5c, 0x5c]) },
    { type: 'image/png', bytes: Uint8Array.from([0x0a]) },
  ])
})

test('text that is not RTF has no pictures; truncated RTF has those that are complete', () => {
  expect(readRtfPictures('{\\pict\\pngblip 00}')).toEqual([])
  expect(readRtfPictures('')).toEqual([])
  expect(readRtfPictures('{\\rtf1{\\pict\\pngblip 01}{\\pict\\pngblip 02')).toEqual([
    { type: 'image/png', bytes: Uint8Array.from([1]) },
  ])
})
