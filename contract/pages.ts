// The interface through which the server makes the web part render one HTML page. The web part is
// built separately and loaded when the server starts.
import type { Account } from './accounts.ts'
import type { SiteSettings } from './site-settings.ts'

/** A font file of the web part's style sheets, and the characters it covers. */
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
  /** The script in the pages of long posts (reading-aids.ts). */
  readingAids?: string
  /** All font files; the renderer picks those that a page needs. */
  fonts: FontFace[]
  /** Inline rules, so that sheets and fonts may load after the image (decision 0051). */
  criticalCss?: CriticalCss
  /** Further rules for posts with pictures, notes, embeds and the like. */
  objectCss?: CriticalCss
}

/** Inline rules of a page: enough for the first paint. */
export type CriticalCss = {
  text: string
  /** The text's source in the page's policy. */
  source: string
}

/** Everything that rendering one page needs. */
export type RenderOptions = {
  /** A GET of the page's full URL; it has a cookie only if a person is signed in. */
  request: Request
  settings: SiteSettings
  /**
   * Allows the script in the head (`Content-Security-Policy`); undefined on pages whose policy
   * names the script's hash, and in development, where there is no policy.
   */
  nonce: string | undefined
  /**
   * Renders only a refusal: the URL is malformed (400), or pages do not allow this method (405).
   */
  refusal?: 400 | 405 | undefined
  /**
   * The page is shared by all members with, or without, a verified address: it names none of them,
   * and has {@link VIEWER_SLOT} for the data of one member.
   */
  audience?: { isVerified: boolean } | undefined
  /** Finds the request in the server's log; shown on an error page only. */
  requestId: string
  assets: PageAssets
  /** Derives texts from the body of the post that the page shows. */
  derive: <Texts>(postId: string, html: string, make: (html: string) => Texts) => Promise<Texts>
}

/** The parts of a response that the client reads. A full Response would stream its text. */
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

/** The data of one member on a page that members share. */
export type ViewerData = {
  account: Account
  /** When the server sent the page. */
  sentAtMs: number
  /** Whether they like the post that the page shows. */
  likesPost: boolean
}

/** Id of the element with {@link ViewerData} as JSON on pages that members share. */
export const VIEWER_DATA_ELEMENT_ID = 'viewer-data'

const SLOT_START = `<script id="${VIEWER_DATA_ELEMENT_ID}" type="application/json">`

/** The empty element in the head of such a page, as React writes it. */
export const VIEWER_SLOT = `${SLOT_START}</script>`

export function fillViewerSlot(viewer: ViewerData): string {
  return `${SLOT_START}${jsonInPage(viewer)}</script>`
}

/**
 * The path of a page that holds nothing but the frame of an embed. Its policy allows that one host,
 * so that no other page has to allow hosts that anybody may run.
 */
export const EMBED_FRAME_PATH = '/embed'

/** JSON for a script element: no value can end the element. */
export function jsonInPage(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Texts that the server uses itself, for the web app manifest and share cards. */
export type ServerTexts = {
  /** A language tag, like `en`. @source BCP 47 */
  language: string
  direction: 'ltr' | 'rtl'
  /** Name of the shortcut to the form of a new post. */
  addPost: string
  /** When a post was written and how long it takes to read, for the card of a post. */
  postLine(createdAt: string, minutes: number): string
}

/** Derives data from a post's body for the server. The result is stored as JSON. */
export type DescribeBody = (html: string) => { minutes: number }

/** What an export of the blog as a site without a server needs of the web part. */
export type StaticSite = {
  /** A classic script for the head of every page: theme, bottom bar, dates, long comments. */
  script: string
  /** A classic script for the search page. */
  searchScript: string
  /** Rules in addition to the style sheets of the pages. */
  style: string
  /** The titles of the lists that only an export has. */
  titles: Record<StaticListKind, string>
  /** Such as "May 2026"; months count from 0. */
  month(month: number, year: number): string
  /** @returns HTML for the main part of a page */
  renderList(list: StaticList): string
}

/** Posts by date, all authors, all tags. */
export type StaticListKind = 'archive' | 'authors' | 'tags'

/** A list that only an export has. Addresses are relative to its page. */
export type StaticList = {
  title: string
  groups: { title: string; items: StaticListItem[] }[]
  /** Pages of the list; absent when there is one. */
  newer?: string | undefined
  older?: string | undefined
}

export type StaticListItem = {
  href: string
  text: string
  /** The author of a post. */
  author?: string
  /** When a post was published. */
  time?: string
  /** The posts of an author, of a tag, or of a year. */
  posts?: number
}

/** The exports of web/server.tsx. */
export type WebServerModule = {
  render: Render
  /** Called by `derive`, which stores the result. */
  describeBody: DescribeBody
  /** The one inline script of every page: a constant, so that a policy can name its hash. */
  HEAD_SCRIPT: string
  SERVER_TEXTS: ServerTexts
  STATIC_SITE: Omit<StaticSite, 'style'>
}
