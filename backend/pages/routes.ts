// HTML pages: every URL outside `/v1` that has no other route, with the headers of
// threat-model.md §7.

import { hash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_ACCENT } from '#contract/accent.ts'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import { Refusal } from '#contract/errors.ts'
import { fillViewerSlot, type ServerTexts, VIEWER_SLOT } from '#contract/pages.ts'
import { isPreviewPath } from '#contract/preview-links.ts'
import { logoPath, type SiteSettings } from '#contract/site-settings.ts'
import { readAccount } from '../accounts/users.ts'
import { hasOldQuery } from '../archive/old-addresses.ts'
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
import { GUEST, isFetchedByOtherSite, type Viewer } from '../http/viewer.ts'
import { maySetUpWithoutCode } from '../operator/setup.ts'
import { likesPost } from '../posts/read-post.ts'
import { makePageViewRecorder } from '../reads/routes.ts'
import type { Site, SiteSnapshot } from '../site/site.ts'
import { canonicalPageUrl, findRedirectUrl, findSharedPage } from './canonical-page-url.ts'
import type { PagesContext } from './context.ts'
import { addEmbedFrame } from './embed-frame.ts'
import { type PageRequest, type Rendered, renderPage } from './render-page.ts'

/**
 * The one page whose scripts may read the user's profile from the sign-in provider (product.md
 * §O5).
 */
const USERINFO_PAGE = '/verifyOAuth'
/** Only this page tells whether a code is needed, so that all others are the same for guests. */
const SETUP_PAGE = /^\/setup(?:\?|$)/
const GOOGLE_USERINFO_URL = 'https://www.googleapis.com/oauth2/v1/userinfo'

/** Longer pages are compressed less: otherwise each view would take tens of milliseconds. */
const LONG_PAGE_CHARS = 64 * 1024

const RETRY = { 'retry-after': '5' }

/** The settings of the site in every page, the same for all viewers. */
type PageSettings = Omit<SiteSettings, 'isSignedIn' | 'googleUserinfoUrl' | 'requestId'>
/** The page settings that do not change while the server runs. */
type FixedSettings = Omit<
  PageSettings,
  | ('siteName' | 'about' | 'reading' | 'isRegistrationOpen')
  | ('accent' | 'logo' | 'setup' | 'links')
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
  const styleSourceFor = (path: string) => {
    const { criticalCss, objectCss } = pages.assetsFor(path)
    return criticalCss && objectCss && `${criticalCss.source} ${objectCss.source}`
  }
  const fixed = readFixedSettings(context)
  addManifest(app, context.site, pages.words)
  addEmbedFrame(app, context)
  await pages.addFiles(app)
  /** @param refusal status of a request that is refused with a page */
  const answer = async (request: FastifyRequest, reply: FastifyReply, refusal?: 400 | 405) => {
    countRequest(request, rateLimits)
    const redirectUrl = refusal ? undefined : findRedirectUrl(request.url)
    if (redirectUrl !== undefined) return redirectTo(redirectUrl, request, reply)
    const [{ isSignedIn, isGuest, viewer, failure }, site, googleUserinfoUrl] = await Promise.all([
      findPageViewer(context, request),
      readSite(context, request),
      userinfoUrlFor(request.url.split('?')[0] ?? ''),
    ])
    // With the API key, a page is rendered for a guest.
    const reader = viewer?.role === 'user' ? viewer : GUEST
    const movedTo = refusal || failure ? undefined : () => context.findMovedTo(reader, request.url)
    const oldPage = hasOldQuery(request.url) ? await movedTo?.() : undefined
    if (oldPage !== undefined) return redirectTo(oldPage, request, reply)
    const nonce = pages.headScript && newNonce()
    const settings = { ...fixed, ...site, googleUserinfoUrl, isSignedIn }
    const isToBeSetUp = site.setup && !refusal && isFrontPage(request.url)
    if (isToBeSetUp && (await context.site.isEmpty()))
      return redirectTo('/setup', request, reply, 302)
    // A shared page cannot contain a nonce, which is for one response only: its script is allowed
    // by its hash.
    const renderOptions = { settings, nonce: isSignedIn ? nonce : undefined, refusal }
    const page = { ...context, app, request, viewer: failure ?? reader, renderOptions }
    const facts = {
      scriptSource: nonce && nonceSource(nonce) + (isSignedIn ? '' : ` ${headScriptSource}`),
      styleSource: isSignedIn ? undefined : styleSourceFor(request.url),
      connectOrigin: googleUserinfoUrl && new URL(googleUserinfoUrl).origin,
      isPublic: isGuest && !refusal,
      hasSecret: hasSecret(request),
      failure: refusal ? undefined : failure,
      movedTo,
    }
    // Pages of the development server are never cached.
    const isCached =
      headScriptSource !== undefined &&
      !refusal &&
      !googleUserinfoUrl &&
      !facts.hasSecret &&
      !SETUP_PAGE.test(request.url)
    if (refusal === 405) reply.header('allow', 'GET, HEAD')
    const sharedFacts = {
      ...facts,
      scriptSource: nonce && `${nonceSource(nonce)} ${headScriptSource}`,
    }
    const isSent =
      isCached && (await (isGuest ? sendGuestPage : sendMemberPage)(page, sharedFacts, reply))
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

/** Only these settings leave the server; values that most blogs have are left out. */
function readFixedSettings(context: PagesContext) {
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

/** While the database is unavailable, pages show the last known values. */
async function readSite(context: PagesContext, request: FastifyRequest) {
  const { site, fixedSite: fixed } = context
  const snapshot = await site.read().catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 503) return site.lastKnown()
    throw error
  })
  const { siteName, about, reading, isRegistrationOpen, isSetUp, accent, logo, links } = snapshot
  const state =
    SETUP_PAGE.test(request.url) && maySetUpWithoutCode(context, request) ? 'open' : 'code'
  const setup = isSetUp ? {} : { setup: { state, fixed } as const }
  const look = { ...(accent === DEFAULT_ACCENT ? {} : { accent }), ...(logo && { logo }) }
  const shared = { siteName, about, reading, isRegistrationOpen }
  return { ...shared, ...look, ...setup, ...(links.length > 0 && { links }) }
}

