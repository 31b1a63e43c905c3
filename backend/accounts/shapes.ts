// Rows -> the shapes of answers (api.md §2.1, §6). Knows no database and no rule.
import type { Account, Identity, PublicUser, Session, SignInLog, User } from '#contract/accounts.ts'
import { wireTime } from '#contract/ids.ts'
import type { IdentityRow, SessionRow, SignInLogRow, UserRow } from '../database/schema.ts'
import { describeDevice } from './devices.ts'

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

/** What the API key sees. Hashes never leave the server. */
export function toUser(user: UserRow): User {
  return { ...toAccount(user), password: '', hash: '', hashOptions: {} }
}

export function toPublicUser(user: UserRow): PublicUser {
  return { $id: user.id, name: user.name }
}

/** Provider tokens stay empty: only `readOwnSession` shows one, and only to its own user. */
export function toSession(session: SessionRow, { isCurrent }: { isCurrent: boolean }): Session {
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
    ...describeDevice(session.userAgent),
    countryCode: '--',
    countryName: 'Unknown',
    current: isCurrent,
  }
}

/** Address and name are those that the user has by now. */
export function toSignInLog(row: SignInLogRow, user: Pick<UserRow, 'email' | 'name'>): SignInLog {
  return {
    event: 'session.create',
    userId: row.userId,
    userEmail: user.email,
    userName: user.name,
    mode: 'default',
    ip: row.ip,
    time: wireTime(row.createdAt),
    ...describeDevice(row.userAgent),
    countryCode: '--',
    countryName: 'Unknown',
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
