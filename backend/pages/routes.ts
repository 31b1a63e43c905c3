// HTML pages: every address outside `/v1`. Renders through the web part's renderer, with the
// headers of threat-model.md §7.

import { hash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_ACCENT } from '#contract/accent.ts'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import { Refusal } from '#contract/errors.ts'
import { fillViewerSlot, type ServerTexts, VIEWER_SLOT } from '#contract/pages.ts'
import { logoPath, type SiteSettings } from '#contract/site-settings.ts'
import { readAccount } from '../accounts/users.ts'
import {
  type Audience,
  bodyOf,
  type CachedResponse,
  keyOf,
  sendResponse,
  type Uncached,
} from '../cache/response-cache.ts'
import { anyUser, audienceOf } from '../cache/shared-reads.ts'
import { countRequest } from '../http/rate-limits.ts'
import {
  COMPRESSED_FROM_BYTES,
  chooseEncoding,
  compressEnd,
  encode,
  encodeOnce,
  gzipWithEnd,
  readAccepted,
} from '../http/responses.ts'
import { GUEST, isFetchedElsewhere, type Viewer } from '../http/viewer.ts'
import { maySetUpWithoutCode } from '../operator/setup.ts'
import { likesPost } from '../posts/read-post.ts'
import { makePageViewRecorder } from '../reads/routes.ts'
import type { Site, SiteSnapshot } from '../site/site.ts'
import { canonicalPageUrl, findRedirectUrl, findSharedPage } from './canonical-page-url.ts'
import type { PagesContext } from './context.ts'
import { type PageRequest, type Rendered, renderPage } from './render-page.ts'

/** The one page whose scripts may ask the sign-in provider who the user is (product.md §O5). */
const USERINFO_PAGE = '/verifyOAuth'
/** Who may set the blog up is said here alone, so that all other pages are the same for guests. */
const SETUP_PAGE = /^\/setup(?:\?|$)/
const GOOGLE_USERINFO_URL = 'https://www.googleapis.com/oauth2/v1/userinfo'

/** Longer pages are compressed less: each view of them would cost tens of milliseconds. */
const LONG_PAGE_CHARS = 64 * 1024

const RETRY = { 'retry-after': '5' }

/** What every page says of the site, the same for all viewers. */
type PageSettings = Omit<SiteSettings, 'isSignedIn' | 'googleUserinfoUrl' | 'requestId'>
/** What of it the start decides. */
type FixedSettings = Omit<
  PageSettings,
  ('siteName' | 'about' | 'reading' | 'isRegistrationOpen') | ('accent' | 'logo' | 'setup')
>

