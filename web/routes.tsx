// The whole route table, the same on the server and in the browser. Only the server has loaders for
// the pages of signed-in people (page-loaders.ts): they load what a document is opened with.
import { data, type LoaderFunction, type RouteObject, redirect } from 'react-router'
import type { Api } from './api/client.ts'
import { makePostLoader } from './reading/post-loader.ts'
import { ErrorScreen } from './shell/error-screen.tsx'
import { SignedInOnly, SignedOutOnly } from './shell/guard.tsx'
import { RootLayout } from './shell/layout.tsx'
import { lazyPage } from './shell/lazy-page.tsx'
import { PageLoading } from './shell/page-loading.tsx'
import type { RouteHandle } from './shell/route-handle.ts'

/** The route inside the shell that shows what became of a page. */
export const SCREEN_ID = 'screen'

/** What the server loads for each page of signed-in people. */
export type PageLoaders = Partial<
  Record<'feed' | 'dashboard' | 'settings' | 'editPost', LoaderFunction>
>

const guarded: RouteHandle = { isGuarded: true }
const forVisitors: RouteHandle = { isForVisitors: true }
const form: RouteHandle = { isForm: true }
const plain: RouteHandle = { withoutScripts: 'all' }
const forReading: RouteHandle = { isForReading: true, withoutScripts: 'all' }

/**
 * @param api the client that loaders use: the browser's one, or one made for a single request while
 *   rendering
 * @param loaders of pages for signed-in people; none in the browser
 * @source product.md §2, product.md §O1, §O9
 */
export function makeRoutes(api: Api, loaders: PageLoaders = {}): RouteObject[] {
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
            ...makePublicRoutes(api),
            ...makeLandingRoutes(),
            { Component: SignedOutOnly, handle: forVisitors, children: makeSignedOutRoutes() },
            { Component: SignedInOnly, handle: guarded, children: makeSignedInRoutes(loaders) },
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

function makePublicRoutes(api: Api): RouteObject[] {
  return [
    {
      index: true,
      handle: plain,
      lazy: lazyPage(async () => (await import('./shell/home-page.tsx')).HomePage),
    },
    {
      path: 'posts',
      loader: ({ request }) => redirect(`/post${new URL(request.url).search}`, 301),
    },
    { path: 'edit-post', loader: () => redirect('/') },
    {
      path: 'post/:slug',
      loader: makePostLoader(api),
      lazy: lazyPage(async () => (await import('./reading/post-page.tsx')).PostPage),
      handle: forReading,
    },
  ]
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
      path: 'post',
      handle: plain,
      ...loadedBy(loaders.feed),
      lazy: lazyPage(async () => (await import('./feed/feed-page.tsx')).FeedPage),
    },
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
    ...makeVersionRoutes(),
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

/** Loaded in the browser: what they compare is long. */
function makeVersionRoutes(): RouteObject[] {
  const path = 'edit-post/:slug/versions'
  return [
    {
      path,
      lazy: lazyPage(async () => (await import('./versions/versions-page.tsx')).VersionsPage),
    },
    {
      path: `${path}/compare`,
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
