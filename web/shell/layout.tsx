// The shell around every page, in the order of the tab key: skip links, header, notices, main,
// footer, bottom bar, toasts.
import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigationType } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { pingForViewer } from '../accounts/accounts-api.ts'
import { rememberReadPost } from '../accounts/return-path.ts'
import { isOperator, useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { SCROLL_STORAGE_KEY } from '../api/history-snapshots.ts'
import { useLive } from '../api/use-live.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { LiveRegion } from '../ui/live-region.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import { ToastProvider } from '../ui/toasts.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'
import { BOTTOM_BAR_ID, BottomBar, Footer, Header } from './bars.tsx'
import { useAccountPreferences } from './device-preferences.ts'
import { IsInShellContext } from './error-screen.tsx'
import type { RouteHandle } from './guard.tsx'
import { SessionEndedStrip } from './session-ended.tsx'
import { ShortcutsProvider } from './shortcuts.tsx'
import { ContinueStrip, LIVE_STRIPS_ID, OfflineStrip } from './strips.tsx'

export function RootLayout() {
  const { pathname } = useLocation()
  const { status: isSignedIn, userData } = useViewer()
  const handles = useMatches().map(({ handle }) => (handle ?? {}) as RouteHandle)
  // All other pages say on their own that a session has ended.
  const isPublic = !handles.some(
    (handle) => handle.isGuarded || handle.isForVisitors || handle.isForOperators,
  )
  const isMissing = handles.some((handle) => handle.isForOperators) && !isOperator(userData)
  const withoutScripts = isMissing ? 'all' : handles.at(-1)?.withoutScripts
  const isBare = handles.some((handle) => handle.isBare)
  usePageFocus()
  useAccountPreferences()
  useLiveAccount({ isOn: !handles.some(({ isForm }) => isForm) })
  useEffect(() => rememberReadPost(pathname, { isSignedIn }), [pathname, isSignedIn])
  return (
    <LiveRegion>
      {/* Rendered with the page, so that it leaves the document with it. */}
      {!handles.some(({ isIndexed }) => isIndexed) && <meta name="robots" content="noindex" />}
      <ToastProvider>
        <ShortcutsProvider>
          <div className="page" id="top">
            <SkipLinks isBare={isBare} />
            <Header isBare={isBare} />
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
              {withoutScripts !== 'all' && <NoScript isReadable={withoutScripts === 'reading'} />}
              <IsInShellContext value={true}>
                <Outlet />
              </IsInShellContext>
            </main>
            <Footer isBare={isBare} />
            {!isBare && <BottomBar />}
          </div>
        </ShortcutsProvider>
      </ToastProvider>
      <ScrollRestoration storageKey={SCROLL_STORAGE_KEY} />
    </LiveRegion>
  )
}

function SkipLinks({ isBare }: { isBare: boolean }) {
  return (
    <div className="skip-links">
      <a className="skip-link" href="#main">
        {texts.skipLinks.content}
      </a>
      {!isBare && (
        <a className="skip-link" href={`#${BOTTOM_BAR_ID}`}>
          {texts.skipLinks.navigation}
        </a>
      )}
    </div>
  )
}

const { title, text } = texts.noScript

/** @param props `isReadable`: the page can be read, only its controls need scripts */
function NoScript({ isReadable }: { isReadable: boolean }) {
  return (
    <noscript>
      {isReadable ? (
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

/** @param isOn false on pages with a form, which must not change */
function useLiveAccount({ isOn }: { isOn: boolean }): void {
  const api = useApi()
  const { userData, applyAccountChange } = useViewer()
  const userId = userData?.$id
  useLive(
    isOn && userId !== undefined ? 'account' : undefined,
    {
      handleEvent({ events, payload }) {
        if (events.includes(`users.${userId}.update`)) applyAccountChange(payload as Account)
      },
      // When a session ends, the server closes its connections, and the next one belongs to a
      // guest. The ping tells whether the session has ended or a proxy removes the cookie.
      handleConnected(user) {
        if (user) applyAccountChange(user)
        else void pingForViewer(api)
      },
    },
    userId,
  )
}

// On a navigation inside the app, focuses the heading of the new page; on "Back", the link that was
// followed.

/** Call once, in the layout around all pages. */
export function usePageFocus(): void {
  const { key, pathname } = useLocation()
  const navigationType = useNavigationType()
  const previousPath = useRef<string | undefined>(undefined)
  const focusedLinks = useRef(new Map<string, string>())

  usePageEvent('focusin', ({ target }) => {
    const href = target instanceof HTMLAnchorElement ? target.getAttribute('href') : null
    if (href) focusedLinks.current.set(key, href)
  })

  useEffect(() => {
    const isNavigation = previousPath.current !== undefined && previousPath.current !== pathname
    previousPath.current = pathname
    if (!isNavigation) return
    const href = navigationType === 'POP' ? focusedLinks.current.get(key) : undefined
    const link = href
      ? document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)
      : null
    const target =
      link ??
      document.querySelector<HTMLElement>('main h1') ??
      document.querySelector<HTMLElement>('main')
    if (!target) return
    if (link) return link.focus({ preventScroll: true })
    focusTitle(target)
    return followTitle()
  }, [key, pathname, navigationType])
}

function focusTitle(title: HTMLElement): void {
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}

/**
 * When a page has loaded, its placeholder is removed, and the focus with it: focuses the new title,
 * unless the user has pressed something in between.
 */
function followTitle(): () => void {
  const main = document.querySelector('main')
  const observer = new MutationObserver(() => {
    const { activeElement, body } = document
    const title = main?.querySelector('h1')
    if (title && (activeElement === body || activeElement === main)) focusTitle(title)
  })
  if (main) observer.observe(main, { childList: true, subtree: true })
  const stop = new AbortController()
  stop.signal.addEventListener('abort', () => observer.disconnect())
  for (const type of ['keydown', 'pointerdown'])
    document.addEventListener(type, () => stop.abort(), { signal: stop.signal, capture: true })
  return () => stop.abort()
}