/** Adds pages and the browser's files to the server. */
export async function addPages(app: FastifyInstance, context: PagesContext): Promise<void> {
  const { pages, googleProvider, rateLimits } = context
  const recordPageView = makePageViewRecorder(context.reads)
  const userinfoUrlFor = async (path: string): Promise<string> =>
    path === USERINFO_PAGE
      ? ((await googleProvider?.findUserinfoUrl().catch(() => undefined)) ?? GOOGLE_USERINFO_URL)
      : ''
  const headScriptSource = pages.headScript && hashSource(pages.headScript)
  const styleSourceFor = (path: string) => pages.assetsFor(path).criticalCss?.source
  const fixed = readFixed(context)
  addManifest(app, context.site, pages.words)
  await pages.addFiles(app)
  /** @param refusal for what was no request for a page: the page says so */
  const answer = async (request: FastifyRequest, reply: FastifyReply, refusal?: 400 | 405) => {
    countRequest(request, rateLimits)
    const better = refusal ? undefined : findRedirectUrl(request.url)
    if (better !== undefined) return redirectTo(better, request, reply)
    const [{ isSignedIn, isGuest, viewer, failure }, site, googleUserinfoUrl] = await Promise.all([
      findPageViewer(context, request),
      readSite(context, request),
      userinfoUrlFor(request.url.split('?')[0] ?? ''),
    ])
    const nonce = pages.headScript && newNonce()
    const settings = { ...fixed, ...site, googleUserinfoUrl, isSignedIn }
    const isToBeSetUp = site.setup && !refusal && isFrontPage(request.url)
    if (isToBeSetUp && (await context.site.isEmpty()))
      return redirectTo('/setup', request, reply, 302)
    // A page for many can hold no nonce, which is for one answer only: there the script is allowed
    // by its hash.
    const own = { settings, nonce: isSignedIn ? nonce : undefined, refusal }
    // A page that is asked for with the API key is that of a guest.
    const reader = viewer?.role === 'user' ? viewer : GUEST
    const page = { ...context, app, request, viewer: failure ?? reader, own }
    const facts = {
      scriptSource: nonce && nonceSource(nonce) + (isSignedIn ? '' : ` ${headScriptSource}`),
      styleSource: isSignedIn ? undefined : styleSourceFor(request.url),
      connectOrigin: googleUserinfoUrl && new URL(googleUserinfoUrl).origin,
      isPublic: isGuest && !refusal,
      hasSecret: hasSecret(request),
      failure: refusal ? undefined : failure,
    }
    // The development server's pages change with their sources.
    const isCached =
      headScriptSource !== undefined &&
      !refusal &&
      !googleUserinfoUrl &&
      !facts.hasSecret &&
      !SETUP_PAGE.test(request.url)
    if (refusal === 405) reply.header('allow', 'GET, HEAD')
    const forMany = { ...facts, scriptSource: nonce && `${nonceSource(nonce)} ${headScriptSource}` }
    const isSent =
      isCached && (await (isGuest ? sendGuestPage : sendMemberPage)(page, forMany, reply))
    if (!isSent) await send(request, reply, await renderPage(page), facts)
    if (viewer && !refusal) recordPageView(request, { viewer, status: reply.statusCode })
    return reply
  }
  app.get('/*', async (request, reply) => {
    if (!request.url.startsWith('/'))
      throw new Refusal('general_argument_invalid', 'The address must be a path.')
    return await answer(request, reply)
  })
  app.refusePage = (status, request, reply) => answer(request, reply, status)
}

/** Nothing else of the settings leaves the server; what most blogs have is left out. */
function readFixed(context: PagesContext) {
  const { projectId, databaseId, collectionId, contentBucketId, avatarBucketId } = context
  const settings: FixedSettings = {
    projectId,
    databaseId,
    collectionId,
    contentBucketId,
    avatarBucketId,
    mail: context.mailer.delivery,
    hasGoogle: context.google !== undefined,
    ...(context.hasReadCounts ? { hasReadCounts: true } : {}),
  }
  return settings
}

/** While the database is away a page says what it was last. */
async function readSite(context: PagesContext, request: FastifyRequest) {
  const { site, fixedSite: fixed } = context
  const now = await site.read().catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 503) return site.lastKnown()
    throw error
  })
  const { siteName, about, reading, isRegistrationOpen, isSetUp, accent, logo } = now
  const state =
    SETUP_PAGE.test(request.url) && maySetUpWithoutCode(context, request) ? 'open' : 'code'
  const setup = isSetUp ? {} : { setup: { state, fixed } as const }
  const look = { ...(accent === DEFAULT_ACCENT ? {} : { accent }), ...(logo && { logo }) }
  return { siteName, about, reading, isRegistrationOpen, ...look, ...setup }
}

/**
 * While the database is away nobody is signed out: a page for a user with a session stays one, so
 * that the browser keeps what it has and asks again.
 *
 * @returns `failure` is why it is not known who is asking, without a `viewer` then; `isGuest` says
 *   that it is nobody
 */
async function findPageViewer(
  { resolveViewer }: PagesContext,
  request: FastifyRequest,
): Promise<{ isSignedIn: boolean; isGuest: boolean; viewer?: Viewer; failure?: Refusal }> {
  if (isFetchedElsewhere(request.headers)) return { isSignedIn: false, isGuest: false }
  try {
    const viewer = await resolveViewer(request)
    const isSignedIn = viewer.role === 'user'
    return { isSignedIn, isGuest: !isSignedIn, viewer }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status !== 503) return { isSignedIn: false, isGuest: false }
    request.server.logUnavailable(error, 'pages')
    return { isSignedIn: true, isGuest: false, failure: error }
  }
}

