import { expect, test } from 'vitest'
import { imageEmoji } from './image-emoji.ts'

const read = (attributes: Record<string, string>) => (name: string) => attributes[name]
const BLANK = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

test.each([
  [{ 'data-emoji': '🐢', alt: '🐢', src: 'https://x.example/32.png' }, '🐢'],
  [{ alt: '🚂', src: 'https://x.example/emoji/1f682.svg' }, '🚂'],
  [
    { alt: ':tada:', 'data-stringify-emoji': ':tada:', src: 'https://x.example/1f389@2x.png' },
    '🎉',
  ],
  [{ alt: '👨‍👩‍👧', class: 'b75 emoji', src: BLANK }, '👨‍👩‍👧'],
  [{ alt: '', class: 'emoji', src: 'https://x.example/2764.svg' }, '❤️'],
  [{ goomoji: '1f600', src: 'cid:1' }, '😀'],
  [{ alt: '🇩🇪', src: 'https://x.example/flag.png', width: '20' }, '🇩🇪'],
  [{ alt: ':)', class: 'wp-smiley', src: 'https://x.example/smile.gif' }, ':)'],
  [{ alt: ':blob:', class: 'emojione custom-emoji', src: 'https://x.example/b.png' }, ':blob:'],
  [{ alt: '🙂', itemtype: 'http://schema.skype.com/Emoji', src: 'https://x.example/1.png' }, '🙂'],
])('%j is an image of an emoji', (attributes, emoji) => {
  expect(imageEmoji(read(attributes), false)).toBe(emoji)
})

test.each([
  { alt: 'A lamp', src: 'https://x.example/lamp.png' },
  { alt: '2', src: 'https://x.example/2.png' },
  { alt: '❤️', src: 'https://x.example/photo.jpg', width: '600' },
  { alt: '❤️', src: `data:image/png;base64,${'A'.repeat(400)}` },
  { alt: 'The logo', class: 'emojify', src: 'https://x.example/logo.png' },
])('%j is a picture', (attributes) => {
  expect(imageEmoji(read(attributes), false)).toBeUndefined()
})

test("the blog's own images are pictures, whatever their attributes say", () => {
  expect(imageEmoji(read({ alt: '🐢', class: 'emoji' }), true)).toBeUndefined()
})
