// The browser's entry: hydrates a page that the server rendered, or renders into an empty shell.
import './styles/app.css'
import { Fragment, type ReactNode, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  type HydrationState,
  matchRoutes,
  type RouteObject,
  RouterProvider,
} from 'react-router'
import { makeApi } from './api/client.ts'
import { isAtServedAddress } from './api/history-snapshots.ts'
import {
  PAGE_DATA_ELEMENT_ID,
  type PageData,
  SETTINGS_ELEMENT_ID,
  type SiteSettings,
  VIEWER_DATA_ELEMENT_ID,
  type ViewerData,
} from './api/page-data.ts'
import { trackResponses } from './api/response-metadata.ts'
import { recordServerTime } from './api/server-clock.ts'
import { AppRoot } from './app-root.tsx'
import { replayEarlyInput } from './head/early-input.ts'
import { personaliseLoaderData } from './personalise-loader-data.ts'
import {
  SERVED_BODY_MARKER,
  type ServedBody,
  ServedBodyContext,
} from './reading/server-rendered-body.ts'
import { makeRoutes, SCREEN_ID } from './routes.tsx'
import { findStatus } from './shell/error-screen.tsx'

/** Replays early input after hydration: effects of children run first. */
function EarlyInput({ children }: { children: ReactNode }) {
  useEffect(replayEarlyInput, [])
  return children
}

/**
 * Mirrors document.tsx's child positions, two in <html> and four in <body>, so that useId matches
 * on hydration.
 */
function DocumentPositions({ children }: { children: ReactNode }) {
  return [null, [<Fragment key="app">{children}</Fragment>, null, null, null]]
}

async function start(): Promise<void> {
  const settings = findJson<SiteSettings>(SETTINGS_ELEMENT_ID)
  const root = document.getElementById('root')
  if (!settings || !root) throw new Error('This page was not rendered by the server')
  trackResponses()
  const api = makeApi(settings, { origin: location.origin })
  const routes = makeRoutes({ reading: settings.reading, apiOf: () => api })
  const data = findJson<PageData>(PAGE_DATA_ELEMENT_ID) ?? {}
  const viewer = findJson<ViewerData>(VIEWER_DATA_ELEMENT_ID)
  const { refusal, sentAtMs, isShared = false } = { ...data, ...viewer }
  const account = viewer?.account ?? data.account
  const loaderData = viewer ? personaliseLoaderData(viewer, data.loaderData) : data.loaderData
  if (sentAtMs !== undefined) recordServerTime(sentAtMs)
  const servedBody = readServedBody(data)
  const initialState = loaderData ? { loaderData } : findRefusalState(refusal)
  await whenStyleSheetsLoaded()
  if (document.readyState === 'complete') allowFontSwap()
  else window.addEventListener('load', allowFontSwap)
  const areLoaded = initialState !== undefined && (await loadLazyParts(routes))
  const hydrationData = isAtServedAddress() || refusal ? initialState : undefined
  const router = createBrowserRouter(routes, hydrationData ? { hydrationData } : {})
  const app = (
    <AppRoot api={api} account={account} isShared={isShared}>
      <EarlyInput>
        <ServedBodyContext value={servedBody}>
          <RouterProvider router={router} onError={handleRouterError} />
        </ServedBodyContext>
      </EarlyInput>
    </AppRoot>
  )
  if (areLoaded && hydrationData && loaderData)
    hydrateRoot(root, <DocumentPositions>{app}</DocumentPositions>, {
      onCaughtError: () => {},
      onRecoverableError(error) {
        // Afterwards the browser has translated the new content, too.
        setTimeout(() => {
          if (!isTranslated(root)) reportError(error)
        })
      },
    })
  else {
    root.replaceChildren()
    createRoot(root, { onCaughtError: () => {} }).render(app)
  }
}

/** A page that the browser has translated differs from the server's markup: React re-renders it. */
function isTranslated(root: HTMLElement): boolean {
  return (
    document.querySelector('html[class*=translated-]') !== null ||
    root.querySelector('font') !== null
  )
}

/**
 * A page whose app was deferred has only critical styles, which do not cover what the app renders
 * (load-app-on-interaction.ts, decision 0051).
 */
async function whenStyleSheetsLoaded(): Promise<void> {
  // Other pages have their style sheets in the head.
  if (!('appDeferred' in document.documentElement.dataset)) return
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]:not([disabled])')
  await Promise.all(
    [...links].map(
      (link) =>
        link.sheet ??
        new Promise((resolve) => {
          link.addEventListener('load', resolve)
          link.addEventListener('error', resolve)
        }),
    ),
  )
}

/** The page contains the body of its post only once, as markup: it is read from there. */
function readServedBody({ bodyMetadata: metadata }: PageData): ServedBody | undefined {
  const pageHtml = document.querySelector('.prose')?.innerHTML
  return metadata && pageHtml !== undefined
    ? { html: SERVED_BODY_MARKER, metadata, pageHtml }
    : undefined
}

/**
 * `optional` in the style sheets is for the first paint: fonts of later screens may swap. Call it
 * when the page has loaded: before that, fonts of the first paint look unused, too.
 */
function allowFontSwap(): void {
  for (const face of document.fonts) if (face.status === 'unloaded') face.display = 'swap'
}

/**
 * The error screen shows what the server refused; only bugs go to the console (product.md §O33).
 */
function handleRouterError(error: unknown): void {
  if (findStatus(error) === undefined) console.error(error)
}

function findJson<Value>(id: string): Value | undefined {
  const text = document.getElementById(id)?.textContent
  return text ? (JSON.parse(text) as Value) : undefined
}

/** The error screen of a request that the server refused: it stays until the user navigates. */
function findRefusalState(status: PageData['refusal']): HydrationState | undefined {
  if (!status) return undefined
  // The router cannot parse such an address either.
  if (status === 400) window.history.replaceState(null, '', '/')
  const error = { status, statusText: '', internal: false, data: null }
  return { loaderData: {}, errors: { [SCREEN_ID]: error } }
}

/** Hydration needs the components of this page at once: a fallback would not match the markup. */
async function loadLazyParts(routes: RouteObject[]): Promise<boolean> {
  let areLoaded = true
  for (const { route } of matchRoutes(routes, location) ?? []) {
    if (typeof route.lazy !== 'function') continue
    // The router tries again, and shows a failure.
    const parts = await route.lazy().catch(() => undefined)
    areLoaded &&= parts !== undefined
    if (parts) Object.assign(route, { ...parts, lazy: undefined })
  }
  return areLoaded
}

void start()
