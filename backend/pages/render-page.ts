// Renders one page through the web part's renderer, with what its calls of the API need.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type {
  DeriveTexts,
  DescribeBody,
  PageAssets,
  Render,
  RenderedPage,
  RenderOptions,
  SiteWords,
} from '#contract/pages.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
import { answerError } from '../http/errors.ts'
import { hasCredentialHeader, type Viewer } from '../http/viewer.ts'
import { renderInProcess } from './in-process.ts'
import { pageAddress } from './page-address.ts'
import type { PageViewerNeeds } from './page-viewer.ts'

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

export type RenderNeeds = Pick<PageViewerNeeds, 'noteUnavailable'> & {
  pages: Pages
  publicUrl: string
  /** From posts: see `Posts.deriveTexts`. */
  deriveTexts: DeriveTexts
}

/** One page to be rendered: for whom, and what of the site it says. */
export type PageRequest = RenderNeeds & {
  app: FastifyInstance
  request: FastifyRequest
  own: Pick<RenderOptions, 'settings' | 'nonce' | 'refusal'>
  /** Undefined while it is not known. */
  viewer: Viewer | undefined
}

/**
 * Calls of a page come with its cookie alone: where something else may say who is asking, the
 * routes find out for each.
 */
function viewerOfCalls({ request, viewer }: PageRequest): Viewer | undefined {
  return hasCredentialHeader(request.headers) ? undefined : viewer
}

/** `callCount`: how many calls of the API it is made of. */
export type Rendered = {
  answer: RenderedPage
  callCount: number
  hasFailed: boolean
  limitHeaders: Record<string, string>
}

export async function renderPage(page: PageRequest): Promise<Rendered> {
  const { app, pages, publicUrl, deriveTexts, request, own, noteUnavailable } = page
  const { textsVersion: version } = pages
  const limitHeaders: Record<string, string> = {}
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
  const rendering = {
    ...{
      app,
      limitHeaders,
      callCount: 0,
      hasFailed: false,
      origin: publicUrl,
      remoteAddress: request.ip,
    },
    viewer: viewerOfCalls(page),
    failDirectly: (error: unknown) => answerError(error, request, noteUnavailable),
  }
  const answer = await renderInProcess(rendering, () => pages.render(options))
  const { callCount, hasFailed } = rendering
  return { answer, callCount, hasFailed, limitHeaders }
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
