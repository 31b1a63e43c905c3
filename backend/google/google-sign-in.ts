// Signing in with Google: the authorization request, its answer, and refreshing the provider's
// tokens. Knows no HTTP; the provider is in google-provider.ts.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import type { StartedSession } from '../accounts/find-viewer.ts'
import { addIdentity, findIdentityOwner, noteIdentityUse } from '../accounts/identities.ts'
import { findEmail, readEmail } from '../accounts/personal-details.ts'
import type { Caller } from '../accounts/session-cookies.ts'
import {
  addSession,
  type ProviderTokenColumns,
  readSessionRow,
  revokeAllCredentials,
} from '../accounts/sessions.ts'
import { findUserRowByEmail, insertUserRow, makeUserRow } from '../accounts/users.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Live } from '../database/live.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { issueToken } from '../mail-links/mailed-tokens.ts'
import { hashSecret, makeId, makeSecret } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import type {
  AuthorizationAnswer,
  GoogleProvider,
  ProviderGrant,
  ProviderProfile,
} from './google-provider.ts'
import * as store from './store.ts'

/** How long a person may take at the provider. */
export const OAUTH_STATE_SECONDS = 10 * 60

export type GoogleNeeds = Live & {
  /** Undefined when sign-in with Google is not set up. */
  googleProvider: GoogleProvider | undefined
  providerTokens: ProviderTokens
  isRegistrationOpen: boolean
}

/**
 * @param asked where the browser goes in the end, both checked; `failure` is "" when the caller
 *   named none. `isForToken` when `success` is to get a token, for a program to sign in with
 * @returns where the browser goes, and the secret that binds the answer to it
 * @throws Refusal `project_provider_disabled`, `user_oauth2_provider_error`
 */
export async function startGoogleSignIn(
  needs: Pick<GoogleNeeds, 'db' | 'googleProvider' | 'now'>,
  { success, failure, isForToken }: { success: string; failure: string; isForToken: boolean },
  scopes: readonly string[],
): Promise<{ url: string; browserSecret: string }> {
  const { db, now } = needs
  const { url, state, nonce, codeVerifier } = await providerOf(needs).startAuthorization(scopes)
  const browserSecret = makeSecret()
  const at = now()
  await store.deleteStatesBefore(db, at.toISOString())
  await store.insertState(db, {
    stateHash: hashSecret(state),
    browserHash: hashSecret(browserSecret),
    nonce,
    codeVerifier,
    successUrl: success,
    failureUrl: failure,
    isForToken: Number(isForToken),
    expiresAt: new Date(at.getTime() + OAUTH_STATE_SECONDS * 1000).toISOString(),
  })
  return { url, browserSecret }
}

/**
 * @returns where the browser goes: with a session, a token in the address, or what went wrong
 * @throws Refusal when no return address is known: the state is unknown, used, or another browser's
 */
