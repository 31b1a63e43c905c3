// The web app manifest: how the site looks as an app on somebody's home screen.
import type { FastifyInstance } from 'fastify'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import type { SiteWords } from '#contract/pages.ts'
import type { SiteSettings } from '#contract/site-settings.ts'

const KEPT_SECONDS = 3600

export function addManifest(
  app: FastifyInstance,
  { siteName, about }: Pick<SiteSettings, 'siteName' | 'about'>,
  words: SiteWords,
): void {
  const manifest = {
    id: '/',
    name: siteName,
    short_name: siteName,
    description: about,
    lang: words.language,
    dir: words.direction,
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: PAGE_BACKGROUND.dark,
    theme_color: PAGE_BACKGROUND.dark,
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
    shortcuts: [{ name: words.addPost, url: '/add-post' }],
  }
  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', `public, max-age=${KEPT_SECONDS}`)
      .send(JSON.stringify(manifest)),
  )
}
