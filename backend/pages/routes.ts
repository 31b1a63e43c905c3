// HTML pages: every address outside `/v1`. Renders through the web part's renderer, with the
// headers of threat-model.md §7.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import type {
  DeriveTexts,
  DescribeBody,
  PageAssets,
  Render,
  RenderedPage,
  RenderOptions,
  SiteWords,
} from '#contract/pages.ts'
import { COMPRESSED_FROM_BYTES } from '#contract/server-limits.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
import type { ChangedTopics, Topic } from '../database/topics.ts'
import { isCopyCurrent } from '../http/conditional.ts'
import type { FindEarly } from '../http/early-answers.ts'
import { chooseEncoding, type Encoding, encode, encodeOnce } from '../http/encodings.ts'
import { answerError } from '../http/errors.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { countRequest } from '../http/server.ts'
import { hasCredentialHeader, type Viewer } from '../http/viewer.ts'
import { type EarlyPagesNeeds, makeEarlyPages } from './early-pages.ts'
import {
  type AnsweredCall,
  areAnsweredAlike,
  type CallNeeds,
  renderInProcess,
} from './in-process.ts'
import { type KeptPages, type MadePage, makeKeptPages } from './kept-pages.ts'
import { addManifest } from './manifest.ts'
import { pageAddress } from './page-address.ts'
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

/** The one page whose scripts may ask the sign-in provider who somebody is (product.md §O5). */
const USERINFO_PAGE = /^\/verifyOAuth\/?$/i
const GOOGLE_USERINFO_URL = 'https://www.googleapis.com/oauth2/v1/userinfo'

const RETRY = { 'retry-after': '5' }

/** The web part as the server sees it: built files, or the development server. */
export type Pages = {
  render: Render
  words: SiteWords
  describeBody: DescribeBody
  assetsFor(path: string): PageAssets
  /** Registers the browser's files. */
  addFiles(app: FastifyInstance): Promise<void>
  /**
   * The one inline script of every page. Without it no content security policy is sent: the
   * development server's scripts would not pass.
   */
  headScript: string | undefined
  /** Names what the renderer makes of bodies; undefined in development: it changes any time. */
  textsVersion: string | undefined
}

/** What every page says of the site, the same for all viewers. */
export type PageSettings = Omit<SiteSettings, 'isSignedIn' | 'googleUserinfoUrl' | 'requestId'>

type PagesNeeds = PageViewerNeeds &
  Pick<EarlyPagesNeeds, 'notePage'> & {
    pages: Pages
    site: PageSettings
    publicUrl: string
    /** Where a provider other than Google itself answers; undefined while that is not known. */
    findUserinfoUrl?: (() => Promise<string | undefined>) | undefined
    rateLimits: RateLimits
    /** From posts: see `Posts.deriveTexts`. */
    deriveTexts: DeriveTexts
    /** Which of what pages are made of has changed. */
    changed: ChangedTopics
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
    USERINFO_PAGE.test(path)
      ? ((await findUserinfoUrl?.().catch(() => undefined)) ?? GOOGLE_USERINFO_URL)
      : ''
  const headScriptSource = pages.headScript && hashSource(pages.headScript)
  const styleSourceFor = (path: string) => pages.assetsFor(path).firstStyles?.source
  // The development server's pages change with their sources.
  const kept = pages.headScript ? makeKeptPages(needs.changed) : undefined
  addManifest(app, site, pages.words)
  await pages.addFiles(app)
  app.get('/*', async (request, reply) => {
    if (!request.url.startsWith('/'))
      throw new Refusal('general_argument_invalid', 'The address must be a path.')
    countRequest(request, rateLimits)
    const { isSignedIn, isGuest, viewer, failure } = await findPageViewer(needs, request)
    const nonce = pages.headScript && newNonce()
    const googleUserinfoUrl = await userinfoUrlFor(request.url.split('?')[0] ?? '')
    const settings = { ...site, googleUserinfoUrl, isSignedIn }
    // A copy for everyone can hold no nonce, which is for one answer only: there the script is
    // allowed by its hash.
    const own = { settings, nonce: isSignedIn ? nonce : undefined }
    const page = { ...needs, app, request, own, viewer: viewerOfCalls(request, viewer) }
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

/** One page to be rendered: for whom, and what of the site it says. */
type PageRequest = Pick<PagesNeeds, 'pages' | 'publicUrl' | 'deriveTexts' | 'noteUnavailable'> & {
  app: FastifyInstance
  request: FastifyRequest
  own: Pick<RenderOptions, 'settings' | 'nonce' | 'refusal'>
  /** Undefined where its calls find out for whom they are. */
  viewer: Viewer | undefined
}

/** Calls of a page come with its cookie alone. */
function viewerOfCalls({ headers }: FastifyRequest, viewer: Viewer | undefined) {
  return hasCredentialHeader(headers) ? undefined : viewer
}

/** A page that was just rendered, with the calls it is made of. */
type Rendered = {
  answer: RenderedPage
  calls: AnsweredCall[]
  topics: Set<Topic>
  limitHeaders: Record<string, string>
}

async function renderPage(page: PageRequest): Promise<Rendered> {
  const { pages, publicUrl, deriveTexts, request, own } = page
  const { textsVersion: version } = pages
  const limitHeaders: Record<string, string> = {}
  const calls: AnsweredCall[] = []
  const topics = new Set<Topic>()
  const options = {
    ...own,
    request: own.refusal
      ? new Request(publicUrl)
      : toWebRequest(request, { publicUrl, settings: own.settings }),
    requestId: request.id,
    assets: pages.assetsFor(request.url),
    derive: async <Texts>(postId: string, html: string, make: (html: string) => Texts) =>
      version === undefined ? make(html) : deriveTexts(postId, html, { version, make }),
  }
  const answer = await renderInProcess(
    {
      ...callNeeds(page, topics),
      ...{ origin: publicUrl, limitHeaders },
      // Only pages for guests are asked for again.
      calls: own.settings.isSignedIn ? undefined : calls,
    },
    () => pages.render(options),
  )
  return { answer, calls, topics, limitHeaders }
}

function callNeeds(
  { app, request, viewer, noteUnavailable }: PageRequest,
  topics: Set<Topic>,
): CallNeeds {
  return {
    ...{ app, remoteAddress: request.ip, viewer, topics },
    failDirectly: (error) => answerError(error, request, noteUnavailable),
  }
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
    ask: (calls, topics) => areAnsweredAlike(callNeeds(page, topics), calls),
    async make() {
      const other = await renderPage(page)
      const { answer, calls, topics } = other
      const { body: html } = answer
      // Of made-up addresses without a post there is no end.
      if (answer.status !== 200 || (calls.length === 0 && address.includes('?'))) return { other }
      return {
        contentType: answer.headers['content-type'] ?? '',
        tag: entityTag(html),
        encoding,
        body: await encode(html, encoding),
        calls,
        topics,
      }
    },
  })
  if ('other' in found) return found
  const { contentType, tag } = found
  return { contentType, tag, encoding, body: await kept.bodyIn(found, encoding) }
}

/**
 * Only the path and a signed-in person's cookie count; nothing else of the request can steer what
 * is rendered.
 */
function toWebRequest(
  request: FastifyRequest,
  { publicUrl, settings }: { publicUrl: string; settings: SiteSettings },
): Request {
  const { cookie } = request.headers
  const { isSignedIn } = settings
  const address = isSignedIn ? request.url : pageAddress(request.url, settings)
  return new Request(publicUrl + address, { headers: cookie && isSignedIn ? { cookie } : {} })
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
  const body = await encodeOnce(html, encoding)
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
