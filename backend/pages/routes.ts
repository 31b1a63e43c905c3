// HTML pages: every address outside `/v1`. Renders through the web part's renderer, with the
// headers of threat-model.md §7.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { COMPRESSED_FROM_BYTES, SHARED_PAGES_MAX_BYTES } from '#contract/server-limits.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
import type { ChangedTopics } from '../database/topics.ts'
import { isCopyCurrent } from '../http/conditional.ts'
import type { FindEarly } from '../http/early-answers.ts'
import { chooseEncoding, type Encoding, encode, encodeOnce } from '../http/encodings.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { countRequest } from '../http/server.ts'
import { type EarlyPagesNeeds, makeEarlyPages } from './early-pages.ts'
import { type KeptPages, type MadePage, makeKeptPages } from './kept-pages.ts'
import { addManifest } from './manifest.ts'
import { betterSpelling, pageAddress } from './page-address.ts'
import {
  entityTag,
  hashSource,
  hasSecret,
  isKept,
  newNonce,
  nonceSource,
  type PageFacts,
  pageHeaders,
} from './page-headers.ts'
import { findPageViewer, type PageViewerNeeds } from './page-viewer.ts'
import {
  isMadeAlike,
  type PageRequest,
  type Rendered,
  type RenderNeeds,
  renderPage,
} from './render-page.ts'

/** The one page whose scripts may ask the sign-in provider who somebody is (product.md §O5). */
const USERINFO_PAGE = '/verifyOAuth'
const GOOGLE_USERINFO_URL = 'https://www.googleapis.com/oauth2/v1/userinfo'

/** Longer pages are compressed less: each view of them would cost tens of milliseconds. */
const LONG_PAGE_CHARS = 64 * 1024

const RETRY = { 'retry-after': '5' }

/** What every page says of the site, the same for all viewers. */
export type PageSettings = Omit<SiteSettings, 'isSignedIn' | 'googleUserinfoUrl' | 'requestId'>

type PagesNeeds = PageViewerNeeds &
  RenderNeeds &
  Pick<EarlyPagesNeeds, 'notePage'> & {
    site: PageSettings
    /** Where a provider other than Google itself answers; undefined while that is not known. */
    findUserinfoUrl?: (() => Promise<string | undefined>) | undefined
    rateLimits: RateLimits
    /** Which of what pages are made of has changed, for guests and for what all members see. */
    changed: { forGuests: ChangedTopics; forMembers: ChangedTopics }
  }

/**
 * Adds pages and the browser's files to the server.
 *
 * @returns finds what needs no route; undefined in development, where nothing is kept
 */
export async function addPages(
  app: FastifyInstance,
  needs: PagesNeeds,
): Promise<FindEarly | undefined> {
  const { pages, site, findUserinfoUrl, rateLimits } = needs
  const userinfoUrlFor = async (path: string): Promise<string> =>
    path === USERINFO_PAGE
      ? ((await findUserinfoUrl?.().catch(() => undefined)) ?? GOOGLE_USERINFO_URL)
      : ''
  const headScriptSource = pages.headScript && hashSource(pages.headScript)
  const styleSourceFor = (path: string) => pages.assetsFor(path).firstStyles?.source
  // The development server's pages change with their sources.
  const kept = pages.headScript ? makeKeptPages(needs.changed.forGuests) : undefined
  const keptForMembers =
    kept && makeKeptPages(needs.changed.forMembers, { maxBytes: SHARED_PAGES_MAX_BYTES })
  addManifest(app, site, pages.words)
  await pages.addFiles(app)
  app.get('/*', async (request, reply) => {
    if (!request.url.startsWith('/'))
      throw new Refusal('general_argument_invalid', 'The address must be a path.')
    countRequest(request, rateLimits)
    const better = betterSpelling(request.url)
    if (better !== undefined) return redirectTo(better, request, reply)
    const { isSignedIn, isGuest, viewer, failure } = await findPageViewer(needs, request)
    const nonce = pages.headScript && newNonce()
    const googleUserinfoUrl = await userinfoUrlFor(request.url.split('?')[0] ?? '')
    const settings = { ...site, googleUserinfoUrl, isSignedIn }
    // A copy for everyone can hold no nonce, which is for one answer only: there the script is
    // allowed by its hash.
    const own = { settings, nonce: isSignedIn ? nonce : undefined }
    const page = { ...needs, app, request, own, viewer, keptForMembers }
    const answer =
      kept && isGuest && !googleUserinfoUrl && !hasSecret(request)
        ? await readKept(kept, page)
        : { other: await renderPage(page) }
    await send(request, reply, answer, {
      scriptSource: nonce && nonceSource(nonce) + (isSignedIn ? '' : ` ${headScriptSource}`),
      styleSource: isSignedIn ? undefined : styleSourceFor(request.url),
      connectOrigin: googleUserinfoUrl && new URL(googleUserinfoUrl).origin,
      isForAnyone: isGuest,
      hasSecret: hasSecret(request),
      failure,
    })
    if (viewer) needs.notePage?.(request, { viewer, status: reply.statusCode })
    return reply
  })
  app.refusePage = (status, request, reply) => refusePage({ ...needs, app }, status, request, reply)
  return kept && headScriptSource
    ? makeEarlyPages({ kept, headScriptSource, styleSourceFor, ...needs })
    : undefined
}

