// The shell around every page, in the order of the tab key: skip links, header, notices, main,
// footer, bottom bar, toasts.
import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router'
import { rememberRead } from '../accounts/last-read.ts'
import { useLiveAccount } from '../accounts/use-live-account.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { SCROLL_STORAGE_KEY } from '../ui/history-snapshots.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { ToastProvider } from '../ui/toasts.tsx'
import { usePageFocus } from '../ui/use-page-focus.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ContinueStrip } from './continue-strip.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { InShell } from './in-shell.ts'
import { LIVE_STRIPS_ID } from './layout-ids.ts'
import { NoScript } from './no-script.tsx'
import { OfflineStrip } from './offline-strip.tsx'
import type { RouteHandle } from './route-handle.ts'
import { SessionEndedStrip } from './session-ended.tsx'
import { ShortcutsProvider } from './shortcuts.tsx'
import { SkipLinks } from './skip-links.tsx'
import { useChoicesOfAccount } from './use-device-choices.ts'

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
