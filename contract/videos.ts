// Parses URLs of videos at YouTube and Vimeo into the player that a post may embed and the page to
// link to. Used by the sanitiser, the post page, the feeds and the editor's dialog.

export type Video = {
  service: 'YouTube' | 'Vimeo'
  /** For `src` of an `iframe`. Parsing it gives the same video again. */
  playerUrl: string
  pageUrl: string
}

const YOUTUBE_HOST = /^(?:(?:www|m|music)\.)?youtube\.com$|^(?:www\.)?youtube-nocookie\.com$/
const YOUTUBE_SHORT_HOST = /^(?:www\.)?youtu\.be$/
const YOUTUBE_PATH = /^\/(?:(?:embed|shorts|live|v|e)\/([\w-]{1,64})|(watch)|playlist|embed)\/?$/
/** Words that may stand in the place of a video id. */
const YOUTUBE_NO_ID = /^(?:videoseries|live_stream|playlist)$/
/** Parameters that select videos or a part of them. All others are left out. */
const YOUTUBE_PARAMETERS = ['list', 'playlist', 'loop', 'end', 'clip', 'clipt']
const YOUTUBE_VALUE = /^[\w,-]{1,200}$/

const VIMEO_HOST = /^(?:(?:www|player)\.)?vimeo\.com$/
/** Matches the numbers of videos, not of showcases, channels, events and people. */
const VIMEO_PATH =
  /^\/(?:video\/|manage\/videos\/|channels\/[^/]+\/|groups\/[^/]+\/videos\/|(?:album|showcase)\/\d+\/video\/)?(\d{1,20})(?:\/([0-9a-f]{6,40}))?\/?$/i
const VIMEO_HASH = /^[0-9a-z]{1,64}$/i

const TIME = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?$/i

/**
 * @param address a whole address of http or https, or one that begins with `//`
 * @returns undefined for a URL that no player can show, such as a channel: that stays a link
 */
export function parseVideo(address: string): Video | undefined {
  const url = URL.parse(address, 'https://localhost/')
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (YOUTUBE_SHORT_HOST.test(url.hostname)) return parseYoutube(url, `/embed${url.pathname}`)
  if (YOUTUBE_HOST.test(url.hostname)) return parseYoutube(url, url.pathname)
  return VIMEO_HOST.test(url.hostname) ? parseVimeo(url) : undefined
}

function parseYoutube(url: URL, path: string): Video | undefined {
  const query = url.searchParams
  const [isKnown, idInPath, isWatch] = YOUTUBE_PATH.exec(path) ?? []
  const id =
    idInPath && YOUTUBE_NO_ID.test(idInPath) ? undefined : isWatch ? query.get('v') : idInPath
  const list = query.get('list')
  const isOtherList = query.has('listType') && query.get('listType') !== 'playlist'
  if (!isKnown || isOtherList || !(id || list)) return undefined
  for (const value of [id, list]) if (value && !YOUTUBE_VALUE.test(value)) return undefined
  const player = new URL(`https://www.youtube-nocookie.com/embed/${id || 'videoseries'}`)
  for (const name of id ? YOUTUBE_PARAMETERS : ['list', 'index']) {
    const value = query.get(name)
    if (value && YOUTUBE_VALUE.test(value)) player.searchParams.set(name, value)
  }
  const page = new URL(`https://www.youtube.com/${id ? 'watch' : 'playlist'}`)
  if (id) page.searchParams.set('v', id)
  if (list) page.searchParams.set('list', list)
  const start = readStart(url)
  if (id && start > 0) {
    player.searchParams.set('start', String(start))
    page.searchParams.set('t', String(start))
  }
  return { service: 'YouTube', playerUrl: player.href, pageUrl: page.href }
}

function parseVimeo(url: URL): Video | undefined {
  const [, id, hashInPath] = VIMEO_PATH.exec(url.pathname) ?? []
  const hash = hashInPath ?? url.searchParams.get('h')
  if (!id || (hash && !VIMEO_HASH.test(hash))) return undefined
  const start = readStart(url)
  const fragment = start > 0 ? `#t=${start}s` : ''
  return {
    service: 'Vimeo',
    playerUrl: `https://player.vimeo.com/video/${id}${hash ? `?h=${hash}` : ''}${fragment}`,
    pageUrl: `https://vimeo.com/${id}${hash ? `/${hash}` : ''}${fragment}`,
  }
}

/** Seconds; 0 for the beginning. Written as 90, 90s, 1m30s or 1h2m3s. */
function readStart({ searchParams: query, hash }: URL): number {
  const inFragment = new URLSearchParams(hash.slice(1)).get('t')
  const time =
    query.get('start') ?? query.get('t') ?? query.get('time_continue') ?? inFragment ?? ''
  const [, hours = 0, minutes = 0, seconds = 0] = TIME.exec(time) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
