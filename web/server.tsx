// Renders a page on the server, with the same routes and components as in the browser. Loaded by
// backend/pages at run time.
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import type { Account } from '#contract/accounts.ts'
import type { RenderedPage, RenderOptions, ServerTexts } from '#contract/pages.ts'
import { getAccount } from './accounts/accounts-api.ts'
import { placeholderAccount } from './accounts/placeholder-account.ts'
import { signInAddress } from './accounts/return-path.ts'
import { type Api, makeApi, succeed } from './api/client.ts'
import type { InitialData } from './api/initial-data.ts'
import type { SiteSettings } from './api/page-data.ts'
import { AppRoot } from './app-root.tsx'
import { withEach } from './comments/comment-page.ts'
import type { ShownComments } from './comments/comments-api.ts'
import { plainDate } from './dates/dates.tsx'
import { Document, type DocumentPreferences } from './document.tsx'
import type { InitialFeed } from './feed/feed-loader.ts'
import { isTheme, THEME_COOKIE } from './head/stored-preferences.ts'
import { texts } from './locales/texts.ts'
import { createLoaderContext, findApi, PAGE_LOADERS, VISITOR_LOADERS } from './page-loaders.ts'
import type { PagePost } from './posts/posts-api.ts'
import { deriveStoredMetadata } from './reading/body-metadata.ts'
import type { PostPageData } from './reading/post-loader.ts'
import { fontsFor, type StyleCharacters } from './reading/reading-fonts.ts'
import {
  SERVED_BODY_MARKER,
  type ServedBody,
  ServedBodyContext,
} from './reading/server-rendered-body.ts'
import { hasTextObjects, needsReadingAids } from './reading/text-objects.ts'
import { makeRoutes, type PageLoaders, SCREEN_ID } from './routes.tsx'
import type { RouteHandle } from './shell/guard.tsx'

export { HEAD_SCRIPT } from './head/head-script.ts'
export { deriveStoredMetadata as describeBody } from './reading/body-metadata.ts'
export { STATIC_SITE } from './static-site.tsx'

/** For the web app manifest and share cards, which the backend creates. */
export const SERVER_TEXTS: ServerTexts = {
  language: texts.language,
  direction: texts.direction,
  addPost: texts.header.addPost,
  postLine: (createdAt, minutes) => `${plainDate(createdAt)} · ${texts.post.minutes(minutes)}`,
}

/** Stands for the texts of the screens, which are in Latin letters. */
const SCREEN_LETTERS = 'Aa'

/**
 * @returns the whole page, or a redirect: a visitor who requests a guarded page is sent to /login,
 *   a signed-in user who requests /login is sent to the dashboard
 */
export async function render(options: RenderOptions): Promise<RenderedPage> {
  if (options.refusal) return renderRefusal(options, options.refusal)
  const { request, settings, audience } = options
  const url = new URL(request.url)
  const api = makeApi(settings, { origin: url.origin })
  const handlerFor = handlersFor(settings.reading)
  const accountResult = audience
    ? succeed(placeholderAccount({ $id: '', emailVerification: audience.isVerified }))
    : settings.isSignedIn
      ? await getAccount(api)
      : undefined
  // The session has ended since the backend looked it up.
  if (accountResult && !accountResult.ok && accountResult.failure.code === 401)
    return render({
      ...options,
      request: new Request(request.url),
      settings: { ...settings, isSignedIn: false },
    })
  const account = accountResult?.ok ? accountResult.value : undefined
  const handler = account
    ? handlerFor.members
    : settings.isSignedIn
      ? handlerFor.anyone
      : handlerFor.visitors
  const context = await handler.query(request, {
    requestContext: createLoaderContext({ api, viewer: account, isShared: audience !== undefined }),
  })
  if (context instanceof Response) return redirectOf(context)
  const handles = handlesOf(context)
  const redirection = findRedirect(url, handles, {
    isVisitor: !settings.isSignedIn,
    isKnown: accountResult?.ok === true,
  })
  if (redirection) return redirection
  // The data of a guarded page cannot be loaded for an unknown viewer: the browser tries again.
  const isUnknown =
    accountResult?.ok === false &&
    handles.some((handle) => handle.isGuarded || handle.isForOperators)
  const status =
    isUnknown && context.statusCode < 400 ? accountResult.failure.code || 503 : context.statusCode
  return asHtml(
    status,
    await renderPage(options, { api, account, handler, context, handles, status }),
  )
}