function redirectTo(
  address: string,
  request: FastifyRequest,
  reply: FastifyReply,
  status = 301,
): FastifyReply {
  const known = { scriptSource: undefined, connectOrigin: '', isPublic: false }
  reply.headers(pageHeaders({ ...known, status, hasSecret: hasSecret(request) }))
  return reply.code(status).header('location', address).send()
}

/** The pages that a blog without an operator sets itself up on. */
function isFrontPage(url: string): boolean {
  return /^\/(?:post\/?)?(?:\?|$)/.test(url)
}

async function readCached(
  page: PageRequest,
  audience: Audience,
  address: string,
): Promise<CachedResponse | Uncached<Rendered>> {
  const { own } = page
  return await page.cache.readOrMake(keyOf(audience, address, {}), async () => {
    // Read behind the versions that the page is stored under.
    const settings = { ...own.settings, ...(await readSite(page, page.request)) }
    const other = await renderPage({ ...page, own: { ...own, settings } })
    const { answer, callCount, tags, isPersonal } = other
    // Anybody can make up any number of URLs without a post.
    const isMadeUp = callCount === 0 && address.includes('?')
    if (answer.status !== 200 || !tags || isMadeUp) return { other }
    return {
      body: Buffer.from(answer.body),
      tags: [...tags],
      isCompressible: true,
      headers: {},
      bodyHeaders: answer.headers,
      async isPersonal(viewer) {
        const all = await Promise.all(isPersonal.map((asks) => asks(viewer)))
        return all.includes(true)
      },
    }
  })
}

/** @returns true: guests share all pages, and one that is not kept is sent as it was made */
async function sendGuestPage(
  page: PageRequest,
  facts: PageToSend,
  reply: FastifyReply,
): Promise<true> {
  const { request, own, cache } = page
  const found = await readCached(page, 'guest', canonicalPageUrl(request.url, own.settings))
  if ('other' in found) {
    await send(request, reply, found.other, facts)
    return true
  }
  reply.headers(pageHeaders({ ...facts, status: 200 }))
  await sendResponse(cache, found, request, reply)
  return true
}

/**
 * Sends a page that looks the same to all members of an audience, with what is the viewer's own.
 *
 * @returns false where the page is the viewer's alone
 */
