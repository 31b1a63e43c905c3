// The whole route table, the same on the server and in the browser. Only the server has loaders for
// lists and the pages of signed-in users (page-loaders.ts): they load the first page of a document.
import type { ComponentType } from 'react'
import {
  data,
  type LoaderFunction,
  type RouteObject,
  redirect,
  type ShouldRevalidateFunction,
} from 'react-router'
import type { SiteSettings } from './api/page-data.ts'
import { makeDraftPreviewLoader } from './reading/draft-preview-loader.ts'
import { type ApiOf, loadBlogPage, makePostLoader } from './reading/post-loader.ts'
import { ErrorScreen } from './shell/error-screen.tsx'
import { ForEverybody, type RouteHandle, SignedInOnly, SignedOutOnly } from './shell/guard.tsx'
import { RootLayout } from './shell/layout.tsx'
import { lazyPage } from './shell/lazy-page.tsx'
import { PageLoading } from './ui/screens.tsx'

/** The route inside the shell that shows a page or its error screen. */
export const SCREEN_ID = 'screen'

/** The server's loaders of lists and of pages of signed-in users. */
export type PageLoaders = Partial<
  Record<
    | 'feed'
    | 'author'
    | 'tag'
    | 'search'
    | 'dashboard'
    | 'settingsSignIn'
    | 'settingsNotifications'
    | 'settingsFiles'
    | 'settingsArchive'
    | 'notifications'
    | 'editPost'
    | 'versions'
    | 'adminOverview'
    | 'adminPeople'
    | 'adminPosts'
    | 'adminPages'
    | 'adminQueue'
    | 'adminActivity'
    | 'adminSettings'
    | 'adminBackups'
    | 'adminMails'
    | 'adminMail'
    | 'adminImport',
    LoaderFunction
  >
>

const guarded: RouteHandle = { isGuarded: true }
const forVisitors: RouteHandle = { isForVisitors: true }
const form: RouteHandle = { isForm: true }
const forOperators: RouteHandle = { isForOperators: true, withoutScripts: 'reading' }
const plain: RouteHandle = { withoutScripts: 'all' }
const home: RouteHandle = { withoutScripts: 'all', isIndexed: true }
const forReading: RouteHandle = {
  waitsForInteraction: true,
  withoutScripts: 'all',
  isIndexed: true,
}
const signingIn: RouteHandle = { waitsForInteraction: true }

/** `apiOf` returns the client for a loader; `loaders` is empty in the browser. */
type RoutesOptions = Pick<SiteSettings, 'reading'> & { apiOf: ApiOf; loaders?: PageLoaders }

/** @source product.md §2, product.md §O1, §O9 */
export function makeRoutes({ reading, apiOf, loaders = {} }: RoutesOptions): RouteObject[] {
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
            ...(reading === 'everyone' ? [makeListRoutes(loaders, true)] : []),
            ...makePublicRoutes(apiOf),
            ...makeLandingRoutes(),
            makeSetupRoute(apiOf),
            { Component: SignedOutOnly, handle: forVisitors, children: makeSignedOutRoutes() },
            {
              Component: SignedInOnly,
              handle: guarded,
              children: [
                ...(reading === 'members' ? [makeListRoutes(loaders, false)] : []),
                ...makeSignedInRoutes(loaders),
              ],
            },
            makeAdminRoutes(loaders),
            page(':address', () => import('./reading/blog-page.tsx'), 'BlogPage', {
              handle: home,
              loader: (args) =>
                isSignInLink(new URL(args.request.url))
                  ? { isSignInLink: true }
                  : loadBlogPage(apiOf, args),
              // A sign-in link loses its query.
              shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
                defaultShouldRevalidate && currentUrl.pathname !== nextUrl.pathname,
            }),
            page('*', () => import('./accounts/other-path-page.tsx'), 'OtherPathPage', {
              handle: plain,
              loader: ({ request }) =>
                isSignInLink(new URL(request.url)) ? null : data(null, { status: 404 }),
            }),
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
    page('post/:slug/:words?', () => import('./reading/post-page.tsx'), 'PostPage', {
      loader: makePostLoader(apiOf),
      handle: forReading,
      // The query concerns only comments, which load separately.
      shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
        defaultShouldRevalidate &&
        (currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search),
    }),
    page('preview/:secret', () => import('./reading/draft-preview-page.tsx'), 'DraftPreviewPage', {
      loader: makeDraftPreviewLoader(apiOf),
      handle: { isBare: true, withoutScripts: 'all' },
    }),
  ]
}

