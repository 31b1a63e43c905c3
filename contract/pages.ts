// What the server hands the web part to render one HTML page, and what it gets back. The web part
// is built on its own and loaded when the server starts.
import type { Account } from './accounts.ts'
import type { SiteSettings } from './site-settings.ts'

/** A font file of the web part's style sheets, and the text it is for. */
export type FontFace = {
  /** Path on this site, from its root. */
  href: string
  isItalic: boolean
  /** CSS font weights (1 to 1000), both included. */
  weights: [least: number, most: number]
  /** Ranges of Unicode code points, both ends included (`unicode-range`). */
  ranges: [first: number, last: number][]
}

/** The built files that a page needs; every address is a path on this site, from its root. */
export type PageAssets = {
  /** The script that starts the app in the browser. */
  entry: string
  /** Style sheets, in the order of their `<link>` elements. */
  css: string[]
  /** Scripts that `entry` imports, worth fetching together with it. */
  preload: string[]
  /** Every font file there is; the renderer names those that a page needs. */
  fonts: FontFace[]
  /** With these in the page, its sheets and fonts may come after its image (decision 0051). */
  criticalCss?: CriticalCss
}

/** Rules that stand in a page itself: enough for the first paint. */
export type CriticalCss = {
  text: string
  /** The text's source in the page's policy. */
  source: string
}

/** Everything that one page is rendered from. */
export type RenderOptions = {
  /** A GET of the page's full address; it carries the cookie of a signed-in person only. */
  request: Request
  settings: SiteSettings
  /**
   * Allows the script in the head (`Content-Security-Policy`); undefined on pages whose policy
   * names the script's hash, and in development, where there is no policy.
   */
  nonce: string | undefined
  /**
   * The page is only that the server refuses: the address cannot be read, or the method is not one
   * of a page.
   */
  refusal?: 400 | 405 | undefined
  /**
   * The page is for all members with, or without, a verified address: it says nothing of any of
   * them, and has {@link VIEWER_SLOT} for what is one member's own.
   */
  audience?: { isVerified: boolean } | undefined
  /** Finds the request in the server's log; shown on an error page only. */
  requestId: string
  assets: PageAssets
  /** Derives texts from the body of the post that the page shows. */
  derive: <Texts>(postId: string, html: string, make: (html: string) => Texts) => Promise<Texts>
}

/** What the client looks at of an answer. A whole Response would read its text as a stream. */
export type ClientResponse = Pick<Response, 'status' | 'json' | 'text'> & {
  headers: Pick<Headers, 'get'>
}

declare global {
  /** Read by shims/cross-fetch, through which all calls of the client go. */
  var __dispatch: ((...call: Parameters<typeof fetch>) => Promise<ClientResponse>) | undefined
}

/** Names of headers are in lower case; a redirect has no body. */
export type RenderedPage = { status: number; headers: Record<string, string>; body: string }

/**
 * Renders one page.
 *
 * @returns an HTML page, its status included, or a redirect. A failed API call becomes an error
 *   page with the status of the call
 */
export type Render = (options: RenderOptions) => Promise<RenderedPage>

/** What of a page for all members is one member's own. */
export type ViewerData = {
  account: Account
  /** When the server sent the page. */
  sentAtMs: number
  /** Whether they like the post that the page shows. */
  likesPost: boolean
}

/** Id of the element that holds {@link ViewerData} as JSON, on pages that are for all members. */
export const VIEWER_DATA_ELEMENT_ID = 'viewer-data'

const SLOT_START = `<script id="${VIEWER_DATA_ELEMENT_ID}" type="application/json">`

/** Its place in the head of such a page, as React writes it. */
export const VIEWER_SLOT = `${SLOT_START}</script>`

export function fillViewerSlot(viewer: ViewerData): string {
  return `${SLOT_START}${jsonInPage(viewer)}</script>`
}

/** JSON in an element for scripts: no value can end the element. */
export function jsonInPage(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The few texts that the server needs itself, for the web app manifest. */
export type ServerTexts = {
  /** A language tag, like `en`. @source BCP 47 */
  language: string
  direction: 'ltr' | 'rtl'
  /** Name of the shortcut to the form of a new post. */
  addPost: string
  /** When a post was written and how long it takes to read, for the card of a post. */
  postLine(createdAt: string, minutes: number): string
}

/** What the server needs to know of a post's body besides its page. Goes through JSON. */
export type DescribeBody = (html: string) => { minutes: number }

/** What the module web/server.tsx exports. */
export type WebServerModule = {
  render: Render
  /** Makes what `derive` keeps of a body. */
  describeBody: DescribeBody
  /** The one inline script of every page: a constant, so that a policy can name its hash. */
  HEAD_SCRIPT: string
  SERVER_TEXTS: ServerTexts
}
