// The whole route table, the same on the server and in the browser. Only the server has loaders for
// lists and the pages of signed-in people (page-loaders.ts): they load what a document is opened
// with.
import { data, type LoaderFunction, type RouteObject, redirect } from 'react-router'
import type { SiteSettings } from './api/site-settings.ts'
import { type ApiOf, makePostLoader } from './reading/post-loader.ts'
import { ErrorScreen } from './shell/error-screen.tsx'
import { SignedInOnly, SignedOutOnly } from './shell/guard.tsx'
import { RootLayout } from './shell/layout.tsx'
import { lazyPage } from './shell/lazy-page.tsx'
import { PageLoading } from './shell/page-loading.tsx'
import type { RouteHandle } from './shell/route-handle.ts'

/** The route inside the shell that shows what became of a page. */
export const SCREEN_ID = 'screen'

/** What the server loads for each page of lists, and of signed-in people. */
export type PageLoaders = Partial<
  Record<
    'feed' | 'author' | 'tag' | 'search' | 'dashboard' | 'settings' | 'editPost' | 'versions',
    LoaderFunction
  >
>

const guarded: RouteHandle = { isGuarded: true }
const forVisitors: RouteHandle = { isForVisitors: true }
const form: RouteHandle = { isForm: true }
const plain: RouteHandle = { withoutScripts: 'all' }
const home: RouteHandle = { withoutScripts: 'all', isIndexed: true }
const forReading: RouteHandle = { isForReading: true, withoutScripts: 'all', isIndexed: true }

/** `apiOf` finds the client that a loader uses; `loaders` is empty in the browser. */
type RoutesNeeds = Pick<SiteSettings, 'reading'> & { apiOf: ApiOf; loaders?: PageLoaders }

/** @source product.md §2, product.md §O1, §O9 */
export function makeRoutes({ reading, apiOf, loaders = {} }: RoutesNeeds): RouteObject[] {
  return [
    {
      path: '/',
      Component: RootLayout,
      ErrorBoundary: ErrorScreen,
      children: [
        {
          id: SCREEN_ID,
          ErrorBoundary: ErrorScreen,
          HydrateFallback: PageLoading,
          children: [
            ...(reading === 'everyone' ? makeOpenRoutes(loaders) : []),
            ...makePublicRoutes(apiOf),
            ...makeLandingRoutes(),
            { Component: SignedOutOnly, handle: forVisitors, children: makeSignedOutRoutes() },
            {
              Component: SignedInOnly,
              handle: guarded,
              children: [
                ...(reading === 'members' ? makeMemberRoutes(loaders) : []),
                ...makeSignedInRoutes(loaders),
              ],
            },
            {
              path: '*',
              handle: plain,
              loader: ({ request }) =>
                isSignInLink(new URL(request.url)) ? null : data(null, { status: 404 }),
              lazy: lazyPage(
                async () => (await import('./accounts/other-path-page.tsx')).OtherPathPage,
              ),
            },
          ],
        },
      ],
    },
  ]
}

function makePublicRoutes(apiOf: ApiOf): RouteObject[] {
  return [
    {
      index: true,
      handle: home,
      lazy: lazyPage(async () => (await import('./shell/home-page.tsx')).HomePage),
    },
    {
      path: 'posts',
      loader: ({ request }) => redirect(`/post${new URL(request.url).search}`, 301),
    },
    { path: 'edit-post', loader: () => redirect('/') },
    {
      path: 'post/:slug/:words?',
      loader: makePostLoader(apiOf),
      lazy: lazyPage(async () => (await import('./reading/post-page.tsx')).PostPage),
      handle: forReading,
    },
  ]
}

/** The lists of posts, where visitors may read them. */
function makeOpenRoutes(loaders: PageLoaders): RouteObject[] {
  return [
    {
      path: 'post',
      handle: forReading,
      ...loadedBy(loaders.feed),
      lazy: lazyPage(async () => (await import('./shell/all-posts-page.tsx')).AllPostsPage),
    },
    makeAuthorRoute(loaders, forReading),
    { ...makeTagRoute(loaders), handle: forReading },
    { ...makeSearchRoute(loaders), handle: forReading },
  ]
}

/** The same, where only members may. */
function makeMemberRoutes(loaders: PageLoaders): RouteObject[] {
  return [
    {
      path: 'post',
      handle: plain,
      ...loadedBy(loaders.feed),
      lazy: lazyPage(async () => (await import('./feed/feed-page.tsx')).FeedPage),
    },
    makeAuthorRoute(loaders, plain),
    { ...makeTagRoute(loaders), handle: plain },
    { ...makeSearchRoute(loaders), handle: plain },
  ]
}