/** The lists of posts. @param isOpen guests may read them */
function makeListRoutes(
  { feed: loader, author, tag, search }: PageLoaders,
  isOpen: boolean,
): RouteObject {
  const handle = isOpen ? forReading : plain
  const list = { loader, handle }
  return {
    Component: ForEverybody,
    children: [
      isOpen
        ? page('post', () => import('./feed/open-feed-page.tsx'), 'AllPostsPage', list)
        : page('post', () => import('./feed/feed-page.tsx'), 'FeedPage', list),
      page('author/:userId', () => import('./feed/author-page.tsx'), 'AuthorPage', {
        loader: author,
        handle,
      }),
      page('tag/:tag', () => import('./feed/tag-posts-page.tsx'), 'TagPage', {
        loader: tag,
        handle,
      }),
      page('search', () => import('./search/search-page.tsx'), 'SearchPage', {
        loader: search,
        handle,
      }),
    ],
  }
}

/** Where the form is not offered, the response is a 503, which caches do not store. */
function makeSetupRoute(apiOf: ApiOf): RouteObject {
  return page('setup', () => import('./accounts/setup-page.tsx'), 'SetupPage', {
    handle: { isBare: true, withoutScripts: 'all' },
    loader({ request, ...rest }) {
      const { setup } = apiOf(rest).settings
      if (!setup) return redirect('/')
      const hasForm = setup.state === 'open' || new URL(request.url).searchParams.has('code')
      return hasForm ? null : data(null, { status: 503 })
    },
  })
}

/** The pages to which emailed links, Google and the steps of signing in lead. */
function makeLandingRoutes(): RouteObject[] {
  return [
    page('dispatch', () => import('./accounts/dispatch-page.tsx'), 'DispatchPage', {
      handle: guarded,
    }),
    page('verification', () => import('./accounts/verification-page.tsx'), 'VerificationPage'),
    page('verifyOAuth', () => import('./accounts/verify-oauth-page.tsx'), 'VerifyOAuthPage'),
    page(
      'verifyUserEmailLink',
      () => import('./accounts/recovery-link-page.tsx'),
      'RecoveryLinkPage',
    ),
    page('invitation', () => import('./accounts/invitation-page.tsx'), 'InvitationPage'),
    page('forgot', () => import('./accounts/forgot-page.tsx'), 'ForgotPage'),
    page(
      'notifications/unsubscribe',
      () => import('./notifications/unsubscribe-page.tsx'),
      'UnsubscribePage',
      { handle: plain },
    ),
  ]
}

function makeSignedOutRoutes(): RouteObject[] {
  return [
    page('login', () => import('./accounts/sign-in-page.tsx'), 'SignInPage', { handle: signingIn }),
    page('signup', () => import('./accounts/sign-up-page.tsx'), 'SignUpPage', {
      handle: signingIn,
    }),
  ]
}

function makeSignedInRoutes(loaders: PageLoaders): RouteObject[] {
  return [
    page('add-post', () => import('./writing/add-post-page.tsx'), 'AddPostPage', { handle: form }),
    page('edit-post/:slug', () => import('./writing/edit-post-page.tsx'), 'EditPostPage', {
      handle: form,
      loader: loaders.editPost,
    }),
    page(
      'edit-post/:slug/published',
      () => import('./publishing/published-page.tsx'),
      'PublishedPage',
      {
        loader: loaders.editPost,
      },
    ),
    ...makeVersionRoutes(loaders),
    page(
      'dashboard/deleted',
      () => import('./dashboard/deleted-posts-page.tsx'),
      'DeletedPostsPage',
    ),
    page('dashboard', () => import('./dashboard/dashboard-page.tsx'), 'DashboardPage', {
      handle: { withoutScripts: 'reading' },
      loader: loaders.dashboard,
    }),
    makeSettingsRoutes(loaders),
    page(
      'notifications',
      () => import('./notifications/notifications-page.tsx'),
      'NotificationsPage',
      { handle: { withoutScripts: 'reading' }, loader: loaders.notifications },
    ),
  ]
}

