import { expect, test } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import { withoutPendingImages } from './text-images.ts'

withWindow()

const STORED = '<img src="/v1/storage/buckets/content/files/f1/view" alt="">'
const PENDING = '<img src="blob:https://blog.example/1" alt="a">'
const COPIED = '<img src="data:image/png;base64,AA==">'

test.each([
  [`<p>a ${STORED}</p>`, `<p>a ${STORED}</p>`, true],
  [`<p>a ${PENDING} b ${STORED}</p>`, `<p>a  b ${STORED}</p>`, false],
  [`<p>a</p><figure>${COPIED}<figcaption>b</figcaption></figure>`, '<p>a</p>', false],
  [`<figure>${PENDING}${STORED}</figure>`, `<figure>${STORED}</figure>`, false],
  ['<p>src="blob:x"</p>', '<p>src="blob:x"</p>', true],
])(
  'a text that is saved before its images are stored is saved without them: %s',
  (html, saved, isWhole) => {
    expect(withoutPendingImages(html)).toEqual({ html: saved, isWhole })
  },
)