function redirectTo(address: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = { scriptSource: undefined, connectOrigin: '', isForAnyone: false }
  reply.headers(pageHeaders({ ...known, status: 301, hasSecret: hasSecret(request) }))
  return reply.code(301).header('location', address).send()
}

/** The page that says that the request was none for a page. */
async function refusePage(
  needs: PagesNeeds & { app: FastifyInstance },
  status: 400 | 405,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { pages, site, rateLimits } = needs
  countRequest(request, rateLimits)
  const { isSignedIn } = await findPageViewer(needs, request)
  const nonce = pages.headScript && newNonce()
  const settings = { ...site, googleUserinfoUrl: '', isSignedIn }
  const own = { settings, nonce, refusal: status }
  const rendered = await renderPage({ ...needs, request, own, viewer: undefined })
  if (status === 405) reply.header('allow', 'GET, HEAD')
  return send(
    request,
    reply,
    { other: rendered },
    {
      scriptSource: nonce && nonceSource(nonce),
      connectOrigin: '',
      isForAnyone: false,
      hasSecret: hasSecret(request),
    },
  )
}

/** A page for guests as it is sent. */
type SentPage = Pick<MadePage, 'contentType' | 'tag' | 'body'> & { encoding: Encoding }

async function readKept(
  kept: KeptPages,
  page: PageRequest,
): Promise<SentPage | { other: Rendered }> {
  const { request, own } = page
  const address = pageAddress(request.url, own.settings)
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const found = await kept.readOrMake(address, {
    ask: (calls, topics) => isMadeAlike(page, calls, topics),
    async make() {
      const other = await renderPage(page)
      const { answer, calls, topics } = other
      // Of made-up addresses without a post there is no end.
      if (answer.status !== 200 || (calls.length === 0 && address.includes('?'))) return { other }
      const bytes = Buffer.from(answer.body)
      return {
        contentType: answer.headers['content-type'] ?? '',
        tag: entityTag(bytes),
        encoding,
        body: await encode(bytes, encoding),
        calls,
        topics,
      }
    },
  })
  if ('other' in found) return found
  const { contentType, tag } = found
  return { contentType, tag, encoding, body: await kept.bodyIn(found, encoding) }
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  page: SentPage | { other: Rendered },
  { failure, ...known }: Omit<PageFacts, 'status'> & { failure?: Refusal | undefined },
): Promise<FastifyReply> {
  if ('body' in page) {
    reply.headers(pageHeaders({ ...known, status: 200 }))
    reply.header('content-type', page.contentType)
    setEncoding(reply, page.encoding)
    return sendUnlessCurrent(request, reply, page)
  }
  const { answer, limitHeaders } = page.other
  const { body: html } = answer
  const status = failure?.status ?? answer.status
  reply.code(status)
  if (status === 429) reply.headers(limitHeaders)
  if (status === 503) reply.headers({ ...RETRY, ...failure?.headers })
  reply.headers(answer.headers)
  const facts = { ...known, status }
  reply.headers(pageHeaders(facts))
  const encoding =
    html.length < COMPRESSED_FROM_BYTES
      ? 'identity'
      : chooseEncoding(request.headers['accept-encoding'])
  setEncoding(reply, encoding)
  const body = await (html.length > LONG_PAGE_CHARS ? encodeOnce : encode)(html, encoding)
  return isKept(facts)
    ? sendUnlessCurrent(request, reply, { body, tag: entityTag(html) })
    : reply.send(body)
}

function setEncoding(reply: FastifyReply, encoding: Encoding): void {
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
}

function sendUnlessCurrent(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, tag }: { body: string | Buffer; tag: string },
): FastifyReply {
  reply.header('etag', tag)
  if (!isCopyCurrent(request, tag)) return reply.send(body)
  return reply.code(304).removeHeader('content-type').removeHeader('content-encoding').send()
}
