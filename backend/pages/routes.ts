// HTML pages: every address outside `/v1`. Renders through the web part's renderer, with the
// headers of threat-model.md §7.
import { randomBytes } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import type { PageAssets, Render, SiteWords } from '#contract/pages.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
import { isCopyCurrent } from '../http/conditional.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { countRequest } from '../http/server.ts'
import type { FindViewer } from '../http/viewer.ts'
import { renderInProcess } from './in-process.ts'
import { addManifest } from './manifest.ts'
import { entityTag, hashSource, isKept, type PageFacts, setPageHeaders } from './page-headers.ts'

/** The one page whose scripts may ask the sign-in provider who somebody is (product.md §O5). */
const USERINFO_PAGE = /^\/verifyOAuth\/?$/i
const GOOGLE_USERINFO_URL = 'https://www.googleapis.com/oauth2/v1/userinfo'

/** The web part as the server sees it: built files, or the development server. */
export type Pages = {
  render: Render
  words: SiteWords
  assetsFor(path: string): PageAssets
  /** Registers the browser's files. */
  addFiles(app: FastifyInstance): Promise<void>
  /**
   * The one inline script of every page. Without it no content security policy is sent: the
   * development server's scripts would not pass.
   */
  headScript: string | undefined
}

/** What every page says of the site, the same for all viewers. */
export type PageSettings = Omit<SiteSettings, 'isSignedIn' | 'googleUserinfoUrl' | 'requestId'>

type PagesNeeds = {
  pages: Pages
  site: PageSettings
  publicUrl: string
  /** Where a provider other than Google itself answers; undefined while it cannot be found out. */
  findUserinfoUrl?: (() => Promise<string | undefined>) | undefined
  findViewer: FindViewer
  rateLimits: RateLimits
}

/** Adds pages and the browser's files to the server. */
export async function addPages(
  app: FastifyInstance,
  { pages, site, publicUrl, findUserinfoUrl, findViewer, rateLimits }: PagesNeeds,
): Promise<void> {
  const userinfoUrlFor = async (path: string): Promise<string> =>
    USERINFO_PAGE.test(path)
      ? ((await findUserinfoUrl?.().catch(() => undefined)) ?? GOOGLE_USERINFO_URL)
      : ''
  const headScriptSource = pages.headScript && hashSource(pages.headScript)
  addManifest(app, site.siteName, pages.words)
  await pages.addFiles(app)
  const addHtml: FastifyPluginAsync = async (scope) => {
    await scope.register(fastifyCompress, { encodings: ['br', 'gzip'], threshold: 1024 })
    scope.get('/*', async (request, reply) => {
      if (!request.url.startsWith('/'))
        throw new Refusal('general_argument_invalid', 'The address must be a path.')
      countRequest(request, rateLimits)
      const viewer = await findViewer(request).catch(() => undefined)
      const isSignedIn = viewer?.role === 'user'
      const nonce = pages.headScript && randomBytes(16).toString('base64')
      const googleUserinfoUrl = await userinfoUrlFor(request.url.split('?')[0] ?? '')
      const page = {
        request: toWebRequest(request, { publicUrl, isSignedIn }),
        settings: { ...site, googleUserinfoUrl, isSignedIn },
        // A copy for everyone can hold no nonce, which is for one answer only: there the script is
        // allowed by its hash.
        nonce: isSignedIn ? nonce : undefined,
        requestId: request.id,
        assets: pages.assetsFor(request.url),
      }
      const limitHeaders: Record<string, string> = {}
      const answer = await renderInProcess(
        { app, origin: publicUrl, remoteAddress: request.ip, limitHeaders },
        () => pages.render(page),
      )
      if (answer.status === 429) reply.headers(limitHeaders)
      return send(request, reply, answer, {
        scriptSource:
          nonce && (isSignedIn ? `'nonce-${nonce}'` : `'nonce-${nonce}' ${headScriptSource}`),
        connectOrigin: googleUserinfoUrl && new URL(googleUserinfoUrl).origin,
        status: answer.status,
        isForAnyone: viewer !== undefined && !isSignedIn,
      })
    })
  }
  await app.register(addHtml)
}

/**
 * Only the path and a signed-in person's cookie count; nothing else of the request can steer what
 * is rendered.
 */
function toWebRequest(
  request: FastifyRequest,
  { publicUrl, isSignedIn }: { publicUrl: string; isSignedIn: boolean },
): Request {
  const { cookie } = request.headers
  return new Request(publicUrl + request.url, { headers: cookie && isSignedIn ? { cookie } : {} })
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Response,
  page: PageFacts,
): Promise<FastifyReply> {
  reply.code(answer.status)
  for (const [name, value] of answer.headers) reply.header(name, value)
  setPageHeaders(request, reply, page)
  const html = await answer.text()
  if (!isKept(request, page)) return reply.send(html)
  const tag = entityTag(html)
  reply.header('etag', tag)
  return isCopyCurrent(request, tag)
    ? reply.code(304).removeHeader('content-type').send()
    : reply.send(html)
}
