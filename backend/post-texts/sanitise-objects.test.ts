// Galleries, embeds and link cards pass the cleaning in one shape only.
import { describe, expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { makeSanitise } from './sanitise.ts'
import { fixObjects } from './sanitise-objects.ts'

const sanitise = makeSanitise({
  publicUrl: 'https://blog.example',
  allowedOrigins: [],
  contentBucketId: 'content',
})
const REL = 'rel="noopener noreferrer"'
const SRC = '/v1/storage/buckets/content/files/picture1/view?project=blog'
const IMAGE = `<img src="${SRC}" alt="The sea" />`
const PICTURE = `<figure class="image">${IMAGE}</figure>`
const SOUND = 'https://soundcloud.com/forss/flickermood'
const embed = (href: string, text = href) =>
  `<p class="embed"><a href="${href}" ${REL}>${text}</a></p>`
const card = (inside: string, href = '/post/first-post') =>
  `<aside class="link-card"><a href="${href}" ${REL}>${inside}</a></aside>`
const WORDS =
  '<strong>A title</strong><br /><small>Two lines.</small><br /><code>blog.example</code>'

describe('an object in its shape is stored as it is', () => {
  test.each([
    `<figure class="image width-wide">${IMAGE}</figure>`,
    `<figure class="image width-full">${IMAGE}<figcaption>At four</figcaption></figure>`,
    `<figure class="gallery">${PICTURE}${PICTURE}</figure>`,
    `<figure class="gallery width-wide">${PICTURE}<figcaption>The <em>crossing</em></figcaption></figure>`,
    `<figure class="gallery"><figure class="image">${IMAGE}<figcaption>One &amp; only</figcaption></figure></figure>`,
    embed(SOUND),
    embed(SOUND, 'Sound: the chain, deck 3'),
    embed('https://mastodon.social/@Gargron/100254678717223630'),
    card(WORDS),
    card(`<img src="${SRC}" alt="" />${WORDS}`, '/post/first-post/a-title'),
    card('<strong>A title</strong><br /><code>blog.example</code>'),
  ])('%s', (html) => {
    expect(sanitise(html)).toBe(html)
  })
})

describe('an object of another shape loses its class, and keeps its words', () => {
  test.each([
    ['<figure class="gallery"></figure>', '<figure></figure>'],
    [`<figure class="gallery">${PICTURE}Words</figure>`, `<figure>${PICTURE}Words</figure>`],
    [
      `<figure class="gallery width-full"><figure class="image"><a href="https://bait.example/">${IMAGE}</a></figure></figure>`,
      `<figure class="width-full"><figure class="image"><a href="https://bait.example/" ${REL}>${IMAGE}</a></figure></figure>`,
    ],
    [`<figure class="gallery">${IMAGE}</figure>`, `<figure>${IMAGE}</figure>`],
    [
      '<p class="embed"><a href="https://bait.example/">Press me</a></p>',
      `<p><a href="https://bait.example/" ${REL}>Press me</a></p>`,
    ],
    [
      `<p class="embed">Words <a href="${SOUND}">sound</a></p>`,
      `<p>Words <a href="${SOUND}" ${REL}>sound</a></p>`,
    ],
    [
      `<p class="embed" style="color: red"><a href="${SOUND}">sound</a></p>`,
      `<p style="color: red;"><a href="${SOUND}" ${REL}>sound</a></p>`,
    ],
    [`<p class="embed"><a>${SOUND}</a></p>`, `<p><a>${SOUND}</a></p>`],
    [
      `<aside class="link-card"><a href="https://bait.example/post/x">${WORDS}</a></aside>`,
      `<div><a href="https://bait.example/post/x" ${REL}>${WORDS}</a></div>`,
    ],
    [
      `<aside class="link-card"><a href="/settings">${WORDS}</a></aside>`,
      `<div><a href="/settings" ${REL}>${WORDS}</a></div>`,
    ],
    [
      `<aside class="link-card"><a href="/post/first-post"><img src="https://bait.example/x.png">${WORDS}</a></aside>`,
      `<div><a href="/post/first-post" ${REL}><span>https://bait.example/x.png</span>${WORDS}</a></div>`,
    ],
    [
      '<aside class="link-card"><a href="/post/first-post"><h2>A title</h2></a></aside>',
      `<div><a href="/post/first-post" ${REL}><h2>A title</h2></a></div>`,
    ],
    [`<div class="gallery embed link-card width-full">Words</div>`, '<div>Words</div>'],
    [`<img class="width-full" src="${SRC}" alt="The sea" />`, IMAGE],
  ])('%s', (html, cleaned) => {
    expect(sanitise(html)).toBe(cleaned)
    expect(sanitise(cleaned)).toBe(cleaned)
  })
})

test('a link card with the full address of this blog is stored with the path', () => {
  const sent = card(WORDS, 'https://blog.example/post/first-post')
  expect(sanitise(sent)).toBe(card(WORDS))
})

test.each([
  ['galleries', `<figure class="gallery">${PICTURE}<figcaption>`],
  ['pictures', '<figure class="gallery"><figure class="image"><img >'],
  ['long galleries', `<figure class="gallery">${PICTURE.repeat(20)}`],
  ['embeds', '<p class="embed"><a href="https://soundcloud.com/a/b">'],
  ['link cards', '<aside class="link-card"><a href="/post/x"><strong>words'],
])('unfinished %s cost linear time', (_name, part) => {
  const timeOf = (count: number) => threadCpuMs(() => fixObjects(part.repeat(count)))
  timeOf(100)
  expect(timeOf(8000)).toBeLessThan(40 * (timeOf(1000) + 1))
})
