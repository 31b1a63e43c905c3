// Loads on the server the first data of lists and of pages of signed-in users, with their session
// and by the calls that the browser would make (web/api/initial-data.ts). Not part of the browser's
// code.
import {
  createContext,
  data,
  type LoaderFunction,
  type LoaderFunctionArgs,
  RouterContextProvider,
  redirect,
} from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { PAGE_DATA_TIMEOUT_MS } from '#contract/limits.ts'
import { roleOf } from '#contract/permissions.ts'
import { isTagKey, tagKey, tagPath } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import { listSessions } from './accounts/accounts-api.ts'
import { signInAddress } from './accounts/return-path.ts'
import { isOperator } from './accounts/viewer.tsx'
import {
  listActivity,
  listCases,
  listMails,
  listPeople,
  listPosts,
  openMail,
  readBackups,
  readLinks,
  readOverview,
  readValues,
} from './admin/admin-api.ts'
import { type Api, fail, type Result, resultOf, succeed } from './api/client.ts'
import type { InitialData } from './api/initial-data.ts'
import { readArchives } from './archive/archive-api.ts'
import { type InitialDashboard, loadDashboard } from './dashboard/dashboard-loader.ts'
import { type InitialReaderDashboard, loadReaderDashboard } from './dashboard/reader-loader.ts'
import { loadAuthor } from './feed/author-posts.ts'
import { loadFeed, loadOpenFeed } from './feed/feed-loader.ts'
import { loadTagPosts, type TagPosts } from './feed/tag-posts.ts'
import { listOwnFiles } from './files/files-api.ts'
import { VISITOR } from './lists/list-state.ts'
import { pagePath } from './lists/page-links.tsx'
import { isCursorGone } from './lists/post-lists.ts'
import { readNotifications, readNotificationsQuery } from './notifications/notifications-api.ts'
import { listVersions } from './posts/history-api.ts'
import { getPost } from './posts/posts-api.ts'
import type { PageLoaders } from './routes.tsx'
import { loadSearch, readSearchQuery } from './search/load-search.ts'
import { listMutedPosts, readMailChoices } from './settings/notifications-section.tsx'
import type { InitialSettings } from './settings/settings-pages.tsx'
import { listSignInMethods } from './settings/sign-in-methods-section.tsx'

/** The client of one request, and its user; undefined for guests. */
type PageRequest = {
  api: Api
  viewer?: Account | undefined
  /** The page is for all members: `viewer` stands for any of them. */
  isShared?: boolean
}

type Load<Value> = (args: LoaderFunctionArgs & { api: Api }) => Promise<Result<Value>>

const pageContext = createContext<PageRequest>()

/** The context of one request: the loaders themselves are created once. */
export function createLoaderContext(page: PageRequest): RouterContextProvider {
  return new RouterContextProvider(new Map([[pageContext, page]]))
}

/** The client of the request that is being rendered. */
export function findApi({ context }: Pick<LoaderFunctionArgs, 'context'>): Api {
  return context.get(pageContext).api
}

function resolveViewer({ context }: LoaderFunctionArgs): Account {
  const { viewer } = context.get(pageContext)
  if (!viewer) throw new Error('A page for members was requested without a viewer')
  return viewer
}

/** A loader that responds with 404 to everybody but operators. */
function forOperators<Value>(
  load: (
    api: Api,
    query: URLSearchParams,
    params: LoaderFunctionArgs['params'],
  ) => Promise<Result<Value>>,
) {
  const loader = makeLoader(({ api, request, params }) =>
    load(api, new URL(request.url).searchParams, params),
  )
  return ((args, handler) =>
    isOperator(args.context.get(pageContext).viewer)
      ? loader(args, handler)
      : data(null, { status: 404 })) satisfies LoaderFunction
}

const LISTS: PageLoaders = {
  adminOverview: forOperators(readOverview),
  adminPeople: forOperators(listPeople),
  adminPosts: forOperators(listPosts),
  adminPages: forOperators(readLinks),
  adminQueue: forOperators(listCases),
  adminActivity: forOperators(listActivity),
  adminSettings: forOperators(readValues),
  adminBackups: forOperators(readBackups),
  adminMails: forOperators(listMails),
  adminImport: forOperators((api) => readArchives(api, 'operator')),
  adminMail: forOperators((api, _query, { mailId = '' }) => openMail(api, mailId)),
  author: makeLoader(({ api, params, request }) =>
    loadFromCursor(request, (after) => loadAuthor(api, params.userId ?? '', after)),
  ),
  tag: makeLoader(loadTag, tagStatus),
  search: makeLoader(({ api, request }) =>
    loadSearch(api, readSearchQuery(new URL(request.url).searchParams)),
  ),
}