async function sendMemberPage(
  page: PageRequest,
  facts: PageToSend,
  reply: FastifyReply,
): Promise<boolean> {
  const { request, viewer, own, db, cache } = page
  const isMember = !(viewer instanceof Refusal) && viewer.role === 'user'
  const shared = isMember ? findSharedPage(request.url, viewer.userId) : undefined
  if (!isMember || !shared) return false
  const { address, postId } = shared
  const { userId, isVerified } = viewer
  const ofAudience = { ...own, nonce: undefined, audience: { isVerified } }
  const forAudience = { ...page, viewer: anyUser(viewer), own: ofAudience }
  const [found, account, hasLike] = await Promise.all([
    readCached(forAudience, audienceOf(viewer), address),
    readAccount(page, viewer),
    postId !== undefined && likesPost(db, { postId, userId }),
  ])
  if ('other' in found || (await found.isPersonal?.(viewer))) return false
  const html = await bodyOf(found)
  const slot = html.indexOf(VIEWER_SLOT)
  if (slot === -1)
    throw new Error('A page for all members has no place for what is one member’s own')
  const filled = fillViewerSlot({ account, likesPost: hasLike, sentAtMs: Date.now() })
  const start = Buffer.concat([html.subarray(0, slot), Buffer.from(filled)])
  const end = html.subarray(slot + VIEWER_SLOT.length)
  reply.headers({ ...pageHeaders({ ...facts, status: 200 }), ...found.bodyHeaders })
  if (!readAccepted(request.headers['accept-encoding'])('gzip')) {
    await reply.send(Buffer.concat([start, end]))
    return true
  }
  const compressedEnd = await cache.bodyVariant(found, 'end', () => compressEnd(end))
  await reply.header('content-encoding', 'gzip').send(gzipWithEnd(start, end, compressedEnd))
  return true
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, limitHeaders }: Rendered,
  { failure, ...facts }: PageToSend,
): Promise<FastifyReply> {
  const { body: html } = answer
  const status = failure?.status ?? answer.status
  reply.code(status)
  if (status === 429) reply.headers(limitHeaders)
  if (status === 503) reply.headers({ ...RETRY, ...failure?.headers })
  reply.headers({ ...answer.headers, ...pageHeaders({ ...facts, status }) })
  const encoding =
    html.length < COMPRESSED_FROM_BYTES
      ? 'identity'
      : chooseEncoding(request.headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(await (html.length > LONG_PAGE_CHARS ? encodeOnce : encode)(html, encoding))
}

// --- the web app manifest: how the site looks as an app on a home screen

const MANIFEST_SECONDS = 3600

const LAMP_ICONS = [
  { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
  { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
  { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
  { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
]

function iconsOf(logo: string) {
  const sides = [192, 512] as const
  return sides.map((side) => {
    return { src: logoPath(logo, side), type: 'image/png', sizes: `${side}x${side}` }
  })
}

function addManifest(app: FastifyInstance, site: Site, words: ServerTexts): void {
  const make = ({ siteName, about, logo }: SiteSnapshot) => ({
    id: '/',
    name: siteName,
    short_name: siteName,
    description: about,
    lang: words.language,
    dir: words.direction,
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: PAGE_BACKGROUND.dark,
    theme_color: PAGE_BACKGROUND.dark,
    icons: logo ? iconsOf(logo) : LAMP_ICONS,
    shortcuts: [{ name: words.addPost, url: '/add-post' }],
  })
  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', `public, max-age=${MANIFEST_SECONDS}`)
      .send(JSON.stringify(make(await site.read()))),
  )
}

/** A page as it is about to be sent. */
type PageFacts = {
  /**
   * The source of the page's one inline script in the form of a policy; undefined sends no policy
   * (development).
   */
  scriptSource: string | undefined
  /** The source of the styles that stand in the page, if any do. */
  styleSource?: string | undefined
  /** The one foreign origin that the page's scripts may call; empty for none. */
  connectOrigin: string
  status: number
  /** Rendered without any cookie, the same for everybody. */
  isPublic: boolean
  /** Its address holds what only its reader may know. */
  hasSecret: boolean
}

/** `failure`: why it is not known who is asking. */
type PageToSend = Omit<PageFacts, 'status'> & { failure: Refusal | undefined }

// --- the headers of a page: what it may load, who may keep it, who may find it

/** `'sha256-…'`, which allows exactly this script or style, in every copy of the page. */
export function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

/** 128 bits. */
function newNonce(): string {
  return randomBytes(16).toString('base64')
}

function nonceSource(nonce: string): string {
  return `'nonce-${nonce}'`
}

function pageHeaders(page: PageFacts): Record<string, string> {
  // Nothing personal is in it, and its address says nothing secret.
  const isKept = page.isPublic && page.status === 200 && !page.hasSecret
  return {
    // Caches must ask before each use of a copy: the post may have been changed or hidden.
    'cache-control': isKept ? 'public, no-cache' : 'private, no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    // An answer without a body must say the same.
    vary: 'Cookie, accept-encoding',
    ...(page.hasSecret ? { 'referrer-policy': 'no-referrer' } : {}),
    ...(page.status >= 400 ? { 'x-robots-tag': 'noindex' } : {}),
    ...(page.scriptSource ? { 'content-security-policy': policy(page) } : {}),
  }
}

/** See {@link PageFacts}. */
function hasSecret(request: FastifyRequest): boolean {
  // An address that could not be read has none.
  const query = (request.query ?? {}) as Record<string, unknown>
  return 'secret' in query || 'access_token' in query
}

function policy({ scriptSource, styleSource, connectOrigin }: PageFacts): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scriptSource}`,
    styleSource ? `style-src 'self' ${styleSource}` : "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    connectOrigin ? `connect-src 'self' ${connectOrigin}` : "connect-src 'self'",
    'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