function makeSettingsRoutes(loaders: PageLoaders): RouteObject {
  const pages = async () => await import('./settings/settings-pages.tsx')
  return {
    path: 'settings',
    lazy: lazyPage(async () => (await import('./settings/settings-frame.tsx')).SettingsFrame),
    children: [
      page('', pages, 'ProfileSettings'),
      page('sign-in', pages, 'SignInSettings', { loader: loaders.settingsSignIn }),
      page('writing', pages, 'WritingSettings'),
      page('notifications', pages, 'NotificationSettings', {
        loader: loaders.settingsNotifications,
      }),
      page('language', pages, 'LanguageSettings'),
      page('files', pages, 'FileSettings', { loader: loaders.settingsFiles }),
      page('data', () => import('./settings/archive-page.tsx'), 'ArchiveSettings', {
        loader: loaders.settingsArchive,
      }),
      page('delete-account', pages, 'AccountDeletion'),
    ],
  }
}

/**
 * These pages load the versions in the browser, because the texts are long. The server only checks
 * that the versions exist.
 */
function makeVersionRoutes({ versions }: PageLoaders): RouteObject[] {
  const path = 'edit-post/:slug/versions'
  return [
    page(path, () => import('./versions/versions-page.tsx'), 'VersionsPage', { loader: versions }),
    page(`${path}/compare`, () => import('./versions/compare-page.tsx'), 'ComparePage', {
      loader: versions,
    }),
  ]
}

/** Pages of operators; 404 for everybody else. */
function makeAdminRoutes(loaders: PageLoaders): RouteObject {
  const handle = forOperators
  return {
    path: 'admin',
    lazy: lazyPage(async () => (await import('./admin/admin-frame.tsx')).AdminFrame),
    children: [
      page('', () => import('./admin/overview-page.tsx'), 'AdminOverviewPage', {
        loader: loaders.adminOverview,
        handle,
      }),
      page('people', () => import('./admin/people-page.tsx'), 'AdminPeoplePage', {
        loader: loaders.adminPeople,
        handle,
      }),
      page('posts', () => import('./admin/posts-page.tsx'), 'AdminPostsPage', {
        loader: loaders.adminPosts,
        handle,
      }),
      page('pages', () => import('./admin/pages-page.tsx'), 'AdminPagesPage', {
        loader: loaders.adminPages,
        handle,
      }),
      page('queue', () => import('./admin/queue-page.tsx'), 'AdminQueuePage', {
        loader: loaders.adminQueue,
        handle,
      }),
      page('activity', () => import('./admin/activity-page.tsx'), 'AdminActivityPage', {
        loader: loaders.adminActivity,
        handle,
      }),
      page('settings', () => import('./admin/settings-page.tsx'), 'AdminSettingsPage', {
        loader: loaders.adminSettings,
        handle,
      }),
      page('backups', () => import('./admin/backups-page.tsx'), 'AdminBackupsPage', {
        loader: loaders.adminBackups,
        handle,
      }),
      page('mails', () => import('./admin/mails-page.tsx'), 'AdminMailsPage', {
        loader: loaders.adminMails,
        handle,
      }),
      page('mails/:mailId', () => import('./admin/mails-page.tsx'), 'AdminMailPage', {
        loader: loaders.adminMail,
        handle,
      }),
      page('import', () => import('./admin/import-page.tsx'), 'AdminImportPage', {
        loader: loaders.adminImport,
        handle,
      }),
    ],
  }
}

type PageOptions = {
  loader?: LoaderFunction | undefined
  handle?: RouteHandle
  shouldRevalidate?: ShouldRevalidateFunction
}

/** A route whose code is loaded when it is opened. */
function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  { loader, ...more }: PageOptions = {},
): RouteObject {
  const lazy = lazyPage(async () => (await load())[name])
  return { path, lazy, ...(loader && { loader }), ...more }
}

/**
 * Any other path with both values is the landing of a sign-in link, not a missing page
 * (product.md §O7).
 */
function isSignInLink(url: URL): boolean {
  return Boolean(url.searchParams.get('userId') && url.searchParams.get('secret'))
}
