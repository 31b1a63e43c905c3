import { expect, test } from 'vitest'
import { deferPlayers } from './click-to-load-players.ts'

const frame = (attributes: string): string => `<p>a<iframe ${attributes}></iframe>b</p>`
const YOUTUBE = 'src="https://www.youtube-nocookie.com/embed/a-B_1"'
const VIMEO = 'src="https://player.vimeo.com/video/123"'
const text = (html: string): string => html.replace(/<[^>]*>/g, '')

test.each([
  [YOUTUBE, 'https://www.youtube.com/watch?v=a-B_1', 'YouTube'],
  [VIMEO, 'https://vimeo.com/123', 'Vimeo'],
  ['src="https://youtu.be/a-B_1?t=3"', 'https://www.youtube.com/watch?v=a-B_1&amp;t=3', 'YouTube'],
  ['src="//www.youtube.com/embed/a-B_1"', 'https://www.youtube.com/watch?v=a-B_1', 'YouTube'],
])('%s becomes a link to the video, and no frame is left', (attributes, page, service) => {
  const box = deferPlayers(frame(attributes))
  expect(box).not.toMatch(/<iframe|\ssrc=/)
  expect(box).toContain(`href="${page}"`)
  expect(text(box)).toBe(`aPlay video. Loads from ${service} when pressed.b`)
})

test('the box names the video, and the player that it would load', () => {
  const box = deferPlayers(frame(`${VIMEO} title="A &quot;film&quot; &lt;b&gt;"`))
  expect(text(box)).toContain('Play video: A &quot;film&quot; &lt;b&gt;. Loads from Vimeo')
  expect(box).toContain('data-title="A &quot;film&quot; &lt;b&gt;"')
  expect(box).toContain('data-player="https://player.vimeo.com/video/123"')
})

test('the box keeps the key of an unlisted video, and its start time', () => {
  const box = deferPlayers(frame('src="https://player.vimeo.com/video/123?a=1&amp;h=0a2b#t=5s"'))
  expect(box).toContain('href="https://vimeo.com/123/0a2b#t=5s"')
  expect(box).toContain('data-player="https://player.vimeo.com/video/123?h=0a2b#t=5s"')
})

test('the box has the position and the size of the player', () => {
  const box = deferPlayers(frame(`${VIMEO} class="align-left" style="width: 50%;"`))
  expect(box).toContain('<span class="player align-left" style="width: 50%;">')
})

test('a frame from another site becomes a link, and one without an address is removed', () => {
  expect(deferPlayers(frame('src="https://x.example/p" title="P"'))).toMatch(
    /^<p>a<a href="https:\/\/x\.example\/p" [^>]*>P<\/a>b<\/p>$/,
  )
  expect(deferPlayers(frame('src="javascript:x"'))).toBe('<p>ab</p>')
})

test('a text without frames is not changed', () => {
  expect(deferPlayers('<p>&lt;iframe&gt;</p>')).toBe('<p>&lt;iframe&gt;</p>')
})
