// Renders a page on the server: the same routes, loaders and components as in the browser. Handed
// to backend/pages at run time.
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  StaticRouterProvider,
} from 'react-router'
import type { RenderOptions, SiteWords } from '#contract/pages.ts'
import type { PostDocument } from '#contract/posts.ts'
import { makeApi } from './api/client.ts'
import { AppRoot } from './app-root.tsx'
import { Document } from './document.tsx'
import { texts } from './locales/texts.ts'
import { describeForServer, KeptTextsContext } from './reading/body-texts.ts'
import type { PostPageData } from './reading/post-loader.ts'
import { fontsFor } from './reading/reading-fonts.ts'
import { makeRoutes, type RouteHandle } from './routes.tsx'

export { HEAD_SCRIPT } from './head/head-script.ts'

/** For the web app manifest, which the backend writes. */
export const SITE_WORDS: SiteWords = {
  language: texts.language,
  direction: texts.direction,
  about: texts.webApp.about,
  addPost: texts.header.addPost,
}

/** Representative of the texts of the screens: all in Latin letters. */
const SCREEN_LETTERS = 'Aa'

/**
 * @returns the whole page, or a redirect. For a guarded page a signed-in person gets the shell with
 *   "Loading...", and everybody else an empty document, in which the browser redirects to /login
 */
export async function render({
  request,
  settings,
  nonce,
  requestId,
  assets,
  derive,
}: RenderOptions): Promise<Response> {
  const url = new URL(request.url)
  const cookie = request.headers.get('cookie')
  const api = makeApi(settings, { origin: url.origin, ...(cookie ? { cookie } : {}) })
  const routes = makeRoutes(api)
  const fonts = fontsFor(assets.faces, { text: settings.siteName + SCREEN_LETTERS, letters: [] })
  const around = { settings, assets, fonts, nonce }
  const matches = matchRoutes(routes, url.pathname) ?? []
  const handles = matches.map(({ route }) => route.handle as RouteHandle | undefined)
  if (!settings.isSignedIn && handles.some((handle) => handle?.isGuarded)) {
    return html(
      200,
      renderToString(<Document {...around} isHidden isAsleep={false} pageData={undefined} />),
    )
  }
  const handler = createStaticHandler(routes)
  const context = await handler.query(request)
  if (context instanceof Response) return context
  const router = createStaticRouter(handler.dataRoutes, context)
  // After an error the browser runs the loaders again: only answers are handed over.
  const pageData = context.errors ? undefined : { loaderData: context.loaderData }
  const isAsleep =
    pageData !== undefined && !settings.isSignedIn && handles.some((handle) => handle?.isForReading)
  const post = pageData && findPost(pageData.loaderData)
  const kept = post && {
    html: post.content,
    texts: await derive(post.$id, post.content, describeForServer),
  }
  const known = context.errors ? { ...settings, requestId } : settings
  const page = (
    <Document
      {...around}
      {...(kept && {
        fonts: fontsFor(assets.faces, {
          text: settings.siteName + post.title,
          letters: kept.texts.letters,
        }),
      })}
      settings={known}
      isHidden={context.statusCode >= 400}
      isAsleep={isAsleep}
      pageData={pageData}
    >
      <AppRoot api={{ ...api, settings: known }}>
        <KeptTextsContext value={kept}>
          <StaticRouterProvider router={router} context={context} hydrate={false} />
        </KeptTextsContext>
      </AppRoot>
    </Document>
  )
  return html(context.statusCode, renderToString(page))
}

function findPost(loaderData: Record<string, unknown>): PostDocument | undefined {
  for (const one of Object.values(loaderData)) {
    const post = (one as Partial<PostPageData> | null)?.post
    if (post instanceof Promise || !post) continue
    return post
  }
  return undefined
}

function html(status: number, text: string): Response {
  return new Response(`<!DOCTYPE html>${text}`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}