/**
 * While the database is unavailable, a user with a session is not treated as a guest: the browser
 * keeps its state and tries again.
 *
 * @returns `failure` when the viewer could not be found, then without `viewer`; `isGuest` only when
 *   there certainly is no session
 */
async function findPageViewer(
  { resolveViewer }: PagesContext,
  request: FastifyRequest,
): Promise<{ isSignedIn: boolean; isGuest: boolean; viewer?: Viewer; failure?: Refusal }> {
  if (isFetchedByOtherSite(request.headers)) return { isSignedIn: false, isGuest: false }
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
  const facts = { scriptSource: undefined, connectOrigin: '', isPublic: false }
  reply.headers(pageHeaders({ ...facts, status, hasSecret: hasSecret(request) }))
  return reply.code(status).header('location', address).send()
}

/** The pages that redirect to the setup while the blog has no operator. */
function isFrontPage(url: string): boolean {
  return /^\/(?:post\/?)?(?:\?|$)/.test(url)
}

async function readCached(
  page: PageRequest,
  audience: Audience,
  address: string,
): Promise<CachedResponse | Uncached<Rendered>> {
  const { renderOptions } = page
  return await page.cache.readOrMake(keyOf(audience, address, {}), async () => {
    // Read after the tag versions under which the page is cached.
    const settings = { ...renderOptions.settings, ...(await readSite(page, page.request)) }
    const other = await renderPage({ ...page, renderOptions: { ...renderOptions, settings } })
    const { answer, callCount, tags, isPersonal } = other
    // Such pages are not cached: clients can invent any number of URLs that call nothing.
    const isMadeUp = callCount === 0 && address.includes('?')
    if (answer.status !== 200 || !tags || isMadeUp) return { other }
    return {
      body: Buffer.from(answer.body),
      tags: [...tags],
      isCompressible: true,
      headers: {},
      bodyHeaders: answer.headers,
      async isPersonal(viewer) {
        const answers = await Promise.all(isPersonal.map((check) => check(viewer)))
        return answers.includes(true)
      },
    }
  })
}

/** @returns true: every page of guests is sent, whether it could be cached or not */
async function sendGuestPage(
  page: PageRequest,
  facts: PageToSend,
  reply: FastifyReply,
): Promise<true> {
  const { request, renderOptions, cache } = page
  const cached = await readCached(
    page,
    'guest',
    canonicalPageUrl(request.url, renderOptions.settings),
  )
  if ('other' in cached) {
    await send(request, reply, cached.other, facts)
    return true
  }
  reply.headers(pageHeaders({ ...facts, status: 200 }))
  await sendResponse(cache, cached, request, reply)
  return true
}