function handlesOf({ matches }: Pick<StaticHandlerContext, 'matches'>): RouteHandle[] {
  return matches.flatMap(({ route }) => (route.handle as RouteHandle | undefined) ?? [])
}

type Handler = ReturnType<typeof createStaticHandler>
/** `anyone` loads no data: while the viewer is unknown, the browser finds out and loads them. */
type Handlers = Record<'members' | 'visitors' | 'anyone', Handler>

const handlers = new Map<SiteSettings['reading'], Handlers>()

/** Created once: the routes are the same for every request. */
function handlersFor(reading: SiteSettings['reading']): Handlers {
  const cached = handlers.get(reading)
  if (cached) return cached
  const make = (loaders: PageLoaders) =>
    createStaticHandler(makeRoutes({ reading, apiOf: findApi, loaders }))
  const created = {
    members: make(PAGE_LOADERS),
    visitors: make(VISITOR_LOADERS),
    anyone: make({}),
  }
  handlers.set(reading, created)
  return created
}

/** Makes no call of the API: the browser asks who is signed in. */
async function renderRefusal(options: RenderOptions, refusal: 400 | 405): Promise<RenderedPage> {
  const { request, settings } = options
  const api = makeApi(settings, { origin: new URL(request.url).origin })
  const handler = handlersFor(settings.reading).anyone
  const context = await handler.query(request, { requestContext: createLoaderContext({ api }) })
  if (context instanceof Response) return redirectOf(context)
  const error = { status: refusal, statusText: '', internal: false, data: null }
  const page = await renderPage(options, {
    api,
    account: undefined,
    handler,
    context: { ...context, errors: { [SCREEN_ID]: error } },
    handles: [],
    status: refusal,
  })
  return asHtml(refusal, page)
}

