// Parses addresses of videos, sounds, posts and code on other sites into the frame that a post may
// embed and the page to link to. Used by the sanitiser, the post page, the frame's own page and the
// editor. Asks no site: the frame follows from the address alone.

import { parseVideo } from './videos.ts'

export type EmbedKind = 'video' | 'sound' | 'post' | 'code'

export type Embed = {
  service: string
  kind: EmbedKind
  /** The site that a reader is told about, such as `soundcloud.com`. */
  host: string
  /** For `src` of an `iframe`, or of the script of a Gist, which has no frame of its own. */
  frameUrl: string
  pageUrl: string
}

type Provider = {
  service: string
  kind: EmbedKind
  /** Undefined for software that runs on many hosts: only the path tells it. */
  host?: RegExp
  path: RegExp
  /** @param parts the groups of `path` */
  frame: (parts: string[], url: URL) => string
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const PEERTUBE_ID = `${UUID}|[1-9A-HJ-NP-Za-km-z]{22}`
const PROVIDERS: readonly Provider[] = [
  {
    service: 'SoundCloud',
    kind: 'sound',
    host: /^(?:(?:www|m)\.)?soundcloud\.com$/,
    // Not lists such as /search and /discover, which have no player.
    path: /^\/(?!(?:search|discover|stream|you|pages|upload)\/)([\w-]+\/(?:sets\/)?[\w-]+(?:\/s-\w+)?)\/?$/,
    frame: ([track]) =>
      `https://w.soundcloud.com/player/?url=${encodeURIComponent(`https://soundcloud.com/${track}`)}`,
  },
  {
    service: 'Spotify',
    kind: 'sound',
    host: /^(?:open|play)\.spotify\.com$/,
    path: /^\/(?:intl-[\w-]+\/)?(?:embed\/)?(track|album|playlist|artist|episode|show)\/(\w{22})\/?$/,
    frame: ([type, id]) => `https://open.spotify.com/embed/${type}/${id}`,
  },
  {
    service: 'Bluesky',
    kind: 'post',
    host: /^bsky\.app$/,
    path: /^\/profile\/([\w.:-]+)\/post\/(\w+)\/?$/,
    frame: ([author, id]) => `https://embed.bsky.app/embed/${author}/app.bsky.feed.post/${id}`,
  },
  {
    service: 'CodePen',
    kind: 'code',
    host: /^(?:www\.)?codepen\.io$/,
    path: /^\/((?:team\/)?[\w-]+)\/(?:pen|full|details|embed)\/(\w+)\/?$/,
    frame: ([owner, id]) => `https://codepen.io/${owner}/embed/${id}?default-tab=result`,
  },
  {
    service: 'Gist',
    kind: 'code',
    host: /^gist\.github\.com$/,
    path: /^\/([\w-]+\/[0-9a-f]{5,40})(?:\.js|\/[0-9a-f]{40})?\/?$/,
    frame: ([gist]) => `https://gist.github.com/${gist}.js`,
  },
  {
    service: 'PeerTube',
    kind: 'video',
    path: new RegExp(`^/(?:w|videos/(?:watch|embed))/(${PEERTUBE_ID})/?$`),
    frame: ([id], url) => `${url.origin}/videos/embed/${id}${startOf(url)}`,
  },
  {
    service: 'PeerTube',
    kind: 'video',
    path: new RegExp(`^/(?:w/p|videos/watch/playlist|video-playlists/embed)/(${PEERTUBE_ID})/?$`),
    frame: ([id], url) => `${url.origin}/video-playlists/embed/${id}`,
  },
  {
    service: 'Mastodon',
    kind: 'post',
    // A server shows no frame of posts from other servers (`/@name@server/…`).
    path: /^\/(?:@|users\/)(\w[\w.-]{0,63})\/(?:statuses\/)?(\d{8,20})(?:\/embed)?\/?$/,
    frame: ([author, id], url) => `${url.origin}/@${author}/${id}/embed`,
  },
]
/** A name of the public internet: no address of a local network, no port. */
const PUBLIC_HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/
const ADDRESS_MAX_CHARS = 2000

/**
 * @param address a whole address of http or https
 * @returns undefined for an address that no provider shows in a frame: that stays a link
 */
export function parseEmbed(address: string): Embed | undefined {
  if (address.length > ADDRESS_MAX_CHARS) return undefined
  const video = parseVideo(address)
  if (video) {
    const host = new URL(video.pageUrl).hostname.replace(/^www\./, '')
    const { service, playerUrl, pageUrl } = video
    return { service, kind: 'video', host, frameUrl: playerUrl, pageUrl }
  }
  const url = URL.parse(address)
  if (url?.hostname === 'w.soundcloud.com') return parseEmbed(url.searchParams.get('url') ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || url.port || !PUBLIC_HOST.test(url.hostname))
    return undefined
  url.protocol = 'https:'
  for (const { service, kind, host, path, frame } of PROVIDERS) {
    const parts = host && !host.test(url.hostname) ? null : path.exec(url.pathname)
    if (!parts) continue
    const pageUrl = url.origin + url.pathname
    const name = url.hostname.replace(/^(?:www|m|open|play)\.(?=[^.]+\.[^.]+$)/, '')
    return { service, kind, host: name, frameUrl: frame(parts.slice(1), url), pageUrl }
  }
  return undefined
}

/** A PeerTube video may begin later: `?start=1m30s`. */
function startOf({ searchParams }: URL): string {
  const start = searchParams.get('start') ?? ''
  return /^(?:\d{1,3}h)?(?:\d{1,5}m)?(?:\d{1,7}s?)?$/.test(start) && start ? `?start=${start}` : ''
}
