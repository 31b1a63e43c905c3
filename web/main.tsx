// The browser's entry: takes over a page that the server rendered, or fills a shell.
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
import { watchAnswers } from './api/request-ids.ts'
import {
  PAGE_DATA_ELEMENT_ID,
  SETTINGS_ELEMENT_ID,
  type SiteSettings,
} from './api/site-settings.ts'
import { AppRoot } from './app-root.tsx'
import { replayEarlyInput } from './head/early-input.ts'
import { makeRoutes } from './routes.tsx'
import { findStatus } from './shell/error-status.ts'

/** Does again, once what is inside it listens, what was done too early. */
function Started({ children }: { children: ReactNode }) {
  useEffect(replayEarlyInput, [])
  return children
}

/**
 * React numbers its ids by places in the tree: those of the page around the app are held free, two
 * in <html> and four in <body>.
 */
function InPage({ children }: { children: ReactNode }) {
  return [null, [<Fragment key="app">{children}</Fragment>, null, null, null]]
}

async function start(): Promise<void> {
  const settings = readBlock<SiteSettings>(SETTINGS_ELEMENT_ID)
  const root = document.getElementById('root')
  if (!settings || !root) throw new Error('This page was not made by the server')
  watchAnswers()
  for (const face of document.fonts) if (face.status === 'unloaded') face.display = 'swap' // what a later screen needs may come late
  const api = makeApi(settings, { origin: location.origin })
  const routes = makeRoutes(api)
  const hydrationData = readBlock<HydrationState>(PAGE_DATA_ELEMENT_ID)
  if (hydrationData) await loadLazyParts(routes)
  const router = createBrowserRouter(routes, hydrationData ? { hydrationData } : {})
  const app = (
    <AppRoot api={api}>
      <Started>
        <RouterProvider router={router} onError={handleCaught} />
      </Started>
    </AppRoot>
  )
  if (hydrationData) hydrateRoot(root, <InPage>{app}</InPage>, { onCaughtError: () => {} })
  else {
    root.replaceChildren()
    createRoot(root, { onCaughtError: () => {} }).render(app)
  }
}

/**
 * What the server refused is on the error screen; only a fault of ours is for the console
 * (product.md §O33).
 */
function handleCaught(error: unknown): void {
  if (findStatus(error) === undefined) console.error(error)
}

function readBlock<Value>(id: string): Value | undefined {
  const text = document.getElementById(id)?.textContent
  return text ? (JSON.parse(text) as Value) : undefined
}

/**
 * Hydration needs the components of this page at once: nothing may be shown in their place
 * meanwhile.
 */
async function loadLazyParts(routes: RouteObject[]): Promise<void> {
  for (const { route } of matchRoutes(routes, location) ?? []) {
    if (typeof route.lazy !== 'function') continue
    const parts = await route.lazy()
    Object.assign(route, { ...parts, lazy: undefined })
  }
}

void start()
