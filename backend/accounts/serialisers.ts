// Turns rows into the shapes of responses (api.md §2.1, §6). Pure functions.
import Bowser from 'bowser'
import type { Account, Device, Identity, Session, SignInLog, User } from '#contract/accounts.ts'
import { wireTime } from '#contract/ids.ts'
import type { IdentityRow, SessionRow, SignInLogRow, UserRow } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'

/** The server does not locate IP addresses. */
const NO_COUNTRY = { countryCode: '--', countryName: 'Unknown' }

export function toAccount(user: UserRow): Account {
  const createdAt = wireTime(user.createdAt)
  return {
    $id: user.id,
    $createdAt: createdAt,
    $updatedAt: wireTime(user.updatedAt),
    name: user.name,
    registration: createdAt,
    status: user.isBlocked === 0,
    labels: JSON.parse(user.labels),
    passwordUpdate: user.passwordUpdatedAt === null ? '' : wireTime(user.passwordUpdatedAt),
    email: user.email,
    phone: '',
    emailVerification: user.isVerified === 1,
    phoneVerification: false,
    prefs: JSON.parse(user.prefs),
    accessedAt: wireTime(user.accessedAt),
  }
}

/** A user for the API key. Hashes never leave the server. */
export function toUser(user: UserRow): User {
  return { ...toAccount(user), password: '', hash: '', hashOptions: {} }
}

/** A user for the API key or an operator; operators see no prefs. */
export function toUserFor({ role }: Viewer, user: UserRow): User {
  return role === 'key' ? toUser(user) : { ...toUser(user), prefs: {} }
}

/**
 * Provider tokens stay empty: only `readOwnSession` returns one, and only to its user.
 * @param currentId the id of the viewer's session, if there is one
 */
export function toSession(session: SessionRow, currentId?: string): Session {
  return {
    $id: session.id,
    $createdAt: wireTime(session.createdAt),
    userId: session.userId,
    expire: wireTime(session.expiresAt),
    provider: session.provider,
    providerUid: session.providerUid,
    providerAccessToken: '',
    providerAccessTokenExpiry:
      session.providerAccessTokenExpiresAt && wireTime(session.providerAccessTokenExpiresAt),
    providerRefreshToken: '',
    ip: session.ip,
    ...parseUserAgent(session.userAgent),
    ...NO_COUNTRY,
    current: session.id === currentId,
  }
}

/** The email and the name are the user's current ones. */
export function toSignInLog(row: SignInLogRow, user: Pick<UserRow, 'email' | 'name'>): SignInLog {
  return {
    event: 'session.create',
    userId: row.userId,
    userEmail: user.email,
    userName: user.name,
    mode: 'default',
    ip: row.ip,
    time: wireTime(row.createdAt),
    ...parseUserAgent(row.userAgent),
    ...NO_COUNTRY,
  }
}

/** Provider tokens stay empty, as they do for a session. */
export function toIdentity(identity: IdentityRow): Identity {
  return {
    $id: identity.id,
    $createdAt: wireTime(identity.createdAt),
    $updatedAt: wireTime(identity.lastUsedAt),
    userId: identity.userId,
    provider: identity.provider,
    providerUid: identity.sub,
    providerEmail: identity.email,
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
  }
}

// --- the browser, system and device of a session, parsed from its user agent

/** Longer user agents are truncated before they are stored. */
export const USER_AGENT_MAX_CHARS = 512

/** Names that differ from the parser's, and codes that are not the first letters of its names. */
const SYSTEM_NAMES: Record<string, string> = { Linux: 'GNU/Linux', macOS: 'Mac' }
const CODES: Record<string, string> = {
  'Chrome OS': 'COS',
  Chromium: 'CR',
  Firefox: 'FF',
  Safari: 'SF',
  'Microsoft Edge': 'PS',
  'Samsung Internet for Android': 'SB',
}

/** @returns `""` for fields that the user agent lacks (api.md §2.1) */
export function parseUserAgent(userAgent: string): Device {
  // An empty text makes the parser throw.
  const { browser, os, platform, engine } = Bowser.parse(
    userAgent.slice(0, USER_AGENT_MAX_CHARS) || '-',
  )
  const [osName = '', clientName = '', deviceName = ''] = [os.name, browser.name, platform.type]
  return {
    osCode: shortCode(osName, 3),
    osName: SYSTEM_NAMES[osName] ?? osName,
    osVersion: (osName === 'Windows' ? os.versionName : os.version) ?? '',
    clientType: clientName ? 'browser' : '',
    clientCode: shortCode(clientName, 2),
    clientName,
    clientVersion: (browser.version ?? '').split('.').slice(0, 2).join('.'),
    clientEngine: engine.name ?? '',
    // Blink has the version number of the browser that it is built into.
    clientEngineVersion:
      engine.version ?? (engine.name === 'Blink' ? browser.version : undefined) ?? '',
    deviceName: deviceName === 'mobile' ? 'smartphone' : deviceName,
    deviceBrand: platform.vendor ?? '',
    deviceModel: platform.model ?? '',
  }
}

function shortCode(name: string, chars: number): string {
  const letters = name.replaceAll(/[^A-Za-z0-9]/g, '')
  return CODES[name] ?? letters.slice(0, chars).toUpperCase()
}
