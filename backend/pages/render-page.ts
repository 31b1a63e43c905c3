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
import { answerError } from '../http/errors.ts'
import { hasCredentialHeader, type Viewer } from '../http/viewer.ts'
import { type Rendering, renderInProcess } from './in-process.ts'
import { pageAddress } from './page-address.ts'

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

export type RenderNeeds = {
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

/** `callCount`: how many calls of the API it is made of. */
export type Rendered = Pick<Rendering, 'callCount' | 'hasFailed' | 'limitHeaders'> & {
  answer: RenderedPage
}

export async function renderPage(page: PageRequest): Promise<Rendered> {
  const { app, pages, publicUrl, deriveTexts, request, own } = page
  const { textsVersion: version } = pages
  const options = {
    ...own,
    request: own.refusal ? new Request(publicUrl) : toWebRequest(page),
    requestId: request.id,
    assets: pages.assetsFor(request.url),
    derive: async <Texts>(postId: string, html: string, make: (html: string) => Texts) =>
      version === undefined ? make(html) : deriveTexts(postId, html, { version, make }),
  }
  const rendering = {
    ...{ app, origin: publicUrl, remoteAddress: request.ip },
    ...{ limitHeaders: {}, callCount: 0, hasFailed: false },
    // Calls of a page come with its cookie alone: where something else may say who is asking, the
    // routes find out for each.
    viewer: hasCredentialHeader(request.headers) ? undefined : page.viewer,
    failDirectly: (error: unknown) => answerError(error, request),
  }
  const answer = await renderInProcess(rendering, () => pages.render(options))
  return { ...rendering, answer }
}

/**
 * Only the path and a signed-in person's cookie count; nothing else of the request can steer what
 * is rendered.
 */
function toWebRequest({ request, publicUrl, own: { settings } }: PageRequest): Request {
  const { cookie } = request.headers
  if (!settings.isSignedIn) return new Request(publicUrl + pageAddress(request.url, settings))
  return new Request(publicUrl + request.url, { headers: cookie ? { cookie } : {} })
}
