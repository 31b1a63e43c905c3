// The headers of an HTML page: what it may load (threat-model.md §7), who may keep it, who may find
// it. Knows nothing of rendering.
import { hash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** A page as it is about to be sent. */
export type PageFacts = {
  /**
   * The source of the page's one inline script in the form of a policy; undefined sends no policy
   * (development).
   */
  scriptSource: string | undefined
  /** The source of the styles that stand in the page, if any do. */
  styleSource?: string | undefined
  /** The one foreign origin that the page's scripts may call; empty for none. */
  connectOrigin: string
  status: number
  /** Rendered without any cookie, the same for everybody. */
  isForAnyone: boolean
  /** Its address holds what only its reader may know. */
  hasSecret: boolean
}

/** `'sha256-…'`, which allows exactly this script or style, in every copy of the page. */
export function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

/** 128 bits. */
export function newNonce(): string {
  return randomBytes(16).toString('base64')
}

export function nonceSource(nonce: string): string {
  return `'nonce-${nonce}'`
}

export function pageHeaders(page: PageFacts): Record<string, string> {
  // Nothing personal is in it, and its address says nothing secret.
  const isKept = page.isForAnyone && page.status === 200 && !page.hasSecret
  return {
    // Caches must ask before each use of a copy: the post may have been changed or hidden.
    'cache-control': isKept ? 'public, no-cache' : 'private, no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    // An answer without a body must say the same.
    vary: 'Cookie, accept-encoding',
    ...(page.hasSecret ? { 'referrer-policy': 'no-referrer' } : {}),
    ...(page.status >= 400 ? { 'x-robots-tag': 'noindex' } : {}),
    ...(page.scriptSource ? { 'content-security-policy': policy(page) } : {}),
  }
}

/** See {@link PageFacts}. */
export function hasSecret(request: FastifyRequest): boolean {
  // An address that could not be read has none.
  const query = (request.query ?? {}) as Record<string, unknown>
  return 'secret' in query || 'access_token' in query
}

function policy({ scriptSource, styleSource, connectOrigin }: PageFacts): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scriptSource}`,
    styleSource ? `style-src 'self' ${styleSource}` : "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    connectOrigin ? `connect-src 'self' ${connectOrigin}` : "connect-src 'self'",
    'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