/** For pages of signed-in users. */
export const PAGE_LOADERS: PageLoaders = {
  ...LISTS,
  feed: makeLoader(({ api, request }) => loadFromCursor(request, (after) => loadFeed(api, after))),
  dashboard: makeLoader<InitialDashboard | InitialReaderDashboard>(({ api, ...args }) => {
    const { $id, labels } = resolveViewer(args)
    return roleOf(labels) === 'reader' ? loadReaderDashboard(api, $id) : loadDashboard(api, $id)
  }),
  settingsSignIn: settingsLoader({ sessions: listSessions, methods: listSignInMethods }),
  settingsNotifications: settingsLoader({ mails: readMailChoices, muted: listMutedPosts }),
  settingsFiles: settingsLoader({
    files: (api) => listOwnFiles(api, { isUnused: false, cursor: '' }),
  }),
  settingsArchive: makeLoader(({ api }) => readArchives(api, 'account')),
  notifications: makeLoader(({ api, request }) =>
    readNotifications(api, readNotificationsQuery(new URL(request.url).search)),
  ),
  editPost: makeLoader(({ api, ...args }) =>
    loadOwnPost(api, args.params.slug ?? '', resolveViewer(args)),
  ),
  versions: makeLoader(checkVersions),
}

/** For guests. */
export const VISITOR_LOADERS: PageLoaders = {
  ...LISTS,
  feed: makeLoader(({ api, request }) =>
    loadFromCursor(request, (after) => loadOpenFeed(api, after)),
  ),
}

/** The status of a page whose call did not fail. */
type StatusOf<Value> = (value: Value) => number

/** A tag has one canonical address, to which all other addresses of it redirect. */
async function loadTag({ api, params, request }: LoaderFunctionArgs & { api: Api }) {
  const { tag = '' } = params
  const { pathname, searchParams } = new URL(request.url)
  const after = searchParams.get('after') || undefined
  const key = tagKey(tag)
  if (isTagKey(key) && (key !== tag || pathname.endsWith('/')))
    throw redirect(pagePath(tagPath(key), after), 301)
  return loadFromCursor(request, (cursor) => loadTagPosts(api, key, cursor))
}

/** Redirects to the start of a list when the post after which the page begins is gone. */
async function loadFromCursor<Value>(
  request: Request,
  load: (after: string | undefined) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const { pathname, searchParams } = new URL(request.url)
  const after = searchParams.get('after') || undefined
  const result = await load(after)
  if (!result.ok && after !== undefined && isCursorGone(result.failure)) throw redirect(pathname)
  return result
}

/** A page after the last post is empty, although the tag is in use. */
function tagStatus({ posts, before }: TagPosts): number {
  return posts.length + before > 0 ? 200 : 404
}

function respondWith<Value>(
  userId: string,
  result: Result<Value>,
  statusOf: StatusOf<Value> = () => 200,
) {
  const status = result.ok ? statusOf(result.value) : result.failure.code || 503
  return data({ userId, result } satisfies InitialData<Value>, { status })
}

const FORBIDDEN = fail({ code: 403, type: '', message: '' })

/** The text of another author's post stays on the server (product.md §O24). */
async function loadOwnPost(api: Api, slug: string, viewer: Account): Promise<Result<PostDocument>> {
  const post = await getPost(api, slug)
  const isOfOperators = post.ok && post.value.page && isOperator(viewer)
  if (!post.ok || isOfOperators || post.value.userid === viewer.$id) return post
  return FORBIDDEN
}

/** The lists of one page of the settings: the browser loads again those that failed. */
function settingsLoader(lists: { [Name in keyof InitialSettings]: ListOf<InitialSettings[Name]> }) {
  return makeLoader(async ({ api }) => {
    const loading = Object.entries(lists).map(async ([name, load]) => {
      const result = await resultOf<unknown>(load(api))
      return result.ok ? [[name, result.value]] : []
    })
    return succeed<InitialSettings>(Object.fromEntries((await Promise.all(loading)).flat()))
  })
}

type ListOf<Value> = (api: Api) => Promise<NonNullable<Value>>

/** Checks that the versions of a page exist: any of the post, or the two to compare. */
async function checkVersions({ api, params, request }: LoaderFunctionArgs & { api: Api }) {
  const listed = await listVersions(api, params.slug ?? '')
  if (!listed.ok) return listed.failure.type === 'user_unauthorized' ? FORBIDDEN : listed
  const { searchParams, pathname } = new URL(request.url)
  const ids = new Set(listed.value.versions.map(({ $id }) => $id))
  const haveBoth = ['old', 'new'].every((side) => ids.has(searchParams.get(side) ?? ''))
  const isComparison = /\/compare$/i.test(pathname)
  return isComparison && !haveBoth
    ? fail({ code: 404, type: 'document_not_found', message: '' })
    : succeed({})
}

/**
 * A failed call becomes the failure and the status of the page. A page for all readers waits for
 * its data: a crawler cannot load them later. A page for one signed-in user is sent without them
 * when the call takes too long, and the browser loads them.
 */
function makeLoader<Value>(load: Load<Value>, statusOf?: StatusOf<Value>): LoaderFunction {
  return async (args) => {
    const { api, viewer, isShared } = args.context.get(pageContext)
    const loading = load({ ...args, api })
    if (!viewer || isShared) return respondWith(viewer?.$id ?? VISITOR, await loading, statusOf)
    const timeout = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => timeout.resolve(undefined), PAGE_DATA_TIMEOUT_MS)
    const result = await Promise.race([loading, timeout.promise]).finally(() => clearTimeout(timer))
    if (!result) return null
    // The session has ended since the page was requested.
    if (!result.ok && result.failure.code === 401) {
      const { pathname, search } = new URL(args.request.url)
      throw redirect(signInAddress({ pathname, search }))
    }
    return respondWith(viewer.$id, result, statusOf)
  }
}