export async function finishGoogleSignIn(
  needs: GoogleNeeds,
  answer: AuthorizationAnswer,
  browserSecret: string | undefined,
  caller: Caller,
): Promise<{ url: string; started: StartedSession | undefined }> {
  const { db, log, now } = needs
  const provider = providerOf(needs)
  const { state = '' } = answer
  const known = await store.takeState(db, {
    stateHash: hashSecret(state),
    browserHash: hashSecret(browserSecret ?? ''),
  })
  if (!known) {
    const refusal = signInEnded()
    logFailure(log, refusal, caller)
    throw refusal
  }
  const { nonce, codeVerifier, successUrl, failureUrl, expiresAt } = known
  try {
    if (expiresAt <= now().toISOString()) throw signInEnded()
    const profile = await provider.finishAuthorization(answer, { state, nonce, codeVerifier })
    if (known.isForToken)
      return { url: await addToken(needs, successUrl, profile, caller), started: undefined }
    return { url: successUrl, started: await signIn(needs, profile, caller) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    logFailure(log, error, caller)
    if (!failureUrl) throw error
    return { url: withError(failureUrl, error), started: undefined }
  }
}

/**
 * Renews the provider's access token of one of the viewer's sessions.
 *
 * @param sessionId or `current`
 * @throws Refusal `user_session_not_found`; `project_provider_unsupported` when the session did not
 *   begin at the provider, or the provider gave nothing to refresh it with;
 *   `project_provider_disabled`; as the provider refuses
 * @source api.md §2.2
 */
export async function refreshProviderToken(
  needs: Pick<GoogleNeeds, 'db' | 'googleProvider' | 'providerTokens' | 'now'>,
  viewer: UserViewer,
  sessionId: string,
): Promise<void> {
  const { db, providerTokens, now } = needs
  const row = await readSessionRow(db, viewer, sessionId, now())
  const refreshToken = providerTokens.open(row.providerRefreshToken, row.userId)
  if (row.provider !== GOOGLE || refreshToken === undefined)
    throw new Refusal('project_provider_unsupported')
  const grant = await providerOf(needs).refresh(refreshToken, row.providerUid)
  // A provider that sends no new one goes on accepting the old one.
  const renewed = { ...grant, refreshToken: grant.refreshToken ?? refreshToken }
  const columns = encryptGrant(providerTokens, renewed, row.userId)
  const isThere = await store.setSessionTokens(db, row.id, columns)
  if (!isThere) throw new Refusal('user_session_not_found')
}

async function signIn(
  needs: GoogleNeeds,
  profile: ProviderProfile,
  caller: Caller,
): Promise<StartedSession> {
  const started = await withAccount(needs, profile, async (tx, userId, now) => {
    const tokens = encryptGrant(needs.providerTokens, profile, userId)
    const origin = { userId, provider: GOOGLE, providerUid: profile.sub, ...tokens }
    return addSession(tx, origin, { caller, now })
  })
  logSuccess(needs.log, 'sign-in', started.session.userId, caller)
  return started
}

/**
 * No session begins: whoever redeems the token signs in. The provider's tokens are not kept.
 * @returns the address with `userId` and `secret`
 */
async function addToken(
  needs: GoogleNeeds,
  url: string,
  profile: ProviderProfile,
  caller: Caller,
): Promise<string> {
  const { token, secret } = await withAccount(needs, profile, (tx, userId, now) =>
    issueToken(tx, { userId, kind: 'oauth2', providerUid: profile.sub }, { now }),
  )
  logSuccess(needs.log, 'sign-in token', token.userId, caller)
  const back = new URL(url)
  back.searchParams.set('userId', token.userId)
  back.searchParams.set('secret', secret)
  return back.href
}

/** Runs in the transaction that has found or added the account, and locked it. */
async function withAccount<Result>(
  { db, background, isRegistrationOpen, now }: GoogleNeeds,
  profile: ProviderProfile,
  begin: (tx: Database, userId: string, now: Date) => Promise<Result>,
): Promise<Result> {
  const attempt = () =>
    inTransaction(db, background, async (tx) => {
      const at = now()
      return begin(tx, await findOrAddAccount(tx, profile, { isRegistrationOpen, now: at }), at)
    })
  // The same user came back twice at once, or has just signed up: the second look finds what the
  // other call added.
  return attempt().catch((error: unknown) => {
    if (isUniqueFault(error)) return attempt()
    throw error
  })
}

function logSuccess(log: Log, event: string, userId: string, caller: Caller): void {
  const { requestId, address } = caller
  log.info({ event, provider: GOOGLE, requestId, userId, address }, 'signed in')
}

/** @throws Refusal `project_provider_disabled` */
function providerOf({ googleProvider }: Pick<GoogleNeeds, 'googleProvider'>): GoogleProvider {
  if (!googleProvider) throw new Refusal('project_provider_disabled')
  return googleProvider
}

function encryptGrant(
  providerTokens: ProviderTokens,
  { accessToken, accessTokenExpiresAt, refreshToken }: ProviderGrant,
  userId: string,
): ProviderTokenColumns {
  return {
    providerAccessToken: providerTokens.seal(accessToken, userId),
    providerAccessTokenExpiresAt: accessTokenExpiresAt?.toISOString() ?? '',
    providerRefreshToken:
      refreshToken === undefined ? '' : providerTokens.seal(refreshToken, userId),
  }
}

function logFailure(log: Log, { type, cause }: Refusal, { requestId, address }: Caller): void {
  const reason = typeof cause === 'string' ? cause : undefined
  log.warn(
    { event: 'sign-in failed', provider: GOOGLE, type, reason, requestId, address },
    'sign-in failed',
  )
}

/**
 * In the JSON the code is the one that clients know, whatever status an answer of ours may have.
 */
const NOMINAL_CODES: Partial<Record<Refusal['type'], number>> = { user_oauth2_provider_error: 424 }

/** @param url checked before. Its query and fragment are kept. @source api.md §2.4 step 6 */
export function withError(url: string, { message, type, status }: Refusal): string {
  const back = new URL(url)
  const code = NOMINAL_CODES[type] ?? status
  back.searchParams.set('error', JSON.stringify({ message, type, code }))
  return back.href
}

// --- which account it opens: the one linked to the identity, else the one with the same verified
// address, else a new one

export const GOOGLE = 'google'

export type GoogleProfile = Pick<ProviderProfile, 'sub' | 'email' | 'isEmailVerified' | 'name'>

/**
 * The account that this user signs in to; its row is locked. The provider's own id counts first; an
 * address only when the provider has verified it, and an account whose own address was never
 * verified loses its old credentials.
 *
 * @returns its id
 * @throws Refusal `user_blocked`, `user_email_not_verified`, `user_count_exceeded` when
 *   registration is closed
 * @source threat-model.md §9, decision 0014
 */
export async function findOrAddAccount(
  tx: Database,
  { sub, email: providerEmail, isEmailVerified, name }: GoogleProfile,
  { isRegistrationOpen, now }: { isRegistrationOpen: boolean; now: Date },
): Promise<string> {
  const ownerId = await findIdentityOwner(tx, { provider: GOOGLE, sub })
  if (ownerId !== undefined) {
    await lockUsableUser(tx, ownerId)
    const use = { provider: GOOGLE, sub, userId: ownerId, email: findEmail(providerEmail) ?? '' }
    // It may have been revoked between the look and the lock.
    if (!(await noteIdentityUse(tx, use, now))) throw accountChanged()
    return ownerId
  }
  if (!isEmailVerified) throw new Refusal('user_email_not_verified')
  const email = readEmail(providerEmail)
  const sameAddress = await findUserRowByEmail(tx, email)
  const known = sameAddress && (await lockUsableUser(tx, sameAddress.id))
  if (!known && !isRegistrationOpen) throw new Refusal('user_count_exceeded')
  // Compared again now that nobody else can change it.
  if (known && known.email !== email) throw accountChanged()
  if (known && !known.isVerified)
    await revokeAllCredentials(tx, known.id, { passwordHash: null, isAddressProven: true, now })
  const userId = known?.id ?? (await addUser(tx, { email, name: cleanName(name) }, now))
  await addIdentity(tx, { provider: GOOGLE, sub, userId, email }, now)
  return userId
}

/** @throws Refusal `user_blocked`; as for an unknown state when the account has just gone */
async function lockUsableUser(tx: Database, userId: string): Promise<UserRow> {
  const user = await lockUser(tx, userId)
  if (!user) throw signInEnded()
  if (user.isBlocked) throw new Refusal('user_blocked')
  return user
}

/** @param profile whose address the provider has verified */
async function addUser(
  tx: Database,
  profile: { email: string; name: string },
  now: Date,
): Promise<string> {
  const id = makeId(now.getTime())
  const user = makeUserRow(
    { id, email: profile.email, name: profile.name, passwordHash: null },
    now,
  )
  await insertUserRow(tx, { ...user, isVerified: 1 })
  return id
}

function accountChanged(): Refusal {
  return new Refusal('user_oauth2_bad_request', 'This account has just changed. Please try again.')
}

export function signInEnded(): Refusal {
  return new Refusal(
    'user_oauth2_bad_request',
    'This sign-in has ended or was begun in another browser. Please start again.',
  )
}

/** A name is no reason to refuse a sign-in: what does not belong in one is removed. */
function cleanName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...plain].slice(0, NAME_MAX_CHARS).join('').slice(0, NAME_MAX_CHARS).toWellFormed()
}

// --- access tokens of providers, encrypted for the database: AES-256-GCM, bound to the user of the
// session

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export type ProviderTokens = ReturnType<typeof makeProviderTokens>

/** @param key 64 hex characters */
export function makeProviderTokens(key: string) {
  const secret = Buffer.from(key, 'hex')
  return {
    /** @param userId the user of the session; the result opens for no other user */
    seal(token: string, userId: string): string {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, secret, iv, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(userId),
      )
      return Buffer.concat([
        iv,
        cipher.update(token, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64')
    },
    /**
     * @returns undefined when it was encrypted with another key or for another user, or is damaged
     */
    open(sealed: string, userId: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv(ALGORITHM, secret, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(userId)).setAuthTag(bytes.subarray(-TAG_BYTES))
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