/**
 * Sends a page that looks the same to all members of an audience, with the viewer's own data in it.
 *
 * @returns false when the page must be rendered for this viewer alone
 */
async function sendMemberPage(
  page: PageRequest,
  facts: PageToSend,
  reply: FastifyReply,
): Promise<boolean> {
  const { request, viewer, renderOptions, db, cache } = page
  const isMember = !(viewer instanceof Refusal) && viewer.role === 'user'
  const shared = isMember ? findSharedPage(request.url, viewer.userId) : undefined
  if (!isMember || !shared) return false
  const { address, postId } = shared
  const { userId, isVerified } = viewer
  const audienceOptions = { ...renderOptions, nonce: undefined, audience: { isVerified } }
  const audiencePage = { ...page, viewer: anyUser(viewer), renderOptions: audienceOptions }
  const [cached, account, hasLike] = await Promise.all([
    readCached(audiencePage, audienceOf(viewer), address),
    readAccount(page, viewer),
    postId !== undefined && likesPost(db, { postId, userId }),
  ])
  if ('other' in cached || (await cached.isPersonal?.(viewer))) return false
  const html = await bodyOf(cached)
  const slot = html.indexOf(VIEWER_SLOT)
  if (slot === -1) throw new Error('A page for all members has no slot for the viewer’s data')
  const filled = fillViewerSlot({ account, likesPost: hasLike, sentAtMs: Date.now() })
  const start = Buffer.concat([html.subarray(0, slot), Buffer.from(filled)])
  const end = html.subarray(slot + VIEWER_SLOT.length)
  reply.headers({ ...pageHeaders({ ...facts, status: 200 }), ...cached.bodyHeaders })
  if (!readAccepted(request.headers['accept-encoding'])('gzip')) {
    await reply.send(Buffer.concat([start, end]))
    return true
  }
  const compressedEnd = await cache.bodyVariant(cached, 'end', () => compressEnd(end))
  await reply.header('content-encoding', 'gzip').send(gzipWithEnd(start, end, compressedEnd))
  return true
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, limitHeaders }: Rendered,
  { failure, movedTo, ...facts }: PageToSend,
): Promise<FastifyReply> {
  const { body: html } = answer
  const status = failure?.status ?? answer.status
  const address = status === 404 ? await movedTo?.() : undefined
  if (address !== undefined) return redirectTo(address, request, reply)
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

/** The properties of a page that decide its headers. */
type PageFacts = {
  /**
   * The source of the page's one inline script in the form of a policy; undefined sends no policy
   * (development).
   */
  scriptSource: string | undefined
  /** The source of the page's inline styles, if it has any. */
  styleSource?: string | undefined
  /** The one foreign origin that the page's scripts may call; empty for none. */
  connectOrigin: string
  status: number
  /** The page is rendered without a cookie, so it is the same for everybody. */
  isPublic: boolean
  /** The URL contains a secret, such as that of an emailed link. */
  hasSecret: boolean
}

type PageToSend = Omit<PageFacts, 'status'> & {
  /** Why the viewer could not be found. */
  failure: Refusal | undefined
  /** Where an address without a page leads, because it was that of an imported post. */
  movedTo: (() => Promise<string | undefined>) | undefined
}

// --- the headers of a page: content security policy, caching, search engines

/** `'sha256-…'`, a source of a policy that allows exactly this script or style. */
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
  // Without personal content, and without a secret in the URL.
  const isCacheable = page.isPublic && page.status === 200 && !page.hasSecret
  return {
    // Caches must revalidate before each use: the post may have been changed or hidden.
    'cache-control': isCacheable ? 'public, no-cache' : 'private, no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    // The same for responses without a body, such as a 304.
    vary: 'Cookie, accept-encoding',
    ...(page.hasSecret ? { 'referrer-policy': 'no-referrer' } : {}),
    ...(page.status >= 400 || page.hasSecret ? { 'x-robots-tag': 'noindex' } : {}),
    ...(page.scriptSource ? { 'content-security-policy': policy(page) } : {}),
  }
}

/** See {@link PageFacts}. */
function hasSecret(request: FastifyRequest): boolean {
  // A malformed URL has no query.
  const query = (request.query ?? {}) as Record<string, unknown>
  return isPreviewPath(request.url) || 'secret' in query || 'access_token' in query
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
    "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
