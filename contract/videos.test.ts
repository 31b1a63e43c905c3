import { describe, expect, test } from 'vitest'
import { parseVideo } from './videos.ts'

const YOUTUBE = 'https://www.youtube-nocookie.com/embed'
const WATCH = 'https://www.youtube.com/watch?v=M7lc1UVf-VE'
const VIMEO = 'https://player.vimeo.com/video'

describe('parsing keeps the id, privacy hash, playlist and start time of a video', () => {
  test.each([
    ['https://youtu.be/M7lc1UVf-VE', `${YOUTUBE}/M7lc1UVf-VE`, WATCH],
    ['//youtu.be/M7lc1UVf-VE/', `${YOUTUBE}/M7lc1UVf-VE`, WATCH],
    ['https://youtu.be/M7lc1UVf-VE?si=x&t=90', `${YOUTUBE}/M7lc1UVf-VE?start=90`, `${WATCH}&t=90`],
    [`${WATCH}&t=1m30s`, `${YOUTUBE}/M7lc1UVf-VE?start=90`, `${WATCH}&t=90`],
    [`${WATCH}#t=1h2m3s`, `${YOUTUBE}/M7lc1UVf-VE?start=3723`, `${WATCH}&t=3723`],
    ['http://m.youtube.com/watch?feature=share&v=M7lc1UVf-VE', `${YOUTUBE}/M7lc1UVf-VE`, WATCH],
    ['https://music.youtube.com/watch?v=M7lc1UVf-VE', `${YOUTUBE}/M7lc1UVf-VE`, WATCH],
    [
      'https://www.youtube.com/embed/M7lc1UVf-VE?start=90&end=120&autoplay=1',
      `${YOUTUBE}/M7lc1UVf-VE?end=120&start=90`,
      `${WATCH}&t=90`,
    ],
    [
      'https://youtube.com/shorts/M7lc1UVf-VE?t=5',
      `${YOUTUBE}/M7lc1UVf-VE?start=5`,
      `${WATCH}&t=5`,
    ],
    ['https://www.youtube.com/live/M7lc1UVf-VE?feature=share', `${YOUTUBE}/M7lc1UVf-VE`, WATCH],
    ['https://youtube-nocookie.com/embed/M7lc1UVf-VE', `${YOUTUBE}/M7lc1UVf-VE`, WATCH],
    [
      `${WATCH}&list=PLa-B_1&index=2`,
      `${YOUTUBE}/M7lc1UVf-VE?list=PLa-B_1`,
      `${WATCH}&list=PLa-B_1`,
    ],
    [
      'https://www.youtube.com/playlist?list=PLa-B_1',
      `${YOUTUBE}/videoseries?list=PLa-B_1`,
      'https://www.youtube.com/playlist?list=PLa-B_1',
    ],
    [
      'https://www.youtube.com/embed/videoseries?si=x&list=PLa-B_1&index=3',
      `${YOUTUBE}/videoseries?list=PLa-B_1&index=3`,
      'https://www.youtube.com/playlist?list=PLa-B_1',
    ],
    [
      'https://www.youtube.com/embed?listType=playlist&list=PLa-B_1',
      `${YOUTUBE}/videoseries?list=PLa-B_1`,
      'https://www.youtube.com/playlist?list=PLa-B_1',
    ],
    ['https://vimeo.com/76979871', `${VIMEO}/76979871`, 'https://vimeo.com/76979871'],
    [
      'https://vimeo.com/76979871/90ab6d75cd?share=copy',
      `${VIMEO}/76979871?h=90ab6d75cd`,
      'https://vimeo.com/76979871/90ab6d75cd',
    ],
    [
      'https://player.vimeo.com/video/76979871?title=0&h=0a2b4c6d8e#t=1m30s',
      `${VIMEO}/76979871?h=0a2b4c6d8e#t=90s`,
      'https://vimeo.com/76979871/0a2b4c6d8e#t=90s',
    ],
    ['https://vimeo.com/channels/1234/76979871', `${VIMEO}/76979871`, 'https://vimeo.com/76979871'],
    [
      'https://vimeo.com/groups/lamps/videos/76979871',
      `${VIMEO}/76979871`,
      'https://vimeo.com/76979871',
    ],
    [
      'https://vimeo.com/showcase/3253534/video/76979871',
      `${VIMEO}/76979871`,
      'https://vimeo.com/76979871',
    ],
  ])('%s', (address, playerUrl, pageUrl) => {
    expect(parseVideo(address)).toMatchObject({ playerUrl, pageUrl })
    expect(parseVideo(playerUrl)).toMatchObject({ playerUrl, pageUrl })
  })
})

test.each([
  'https://vimeo.com/showcase/3253534',
  'https://vimeo.com/showcase/3253534/embed',
  'https://vimeo.com/album/3253534',
  'https://vimeo.com/event/3253534',
  'https://vimeo.com/event/3253534/embed/90ab6d75cd',
  'https://vimeo.com/channels/1234',
  'https://vimeo.com/groups/1234',
  'https://vimeo.com/user1234',
  'https://vimeo.com/user1234/review/76979871/90ab6d75cd',
  'https://vimeo.com/ondemand/lamps/76979871',
  'https://player.vimeo.com/video/76979871?h=%22x',
  'https://www.youtube.com/@lamps',
  'https://www.youtube.com/@lamps/live',
  'https://www.youtube.com/channel/UCa-B_1/live',
  'https://www.youtube.com/embed/live_stream?channel=UCa-B_1',
  'https://www.youtube.com/embed/videoseries',
  'https://www.youtube.com/embed?listType=user_uploads&list=lamps',
  'https://www.youtube.com/watch?v=a%22b&list=PLa-B_1',
  'https://www.youtube.com/clip/Ugkx1',
  'https://www.youtube.com/results?search_query=lamps&v=M7lc1UVf-VE',
  'https://youtube.com.x.example/watch?v=M7lc1UVf-VE',
  '/watch?v=M7lc1UVf-VE',
  'javascript://youtu.be/M7lc1UVf-VE',
])('%s is not a video, however many numbers it contains', (address) => {
  expect(parseVideo(address)).toBeUndefined()
})
