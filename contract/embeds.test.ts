import { describe, expect, test } from 'vitest'
import { parseEmbed } from './embeds.ts'

const UUID = '9c9de5e8-0a1e-484a-b099-e80766180a6d'
const SHORT = 'kkGMgK9ZtnKfYAgnEtQxbv'
const SPOTIFY = 'https://open.spotify.com/embed'
const sound = (path: string) =>
  `https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2F${path.replaceAll('/', '%2F')}`

describe('an address of a provider gives its frame and its site', () => {
  test.each([
    [
      'https://youtu.be/M7lc1UVf-VE',
      'youtube.com',
      'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE',
    ],
    ['https://vimeo.com/76979871', 'vimeo.com', 'https://player.vimeo.com/video/76979871'],
    ['https://soundcloud.com/forss/flickermood', 'soundcloud.com', sound('forss/flickermood')],
    [
      'https://m.soundcloud.com/forss/flickermood?si=1',
      'soundcloud.com',
      sound('forss/flickermood'),
    ],
    ['https://soundcloud.com/forss/sets/soulhack', 'soundcloud.com', sound('forss/sets/soulhack')],
    ['https://soundcloud.com/a-b/c_d/s-AbC12', 'soundcloud.com', sound('a-b/c_d/s-AbC12')],
    [sound('forss/flickermood'), 'soundcloud.com', sound('forss/flickermood')],
    [
      'https://open.spotify.com/track/11dFghVXANMlKmJXsNCbNl?si=x',
      'spotify.com',
      `${SPOTIFY}/track/11dFghVXANMlKmJXsNCbNl`,
    ],
    [
      'https://open.spotify.com/intl-de/album/11dFghVXANMlKmJXsNCbNl',
      'spotify.com',
      `${SPOTIFY}/album/11dFghVXANMlKmJXsNCbNl`,
    ],
    [
      'https://open.spotify.com/embed/episode/11dFghVXANMlKmJXsNCbNl',
      'spotify.com',
      `${SPOTIFY}/episode/11dFghVXANMlKmJXsNCbNl`,
    ],
    [
      'https://bsky.app/profile/bsky.app/post/3l6oveex3ii2l',
      'bsky.app',
      'https://embed.bsky.app/embed/bsky.app/app.bsky.feed.post/3l6oveex3ii2l',
    ],
    [
      'https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur/post/3l6oveex3ii2l',
      'bsky.app',
      'https://embed.bsky.app/embed/did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.post/3l6oveex3ii2l',
    ],
    [
      'https://codepen.io/chriscoyier/pen/gfdDu',
      'codepen.io',
      'https://codepen.io/chriscoyier/embed/gfdDu?default-tab=result',
    ],
    [
      'https://codepen.io/team/codepen/full/PNaGbb',
      'codepen.io',
      'https://codepen.io/team/codepen/embed/PNaGbb?default-tab=result',
    ],
    [
      'https://gist.github.com/octocat/6cad326836d38bd3a7ae',
      'gist.github.com',
      'https://gist.github.com/octocat/6cad326836d38bd3a7ae.js',
    ],
    [
      'https://gist.github.com/octocat/6cad326836d38bd3a7ae.js',
      'gist.github.com',
      'https://gist.github.com/octocat/6cad326836d38bd3a7ae.js',
    ],
    [
      `https://framatube.org/w/${SHORT}`,
      'framatube.org',
      `https://framatube.org/videos/embed/${SHORT}`,
    ],
    [
      `https://framatube.org/videos/watch/${UUID}?start=1m30s`,
      'framatube.org',
      `https://framatube.org/videos/embed/${UUID}?start=1m30s`,
    ],
    [
      `https://video.blender.org/videos/embed/${UUID}`,
      'video.blender.org',
      `https://video.blender.org/videos/embed/${UUID}`,
    ],
    [
      `https://framatube.org/w/p/${SHORT}`,
      'framatube.org',
      `https://framatube.org/video-playlists/embed/${SHORT}`,
    ],
    [
      'https://mastodon.social/@Gargron/100254678717223630',
      'mastodon.social',
      'https://mastodon.social/@Gargron/100254678717223630/embed',
    ],
    [
      'https://mastodon.social/users/Gargron/statuses/100254678717223630',
      'mastodon.social',
      'https://mastodon.social/@Gargron/100254678717223630/embed',
    ],
    [
      'https://mastodon.social/@Gargron/100254678717223630/embed',
      'mastodon.social',
      'https://mastodon.social/@Gargron/100254678717223630/embed',
    ],
  ])('%s', (address, host, frameUrl) => {
    expect(parseEmbed(address)).toMatchObject({ host, frameUrl })
  })
})

describe('an address that no provider frames stays a link', () => {
  test.each([
    'https://example.org/',
    'https://soundcloud.com/forss',
    'https://soundcloud.com/search/sounds',
    'https://on.soundcloud.com/AbC12',
    'https://w.soundcloud.com/player/?url=https%3A%2F%2Fbad.example%2Fa%2Fb',
    'https://open.spotify.com/user/spotify',
    'https://bsky.app/profile/bsky.app',
    'https://codepen.io/chriscoyier',
    'https://gist.github.com/octocat',
    'https://medium.com/@writer/a-title-0123456789ab',
    'https://mastodon.social/@Gargron@other.example/100254678717223630',
    'https://mastodon.social/@Gargron',
    'https://framatube.org/w/tooshort',
    // Neither local networks nor other ports, and no other scheme.
    'https://localhost/@name/100254678717223630',
    'https://192.168.0.1/@name/100254678717223630',
    'https://[::1]/@name/100254678717223630',
    'https://mastodon.social:8443/@Gargron/100254678717223630',
    'javascript://mastodon.social/@Gargron/100254678717223630',
    `data:text/html,/w/${SHORT}`,
    `/w/${SHORT}`,
    'https://soundcloud.com.bad.example/forss/flickermood',
    'https://bad.example/soundcloud.com/forss/flickermood',
  ])('%s', (address) => {
    expect(parseEmbed(address)).toBeUndefined()
  })
})

test('a frame is always https, without user name, query and fragment of the address', () => {
  expect(
    parseEmbed('http://user:secret@mastodon.social/@Gargron/100254678717223630?a=1#b'),
  ).toEqual({
    service: 'Mastodon',
    kind: 'post',
    host: 'mastodon.social',
    frameUrl: 'https://mastodon.social/@Gargron/100254678717223630/embed',
    pageUrl: 'https://mastodon.social/@Gargron/100254678717223630',
  })
})

test('the address of a frame, which its code for other sites contains, gives the same frame', () => {
  const addresses = [`https://framatube.org/w/${SHORT}`, 'https://codepen.io/chriscoyier/pen/gfdDu']
  for (const address of addresses) {
    const embed = parseEmbed(address)
    expect(parseEmbed(embed?.frameUrl ?? '')?.frameUrl).toBe(embed?.frameUrl)
  }
})
