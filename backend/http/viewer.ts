// Who is asking. accounts/find-viewer.ts finds out; routes and rules only use `request.viewer`.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'

export type UserViewer = {
  role: 'user'
  userId: string
  email: string
  name: string
  isVerified: boolean
  /**
   * Empty when a JWT proves who asks: it acts for the person, but no session is its own, so that
   * what needs a current or a fresh one refuses it.
   */
  sessionId: string
}
export type Viewer = { role: 'guest' } | UserViewer | { role: 'key' }

export const GUEST: Viewer = { role: 'guest' }

const CREDENTIAL_HEADERS = [
  'x-appwrite-jwt',
  'x-appwrite-key',
  'x-appwrite-session',
  'x-fallback-cookies',
] as const

/** Whether anything but a cookie may say who is asking. */
export function hasCredentialHeader(headers: IncomingHttpHeaders): boolean {
  return CREDENTIAL_HEADERS.some((name) => (headers[name] ?? '') !== '')
}

/** JWT or session, then API key, else guest. @throws Refusal `user_blocked`, `user_jwt_invalid` */
export type FindViewer = (request: FastifyRequest) => Promise<Viewer>

/**
 * What a route needs of its caller: `public` is open to all, `account` needs a session, the rest
 * needs the API key.
 */
export type Scope =
  | 'public'
  | 'account'
  | 'health.read'
  | 'users.read'
  | 'users.write'
  | 'documents.write'
  | `${'databases' | 'collections' | 'attributes' | 'indexes' | 'buckets'}.${'read' | 'write'}`

/** @throws Refusal `general_unauthorized_scope` (api.md §1.4) */
export function requireScope(viewer: Viewer, scope: Scope): void {
  if (scope === 'public') return
  const isAllowed = scope === 'account' ? viewer.role === 'user' : viewer.role === 'key'
  if (isAllowed) return
  const who =
    viewer.role === 'user'
      ? `${viewer.email} (role: users)`
      : viewer.role === 'key'
        ? 'app (role: applications)'
        : 'User (role: guests)'
  throw new Refusal('general_unauthorized_scope', `${who} missing scope (${scope})`)
}

/** The signed-in user. @throws Refusal `general_unauthorized_scope` for everybody else */
export function readUser(viewer: Viewer): UserViewer {
  requireScope(viewer, 'account')
  return viewer as UserViewer
}
