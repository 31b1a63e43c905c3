// Renders one page through the web part's renderer, with what its calls of the API need. Pages of
// posts are kept as any member sees them (decision 0060): the renderer puts in what is one member's
// own.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type {
  DeriveTexts,
  DescribeBody,
  PageAssets,
  ReadShared,
  Render,
  RenderedPage,
  RenderOptions,
  SiteWords,
} from '#contract/pages.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
import type { Topic } from '../database/topics.ts'
import { encode } from '../http/encodings.ts'
import { answerError } from '../http/errors.ts'
import { GUEST, hasCredentialHeader, type UserViewer, type Viewer } from '../http/viewer.ts'
import {
  type AnsweredCall,
  areAnsweredAlike,
  type CallNeeds,
  renderInProcess,
} from './in-process.ts'
import type { KeptPages } from './kept-pages.ts'
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
  keptForMembers?: KeptPages | undefined
}

/**
 * Calls of a page come with its cookie alone: where something else may say who is asking, the
 * routes find out for each.
 */
function viewerOfCalls({ request, viewer }: PageRequest): Viewer | undefined {
  return hasCredentialHeader(request.headers) ? undefined : viewer
}

/** A page that was just rendered, with the calls it is made of. */
export type Rendered = {
  answer: RenderedPage
  calls: AnsweredCall[]
  topics: Set<Topic>
  limitHeaders: Record<string, string>
}

export async function renderPage(page: PageRequest): Promise<Rendered> {
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
    readShared: findReadShared(page),
    derive: async <Texts>(postId: string, html: string, make: (html: string) => Texts) =>
      version === undefined ? make(html) : deriveTexts(postId, html, { version, make }),
  }
  const answer = await renderInProcess(
    {
      ...callNeeds(page, viewerOfCalls(page), topics),
      ...{ origin: publicUrl, limitHeaders },
      // Only pages for guests are asked for again.
      calls: own.settings.isSignedIn ? undefined : calls,
    },
    () => pages.render(options),
  )
  return { answer, calls, topics, limitHeaders }
}

function findReadShared(page: PageRequest): ReadShared | undefined {
  const { keptForMembers: kept, publicUrl } = page
  const viewer = viewerOfCalls(page)
  if (!kept || viewer?.role !== 'user') return undefined
  const member = anyMember(viewer)
  return async (key, make) => {
    const found = await kept.readOrMake<undefined>(`${viewer.isVerified} ${key}`, {
      ask: (calls, topics) => areAnsweredAlike(callNeeds(page, member, topics), calls),
      async make() {
        const calls: AnsweredCall[] = []
        const topics = new Set<Topic>()
        const needs = {
          ...callNeeds(page, member, topics),
          origin: publicUrl,
          limitHeaders: {},
          calls,
        }
        const { status, headers, body } = await renderInProcess(needs, make)
        if (status !== 200) return { other: undefined }
        const contentType = headers['content-type'] ?? ''
        const encoding = 'identity'
        return { contentType, tag: '', encoding, body: await encode(body, encoding), calls, topics }
      },
    })
    return 'other' in found ? undefined : (await kept.bodyIn(found, 'identity')).toString()
  }
}

/** In the same groups of readers, with nothing of their own. */
function anyMember({ isVerified }: UserViewer): UserViewer {
  return { role: 'user', userId: '', email: '', name: '', sessionId: '', isVerified }
}

/** Whether guests would be answered the calls of a page now as they were. */
export function isMadeAlike(
  page: PageRequest,
  calls: readonly AnsweredCall[],
  topics: Set<Topic>,
): Promise<boolean> {
  return areAnsweredAlike(callNeeds(page, GUEST, topics), calls)
}

function callNeeds(
  { app, request, noteUnavailable }: PageRequest,
  viewer: Viewer | undefined,
  topics: Set<Topic>,
): CallNeeds {
  return {
    ...{ app, remoteAddress: request.ip, viewer, topics },
    failDirectly: (error) => answerError(error, request, noteUnavailable),
  }
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
