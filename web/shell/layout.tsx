// The shell around every page, in the order of the tab key: skip links, header, notices, main,
// footer, bottom bar, toasts.
import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { pingForViewer } from '../accounts/accounts-api.ts'
import { rememberRead } from '../accounts/return-path.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { useLive } from '../api/use-live.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { SCROLL_STORAGE_KEY } from '../ui/history-snapshots.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { ToastProvider } from '../ui/toasts.tsx'
import { usePageFocus } from '../ui/use-page-focus.ts'
import { ContinueStrip, LIVE_STRIPS_ID, OfflineStrip } from './banners.tsx'
import { BOTTOM_BAR_ID, BottomBar } from './bottom-bar.tsx'
import { useChoicesOfAccount } from './device-preferences.ts'
import { InShell } from './error-screen.tsx'
import { Footer } from './footer.tsx'
import type { RouteHandle } from './guard.tsx'
import { Header } from './header.tsx'
import { SessionEndedStrip } from './session-ended.tsx'
import { ShortcutsProvider } from './shortcuts.tsx'

/** Pages that say themselves when a session has ended. */
function isWatched({ isGuarded, isForVisitors }: RouteHandle): boolean {
  return Boolean(isGuarded || isForVisitors)
}

export function RootLayout() {
  const { pathname } = useLocation()
  const { status: isSignedIn } = useViewer()
  const handles = useMatches().map(({ handle }) => (handle ?? {}) as RouteHandle)
  const isPublic = !handles.some(isWatched)
  const withoutScripts = handles.at(-1)?.withoutScripts
  usePageFocus()
  useChoicesOfAccount()
  useLiveAccount({ isOn: !handles.some(({ isForm }) => isForm) })
  useEffect(() => rememberRead(pathname, { isSignedIn }), [pathname, isSignedIn])
  return (
    <LiveRegion>
      {/* In the tree of the pages: it leaves the document with the page that has it. */}
      {!handles.some(({ isIndexed }) => isIndexed) && <meta name="robots" content="noindex" />}
      <ToastProvider>
        <ShortcutsProvider>
          <div className="page" id="top">
            <SkipLinks />
            <Header />
            <div className="strips">
              <OfflineStrip />
              <ContinueStrip />
              {isPublic && <SessionEndedStrip />}
              <div id={LIVE_STRIPS_ID} role="status" />
            </div>
            <main
              id="main"
              className={withoutScripts ? 'container' : 'container needs-scripts'}
              tabIndex={-1}
            >
              {withoutScripts !== 'all' && <NoScript isPart={withoutScripts === 'reading'} />}
              <InShell value={true}>
                <Outlet />
              </InShell>
            </main>
            <Footer />
            <BottomBar />
          </div>
        </ShortcutsProvider>
      </ToastProvider>
      <ScrollRestoration storageKey={SCROLL_STORAGE_KEY} />
    </LiveRegion>
  )
}

function SkipLinks() {
  return (
    <div className="skip-links">
      <a className="skip-link" href="#main">
        {texts.skipLinks.content}
      </a>
      <a className="skip-link" href={`#${BOTTOM_BAR_ID}`}>
        {texts.skipLinks.navigation}
      </a>
    </div>
  )
}

const { title, text } = texts.noScript

/** @param props `isPart`: the page can be read, only what can be pressed needs scripts */
function NoScript({ isPart }: { isPart: boolean }) {
  return (
    <noscript>
      {isPart ? (
        <Alert kind="warn">
          <b>{title}</b> {text}
        </Alert>
      ) : (
        <MessageScreen
          art="lit"
          title={title}
          actions={<ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>}
        >
          <p>{text}</p>
        </MessageScreen>
      )}
    </noscript>
  )
}

/** @param isOn there is nothing to follow for a visitor, and a form is left alone */
function useLiveAccount({ isOn }: { isOn: boolean }): void {
  const api = useApi()
  const { userData, noteAccount } = useViewer()
  const userId = userData?.$id
  useLive(
    isOn && userId !== undefined ? 'account' : undefined,
    {
      handleEvent({ events, payload }) {
        if (events.includes(`users.${userId}.update`)) noteAccount(payload as Account)
      },
      // The server ends the connections of a session with it: the next one is nobody's. That a
      // proxy keeps the cookie away from connections alone is no end.
      handleConnected(user) {
        if (user) noteAccount(user)
        else void pingForViewer(api)
      },
    },
    userId,
  )
}