function makeTagRoute(loaders: PageLoaders): RouteObject {
  return {
    path: 'tag/:tag',
    ...loadedBy(loaders.tag),
    lazy: lazyPage(async () => (await import('./shell/tag-page.tsx')).TagPage),
  }
}

function makeAuthorRoute(loaders: PageLoaders, handle: RouteHandle): RouteObject {
  return {
    path: 'author/:userId',
    handle,
    ...loadedBy(loaders.author),
    lazy: lazyPage(async () => (await import('./shell/author-screen.tsx')).AuthorScreen),
  }
}

function makeSearchRoute(loaders: PageLoaders): RouteObject {
  return {
    path: 'search',
    ...loadedBy(loaders.search),
    lazy: lazyPage(async () => (await import('./shell/search-page.tsx')).SearchPage),
  }
}

/** Where mailed links, Google and the steps of signing in lead to. */
function makeLandingRoutes(): RouteObject[] {
  return [
    {
      path: 'dispatch',
      lazy: lazyPage(async () => (await import('./accounts/dispatch-page.tsx')).DispatchPage),
      handle: guarded,
    },
    {
      path: 'verification',
      lazy: lazyPage(
        async () => (await import('./accounts/verification-page.tsx')).VerificationPage,
      ),
    },
    {
      path: 'verifyOAuth',
      lazy: lazyPage(
        async () => (await import('./accounts/verify-oauth-page.tsx')).VerifyOAuthPage,
      ),
    },
    {
      path: 'verifyUserEmailLink',
      lazy: lazyPage(
        async () => (await import('./accounts/recovery-link-page.tsx')).RecoveryLinkPage,
      ),
    },
    {
      path: 'invitation',
      lazy: lazyPage(async () => (await import('./accounts/invitation-page.tsx')).InvitationPage),
    },
    {
      path: 'forgot',
      lazy: lazyPage(async () => (await import('./accounts/forgot-page.tsx')).ForgotPage),
    },
  ]
}

function makeSignedOutRoutes(): RouteObject[] {
  return [
    {
      path: 'login',
      lazy: lazyPage(async () => (await import('./accounts/sign-in-page.tsx')).SignInPage),
    },
    {
      path: 'signup',
      lazy: lazyPage(async () => (await import('./accounts/sign-up-page.tsx')).SignUpPage),
    },
  ]
}

function makeSignedInRoutes(loaders: PageLoaders): RouteObject[] {
  return [
    {
      path: 'add-post',
      handle: form,
      lazy: lazyPage(async () => (await import('./writing/add-post-page.tsx')).AddPostPage),
    },
    {
      path: 'edit-post/:slug',
      handle: form,
      ...loadedBy(loaders.editPost),
      lazy: lazyPage(async () => (await import('./writing/edit-post-page.tsx')).EditPostPage),
    },
    ...makeVersionRoutes(loaders),
    {
      path: 'dashboard/deleted',
      lazy: lazyPage(
        async () => (await import('./dashboard/deleted-posts-page.tsx')).DeletedPostsPage,
      ),
    },
    {
      path: 'dashboard',
      handle: { withoutScripts: 'reading' } satisfies RouteHandle,
      ...loadedBy(loaders.dashboard),
      lazy: lazyPage(async () => (await import('./dashboard/dashboard-page.tsx')).DashboardPage),
    },
    {
      path: 'settings',
      ...loadedBy(loaders.settings),
      lazy: lazyPage(async () => (await import('./shell/settings-page.tsx')).SettingsPage),
    },
  ]
}

/** Loaded in the browser: what they compare is long. The server says whether it is there. */
function makeVersionRoutes({ versions }: PageLoaders): RouteObject[] {
  const path = 'edit-post/:slug/versions'
  return [
    {
      path,
      ...loadedBy(versions),
      lazy: lazyPage(async () => (await import('./versions/versions-page.tsx')).VersionsPage),
    },
    {
      path: `${path}/compare`,
      ...loadedBy(versions),
      lazy: lazyPage(async () => (await import('./versions/compare-page.tsx')).ComparePage),
    },
  ]
}

function loadedBy(loader: LoaderFunction | undefined): Pick<RouteObject, 'loader'> {
  return loader ? { loader } : {}
}

/**
 * Any other path with both values is the landing of a sign-in link, not a missing page
 * (product.md §O7).
 */
function isSignInLink(url: URL): boolean {
  return Boolean(url.searchParams.get('userId') && url.searchParams.get('secret'))
}
