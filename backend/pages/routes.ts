// HTML pages: every address outside `/v1`. Renders through the web part's renderer, with the headers of threat-model §7.
import { randomBytes } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { FindViewer } from '../http/viewer.ts'
import { renderInProcess } from './in-process.ts'

/** Addresses of the built files that a page needs. */
export type PageAssets = { entry: string; wake: string; css: string[]; preload: string[]; fonts: string[] }

/** What a page may know of the site (web/api/site-settings.ts). Nothing secret: it is sent to every browser. */
type SiteSettings = {
  siteName: string
  projectId: string
  databaseId: string
  collectionId: string
  contentBucketId: string
  avatarBucketId: string
  hasMail: boolean
  hasGoogle: boolean
  isRegistrationOpen: boolean
  googleUserinfoUrl: string
  isSignedIn: boolean
}

/** The one page whose scripts may ask the sign-in provider who somebody is (ruling O5). */
const USERINFO_PAGE = /^\/verifyOAuth\/?$/i
const GOOGLE_USERINFO_URL = 'https://www.googleapis.com/oauth2/v1/userinfo'

export type Render = (page: { request: Request; settings: SiteSettings; nonce: string | undefined; assets: PageAssets }) => Promise<Response>

/** The web part as the server sees it: built files, or the development server. */
export type Pages = {
  render: Render
  assetsFor(path: string): PageAssets
  /** Registers the browser's files. */
  addFiles(app: FastifyInstance): Promise<void>
  /** Whether the content security policy is sent; the development server's scripts would not pass it. */
  isStrict: boolean
}

type PagesNeeds = Omit<SiteSettings, 'isSignedIn' | 'hasMail' | 'hasGoogle' | 'googleUserinfoUrl'> & {
  publicUrl: string
  mail: { kind: string }
  google: object | undefined
  /** Where a provider other than Google itself answers; undefined while it cannot be found out. */
  findUserinfoUrl?: (() => Promise<string | undefined>) | undefined
  findViewer: FindViewer
  pages: Pages | undefined
}

/** Adds pages and the browser's files to the server; nothing when there is no web part (API tests). */
export async function addPages(app: FastifyInstance, { pages, findViewer, publicUrl, findUserinfoUrl, ...site }: PagesNeeds): Promise<void> {
  if (!pages) return
  const settings: Omit<SiteSettings, 'isSignedIn' | 'googleUserinfoUrl'> = {
    siteName: site.siteName,
    projectId: site.projectId,
    databaseId: site.databaseId,
    collectionId: site.collectionId,
    contentBucketId: site.contentBucketId,
    avatarBucketId: site.avatarBucketId,
    hasMail: site.mail.kind !== 'off',
    hasGoogle: site.google !== undefined,
    isRegistrationOpen: site.isRegistrationOpen,
  }
  const readUserinfoUrl = async (path: string): Promise<string> =>
    USERINFO_PAGE.test(path) ? ((await findUserinfoUrl?.().catch(() => undefined)) ?? GOOGLE_USERINFO_URL) : ''
  await pages.addFiles(app)
  const addHtml: FastifyPluginAsync = async (scope) => {
    await scope.register(fastifyCompress, { encodings: ['br', 'gzip'], threshold: 1024 })
    scope.get('/*', async (request, reply) => {
      const viewer = await findViewer(request).catch(() => undefined)
      const nonce = pages.isStrict ? randomBytes(16).toString('base64') : undefined
      const googleUserinfoUrl = await readUserinfoUrl(request.url.split('?')[0] ?? '')
      const page = {
        request: toWebRequest(request, publicUrl),
        settings: { ...settings, googleUserinfoUrl, isSignedIn: viewer?.role === 'user' },
        nonce,
        assets: pages.assetsFor(request.url),
      }
      const answer = await renderInProcess({ app, origin: publicUrl, remoteAddress: request.ip }, () => pages.render(page))
      setPageHeaders(request, reply, { nonce, askable: googleUserinfoUrl })
      return send(answer, reply)
    })
  }
  await app.register(addHtml)
}

/** Only the path and the cookie count; nothing else of the request can steer what is rendered. */
function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const { cookie } = request.headers
  return new Request(publicUrl + request.url, { headers: cookie ? { cookie } : {} })
}

/** @param page `askable` is the one foreign address that the page's scripts may call, "" for none */
function setPageHeaders(request: FastifyRequest, reply: FastifyReply, { nonce, askable }: { nonce: string | undefined; askable: string }): void {
  const query = request.query as Record<string, unknown>
  const hasSecret = 'secret' in query || 'access_token' in query
  reply.headers({
    'cache-control': 'private, no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    vary: 'Cookie',
    ...(hasSecret ? { 'referrer-policy': 'no-referrer' } : {}),
    ...(nonce ? { 'content-security-policy': policy(nonce, askable) } : {}),
  })
}

function policy(nonce: string, askable: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    askable ? `connect-src 'self' ${new URL(askable).origin}` : "connect-src 'self'",
    'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function send(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(answer.status)
  for (const [name, value] of answer.headers) reply.header(name, value)
  return reply.send(await answer.text())
}
