// Finds the viewer of a request: the user of its session token, or of the proof (a JWT) that
// replaces the token; else the API key; else a guest.

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
 * How often, between sign-ins, the last use of a session and the last visit of a user are recorded.
 */
const SESSION_USE_STEP_SECONDS = 60
const ACCESSED_AT_STEP_SECONDS = 24 * 60 * 60

type ResolveViewerOptions = BaseContext & {
  apiKey: string
  sessionNames: SessionNames
  readProof: (token: string, now: Date) => Promise<SessionProof>
}

/**
 * Reads the database at most once for a request with a token, and not at all without one. A proof
 * takes precedence over the session of the request.
 *
 * @source api.md §1.1
 */
export function makeResolveViewer(options: ResolveViewerOptions) {
  const apiKeyHash = hashSecret(options.apiKey)
  const sessionsBeingRecorded = new Set<string>()
  const readSessions = makeBatchedRead((hashes) => store.findSessionsWithUsers(options.db, hashes))

  // Takes only the headers, because WebSockets have no route.
  return async ({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Viewer> => {
    const jwt = single(headers['x-appwrite-jwt'])
    const proof = jwt ? await options.readProof(jwt, options.now()) : undefined
    const session = proof
      ? await findProvenSession(options, proof)
      : await findSession(options, headers, readSessions)
    if (session && isActive(session, options.now())) {
      if (session.isBlocked) throw new Refusal('user_blocked')
      if (!proof) recordUse(options, session, sessionsBeingRecorded)
      const { id, userId, email, name } = session
      const isVerified = session.isVerified === 1
      const accountRole = roleOfSession(session, proof)
      const openedBy = openerOf(session, proof)
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

/** @returns undefined when the session has ended, or its secret has changed */
async function findProvenSession({ db, now }: ResolveViewerOptions, proof: SessionProof) {
  const session = await store.findSessionWithUserById(db, proof.sessionId)
  const isTheirs = session?.userId === proof.userId && proof.isValid(session, now())
  return isTheirs ? session : undefined
}

async function findSession(
  { sessionNames }: ResolveViewerOptions,
  headers: IncomingHttpHeaders,
  readSessions: (secretHashes: string[]) => Promise<ReadonlyMap<string, store.SessionWithUser>>,
) {
  const token = findSessionToken(headers, sessionNames)
  if (!token) return undefined
  const secretHash = hashSecret(token.secret)
  const session = (await readSessions([secretHash])).get(secretHash)
  const isTheirs = session?.userId === token.userId && isSameHash(session.secretHash, secretHash)
  return isTheirs ? session : undefined
}

function isActive(session: store.SessionWithUser, at: Date): boolean {
  const { now, idleSince } = store.activeSessionBounds(at)
  return session.expiresAt > now && session.lastUsedAt > idleSince && isOpenerStillOperator(session)
}

function openerOf(
  { openedBy, openedRole, openerName }: store.SessionWithUser,
  proof: SessionProof | undefined,
): UserViewer['openedBy'] {
  if (openedBy !== '') return { role: 'user', userId: openedBy, name: openerName ?? '' }
  return openedRole !== '' || proof?.openedRole ? { role: 'key' } : undefined
}

/**
 * Records the use of a session, at most once a minute, and in the background, so that requests
 * still succeed when the disk is full.
 *
 * @param beingRecorded ids of the sessions whose use is being recorded
 */
function recordUse(
  options: ResolveViewerOptions,
  session: store.SessionWithUser,
  beingRecorded: Set<string>,
): void {
  const { db, background, now } = options
  const { id, userId, lastUsedAt, accessedAt } = session
  const at = now()
  const isDue = lastUsedAt <= secondsBefore(at, SESSION_USE_STEP_SECONDS)
  if (!isDue || beingRecorded.has(id)) return
  beingRecorded.add(id)
  background.run('record of a session in use', async () => {
    try {
      await store.updateSession(db, { id }, { lastUsedAt: at.toISOString() })
      if (accessedAt <= secondsBefore(at, ACCESSED_AT_STEP_SECONDS))
        await store.updateUser(db, userId, { accessedAt: at.toISOString() })
    } finally {
      beingRecorded.delete(id)
    }
  })
}

// --- session tokens: their format, and where a request carries them (api.md §1.1, §1.7)

export type SessionToken = { userId: string; secret: string }

/** A new session, and its token, which only the browser that signed in receives. */
export type StartedSession = { session: SessionRow; token: string }

/** The names of the cookies and JSON keys that carry the session tokens of a project. */
export type SessionNames = {
  /**
   * The cookie that is set. On HTTPS its `__Host-` prefix prevents sibling domains and insecure
   * connections from setting it.
   */
  cookie: string
  /**
   * The cookie's former name, without the port. It is still read until the sessions from that time
   * have ended. It may belong to another blog on this host, so all other tokens take precedence.
   */
  portlessCookie: string
  /**
   * The keys in the JSON of X-Fallback-Cookies: responses write the first, requests may have
   * either.
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

/** @returns undefined for a text that `formatSessionToken` would not produce */
export function parseSessionToken(text: string): SessionToken | undefined {
  if (text.length > TOKEN_MAX_CHARS) return undefined
  const record = parseRecord(Buffer.from(text, 'base64').toString())
  if (!record || !isId(record.id) || typeof record.secret !== 'string') return undefined
  const token = { userId: record.id, secret: record.secret }
  return formatSessionToken(token) === text ? token : undefined
}

/**
 * The first token that a request carries: the cookie, X-Appwrite-Session, X-Fallback-Cookies, the
 * cookie without a port.
 *
 * @returns undefined without a token, and if the first one is malformed: then no other is tried
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

/** Whether the cookie without a port signed the user in, and so belongs to this blog. */
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
  const cookies = parseRecord(text) ?? {}
  const token = names.fallback.map((name) => cookies[name]).find((value) => value !== undefined)
  return typeof token === 'string' ? token : undefined
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