function asHtml(status: number, body: string): RenderedPage {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

/**
 * @param viewer `isKnown`: the viewer is signed in and the account was read
 * @source product.md §2
 */
function findRedirect(
  { pathname, search }: URL,
  handles: RouteHandle[],
  { isVisitor, isKnown }: { isVisitor: boolean; isKnown: boolean },
): RenderedPage | undefined {
  if (isVisitor && handles.some(({ isGuarded }) => isGuarded))
    return redirectTo(signInAddress({ pathname, search }), 302)
  const isNotForMembers = handles.some(({ isForVisitors }) => isForVisitors)
  return isKnown && isNotForMembers ? redirectTo('/dashboard', 302) : undefined
}

function redirectTo(location: string, status: 302): RenderedPage {
  return { status, headers: { location }, body: '' }
}

/** The redirect that a loader threw. */
function redirectOf({ status, headers }: Response): RenderedPage {
  return { status, headers: Object.fromEntries(headers), body: '' }
}

type Page = {
  api: Api
  account: Account | undefined
  handler: Handler
  context: StaticHandlerContext
  handles: RouteHandle[]
  status: number
}

async function renderPage(
  { request, settings, nonce, requestId, assets, derive, refusal, audience }: RenderOptions,
  { api, account, handler, context, handles, status }: Page,
): Promise<string> {
  const router = createStaticRouter(handler.dataRoutes, context)
  // After an error the browser runs the loaders again.
  const loaderData = context.errors ? undefined : context.loaderData
  const isAppDeferred =
    loaderData !== undefined &&
    !settings.isSignedIn &&
    status < 500 &&
    handles.some((handle) => handle.waitsForInteraction) &&
    // The app reads the reason for signing in from the address.
    !(handles.some((handle) => handle.isForVisitors) && new URL(request.url).search)
  const post = loaderData && findPost(loaderData)
  const stored = post && (await derive(post.$id, post.highlightedContent, deriveStoredMetadata))
  const servedBody: ServedBody | undefined = post &&
    stored && {
      html: post.highlightedContent,
      metadata: {
        direction: stored.direction,
        minutes: stored.minutes,
        description: stored.description,
      },
    }
  const text = [settings.siteName, post?.title ?? SCREEN_LETTERS, ...findTitles(loaderData)].join(
    '',
  )
  const letters: StyleCharacters[] = stored?.letters ?? []
  const pageSettings = context.errors ? { ...settings, requestId } : settings
  const page = renderToString(
    <Document
      settings={pageSettings}
      assets={assets}
      fonts={fontsFor(assets.fonts, { text, letters })}
      nonce={nonce}
      hasPost={post !== undefined}
      isLongPost={post !== undefined && needsReadingAids(post.highlightedContent)}
      hasObjects={post !== undefined && hasTextObjects(post.highlightedContent)}
      isHidden={status >= 400 && (refusal !== undefined || handles.some(isListable))}
      isAppDeferred={isAppDeferred}
      pageData={{
        ...(loaderData && { loaderData: withoutMarkup(loaderData, post, account) }),
        ...(servedBody && { bodyMetadata: servedBody.metadata }),
        ...(account && !audience && { account, sentAtMs: Date.now() }),
        ...(audience && { isShared: true }),
        ...(refusal && { refusal }),
      }}
      preferences={settings.isSignedIn ? findPreferences(account, request) : undefined}
    >
      <AppRoot
        api={{ ...api, settings: pageSettings }}
        account={account}
        isShared={audience !== undefined}
      >
        <ServedBodyContext value={servedBody}>
          <StaticRouterProvider router={router} context={context} hydrate={false} />
        </ServedBodyContext>
      </AppRoot>
    </Document>,
  )
  return `<!DOCTYPE html>${page}`
}

/** On all other pages the shell excludes search engines. */
function isListable({ isIndexed }: RouteHandle): boolean {
  return isIndexed === true
}

function findPost(loaderData: Record<string, unknown>): PagePost | undefined {
  for (const routeData of Object.values(loaderData)) {
    const post = (routeData as Partial<PostPageData> | null)?.post
    if (post instanceof Promise || !post) continue
    return post
  }
  return undefined
}

/**
 * Leaves out what the markup contains: the body of a post, the texts of comments. Of the users who
 * like the post, a member's page names at most that member.
 */
function withoutMarkup(
  loaderData: Record<string, unknown>,
  post: PagePost | undefined,
  account: Account | undefined,
): Record<string, unknown> {
  if (!post) return loaderData
  const likeId = account ? post.likeId.filter((id) => id === account.$id) : post.likeId
  const postWithoutBody: PagePost = { ...post, likeId, highlightedContent: SERVED_BODY_MARKER }
  const strip = ({ comments, ...others }: PostPageData) => ({
    ...others,
    post: postWithoutBody,
    comments: comments && withoutTexts(comments, account),
  })
  return Object.fromEntries(
    Object.entries(loaderData).map(([id, routeData]) =>
      (routeData as Partial<PostPageData> | null)?.post === post
        ? [id, strip(routeData as PostPageData)]
        : [id, routeData],
    ),
  )
}

/** A visitor can change no comment: the app shows the list of the markup. */
function withoutTexts(page: ShownComments, account: Account | undefined): ShownComments {
  if (!account && page.comments.length > 0) return { ...page, comments: [], isServed: true }
  return withEach(page, (comment) => ({ ...comment, html: undefined }))
}

/** Titles of the posts in a page's lists: their characters may need more fonts. */
function findTitles(loaderData: Record<string, unknown> = {}): string[] {
  return Object.values(loaderData).flatMap((routeData) => {
    const result = (routeData as InitialData<Partial<InitialFeed>> | null)?.result
    const posts = result?.ok ? result.value.posts : undefined
    return Array.isArray(posts) ? posts.map(({ title }) => title) : []
  })
}

/** The theme of the account takes precedence over the device's, as in the browser. */
function findPreferences(account: Account | undefined, request: Request): DocumentPreferences {
  const { theme, bottomBar } = account?.prefs ?? {}
  const cookies = request.headers.get('cookie') ?? ''
  const cookie = cookies.split('; ').find((pair) => pair.startsWith(`${THEME_COOKIE}=`))
  const stored = cookie?.slice(THEME_COOKIE.length + 1)
  return {
    isThemeOfAccount: isTheme(theme),
    theme: isTheme(theme) ? theme : isTheme(stored) ? stored : undefined,
    isBarHidden: bottomBar === 'hidden',
  }
}
