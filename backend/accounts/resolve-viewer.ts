// Who is asking: the user of a session token or of a proof that replaces one, else the API key,
// else a guest.

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { makeBatchedRead } from '../database/batched-read.ts'
import type { SessionRow } from '../database/schema.ts'
import { isRecord } from '../http/request-params.ts'
import {
  type CookieSite,
  cookieName,
  findCookie,
  GUEST,
  isOpenerStillOperator,
  portlessCookieName,
  roleOfSession,
  type SessionProof,
  type UserViewer,
  type Viewer,
} from '../http/viewer.ts'
import { hashSecret, isSameHash, secondsBefore } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './store.ts'

/**
 * How precisely the last use of a session and the last visit of a user are recorded. A sign-in is
 * always recorded.
 */
const SESSION_USE_STEP_SECONDS = 60
const ACCESSED_AT_STEP_SECONDS = 24 * 60 * 60

type ResolveViewerOptions = BaseContext & {
  apiKey: string
  sessionNames: SessionNames
  readProof: (token: string, now: Date) => Promise<SessionProof>
}

/**
 * Reads the database at most once for a request with a token, and not for one without. A proof
 * replaces the session of the request.
 *
 * @source api.md §1.1
 */
export function makeResolveViewer(options: ResolveViewerOptions) {
  const apiKeyHash = hashSecret(options.apiKey)
  const sessionsBeingRecorded = new Set<string>()
  const readOwners = makeBatchedRead((hashes) => store.findSessionsWithUsers(options.db, hashes))

  // Also for WebSockets, which have no route.
  return async ({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Viewer> => {
    const jwt = single(headers['x-appwrite-jwt'])
    const proof = jwt ? await options.readProof(jwt, options.now()) : undefined
    const owner = proof
      ? await findProvenOwner(options, proof)
      : await findOwner(options, headers, readOwners)
    if (owner && isActive(owner, options.now())) {
      if (owner.isBlocked) throw new Refusal('user_blocked')
      if (!proof) recordUse(options, owner, sessionsBeingRecorded)
      const { id, userId, email, name } = owner
      const isVerified = owner.isVerified === 1
      const accountRole = roleOfSession(owner, proof)
      const openedBy = openerOf(owner, proof)
      const user = {
        role: 'user',
        userId,
        email,
        name,
        isVerified,
        accountRole,
        ...(openedBy && { openedBy }),
      } as const
      return proof ? { ...user, sessionId: '', proof } : { ...user, sessionId: id }
    }
    const key = single(headers['x-appwrite-key'])
    return key && isSameHash(hashSecret(key), apiKeyHash) ? { role: 'key' } : GUEST
  }
}

/** @returns undefined when the session has ended or has another secret by now */
async function findProvenOwner({ db, now }: ResolveViewerOptions, proof: SessionProof) {
  const owner = await store.findSessionWithUserById(db, proof.sessionId)
  const isTheirs = owner?.userId === proof.userId && proof.isValid(owner, now())
  return isTheirs ? owner : undefined
}

async function findOwner(
  { sessionNames }: ResolveViewerOptions,
  headers: IncomingHttpHeaders,
  readOwners: (secretHashes: string[]) => Promise<ReadonlyMap<string, store.SessionWithUser>>,
) {
  const token = findSessionToken(headers, sessionNames)
  if (!token) return undefined
  const secretHash = hashSecret(token.secret)
  const owner = (await readOwners([secretHash])).get(secretHash)
  const isTheirs = owner?.userId === token.userId && isSameHash(owner.secretHash, secretHash)
  return isTheirs ? owner : undefined
}

function isActive(owner: store.SessionWithUser, at: Date): boolean {
  const { now, idleSince } = store.activeSessionBounds(at)
  return owner.expiresAt > now && owner.lastUsedAt > idleSince && isOpenerStillOperator(owner)
}

function openerOf(
  { openedBy, openedRole, openerName }: store.SessionWithUser,
  proof: SessionProof | undefined,
): UserViewer['openedBy'] {
  if (openedBy !== '') return { role: 'user', userId: openedBy, name: openerName ?? '' }
  return openedRole !== '' || proof?.openedRole ? { role: 'key' } : undefined
}

/**
 * Records that a session is in use, at most once a minute, and in the background, so that reads go
 * on when the disk is full.
 *
 * @param running the sessions that are being recorded
 */
function recordUse(
  options: ResolveViewerOptions,
  owner: store.SessionWithUser,
  running: Set<string>,
): void {
  const { db, background, now } = options
  const { id, userId, lastUsedAt, accessedAt } = owner
  const at = now()
  const isDue = lastUsedAt <= secondsBefore(at, SESSION_USE_STEP_SECONDS)
  if (!isDue || running.has(id)) return
  running.add(id)
  background.run('note of a session in use', async () => {
    try {
      await store.updateSession(db, { id }, { lastUsedAt: at.toISOString() })
      if (accessedAt <= secondsBefore(at, ACCESSED_AT_STEP_SECONDS))
        await store.updateUser(db, userId, { accessedAt: at.toISOString() })
    } finally {
      running.delete(id)
    }
  })
}

// --- session tokens: where a request carries them, and their form (api.md §1.1, §1.7)

export type SessionToken = { userId: string; secret: string }

/** A new session, and the token that is shown to its browser alone. */
export type StartedSession = { session: SessionRow; token: string }

/** The names under which a project's session tokens are sent. */
export type SessionNames = {
  /**
   * The one cookie that is set. On HTTPS its prefix keeps sibling domains and unsafe connections
   * from planting one; a cookie of any other name could be planted.
   */
  cookie: string
  /**
   * Its name before names had the port, which is read until those sessions end. It may be the
   * cookie of another blog on this host, so everything else goes before it.
   */
  portlessCookie: string
  /**
   * Keys of the JSON in X-Fallback-Cookies: the one that is written, then one that is also read.
   */
  fallback: readonly [written: string, read: string]
}

const TOKEN_MAX_CHARS = 512

export function makeSessionNames(
  projectId: string,
  site: Pick<CookieSite, 'publicUrl' | 'isHttps'>,
): SessionNames {
  const written = `a_session_${projectId}`
  const read = `a_session_${projectId.toLowerCase()}`
  return {
    cookie: cookieName(read, site),
    portlessCookie: portlessCookieName(read, site),
    fallback: [written, read],
  }
}

export function formatSessionToken({ userId, secret }: SessionToken): string {
  return Buffer.from(JSON.stringify({ id: userId, secret })).toString('base64')
}

/**
 * @returns undefined for every text that `formatSessionToken` could not have made
 */
export function parseSessionToken(text: string): SessionToken | undefined {
  if (text.length > TOKEN_MAX_CHARS) return undefined
  const found = parseRecord(Buffer.from(text, 'base64').toString())
  if (!found || !isId(found.id) || typeof found.secret !== 'string') return undefined
  const token = { userId: found.id, secret: found.secret }
  return formatSessionToken(token) === text ? token : undefined
}

/**
 * The first token that a request carries: the cookie, X-Appwrite-Session, X-Fallback-Cookies, the
 * cookie without a port.
 *
 * @returns undefined when there is none or it is malformed: a malformed one hides the later ones
 */
export function findSessionToken(headers: IncomingHttpHeaders, names: SessionNames) {
  const text = findTokenText(headers, names) ?? findCookie(headers.cookie, names.portlessCookie)
  return text === undefined ? undefined : parseSessionToken(text)
}

function findTokenText(headers: IncomingHttpHeaders, names: SessionNames): string | undefined {
  return (
    findCookie(headers.cookie, names.cookie) ??
    single(headers['x-appwrite-session']) ??
    findFallback(headers, names)
  )
}

/** Whether the request's user was found by the cookie without a port, which is this blog's then. */
export function isSignedInByPortlessCookie(
  { viewer, headers }: Pick<FastifyRequest, 'viewer' | 'headers'>,
  names: SessionNames,
): boolean {
  const hasSession = viewer.role === 'user' && viewer.sessionId !== ''
  return hasSession && findTokenText(headers, names) === undefined
}

function findFallback(headers: IncomingHttpHeaders, names: SessionNames): string | undefined {
  const text = single(headers['x-fallback-cookies'])
  if (text === undefined) return undefined
  const sent = parseRecord(text) ?? {}
  const found = names.fallback.map((name) => sent[name]).find((value) => value !== undefined)
  return typeof found === 'string' ? found : undefined
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
