// The page inside the frame of an embed. It holds nothing but the frame of the other site, or the
// script of a Gist in an origin of its own, and its policy allows that one host. So pages of the
// blog need not allow hosts that anybody may run (PeerTube, Mastodon). Asks no other site.

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Embed, parseEmbed } from '#contract/embeds.ts'
import { Refusal } from '#contract/errors.ts'
import { EMBED_FRAME_PATH } from '#contract/pages.ts'
import { escapeHtml } from '#contract/plain-text.ts'
import { countRequest, type RateLimits } from '../http/rate-limits.ts'

const STYLE = 'html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}'
const GIST_HOST = 'https://gist.github.com'
const SANDBOX = 'allow-scripts allow-same-origin allow-presentation allow-popups'
const FROM_HERE_ONLY = [
  "default-src 'none'",
  "style-src-elem 'unsafe-inline' https://github.githubassets.com",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
]

type EmbedFrameOptions = { publicUrl: string; rateLimits: RateLimits }

export function addEmbedFrame(app: FastifyInstance, options: EmbedFrameOptions): void {
  const { publicUrl, rateLimits } = options
  app.get<{ Querystring: { url?: string } }>(EMBED_FRAME_PATH, async (request, reply) => {
    countRequest(request, rateLimits)
    const { url } = request.query
    const embed = typeof url === 'string' ? parseEmbed(url) : undefined
    if (!embed || !isFramedHere(request.headers, publicUrl))
      throw new Refusal('general_route_not_found')
    const isGist = embed.service === 'Gist'
    const source = isGist
      ? ['sandbox allow-scripts allow-popups', `script-src ${GIST_HOST}`]
      : [`frame-src ${new URL(embed.frameUrl).origin}`]
    return reply
      .header('content-security-policy', [...FROM_HERE_ONLY, ...source].join('; '))
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex')
      .type('text/html; charset=utf-8')
      .send(isGist ? gistPage(embed) : framePage(embed))
  })
}

/**
 * Opened by itself or from another site, it would show a foreign page under the blog's address.
 * Browsers send these headers to HTTPS and the own device only.
 */
function isFramedHere(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-site': site } = headers
  if (destination === undefined) return publicUrl.startsWith('http:')
  return destination === 'iframe' && site === 'same-origin'
}

function framePage({ service, frameUrl }: Embed): string {
  const attributes = `title="${service}" sandbox="${SANDBOX}" allow="autoplay; fullscreen; picture-in-picture; encrypted-media" referrerpolicy="strict-origin-when-cross-origin"`
  return page(`<iframe src="${escapeHtml(frameUrl)}" ${attributes}></iframe>`)
}

function gistPage({ frameUrl }: Embed): string {
  return page(`<script src="${escapeHtml(frameUrl)}"></script>`, '<base target="_blank">')
}

function page(body: string, head = ''): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title></title>${head}<style>${STYLE}</style></head><body>${body}</body></html>`
}
