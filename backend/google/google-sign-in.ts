// Signing in with Google: the authorization request, its response, and refreshing the provider's
// tokens. google-provider.ts calls the provider.

import { Refusal } from '#contract/errors.ts'
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import { cleanLine, isVisible } from '#contract/visible-text.ts'
import { addIdentity, findIdentityOwner, recordIdentityUse } from '../accounts/identities.ts'
import type { StartedSession } from '../accounts/resolve-viewer.ts'
import { type Caller, logEvent } from '../accounts/session-cookies.ts'
import {
  addSession,
  readSessionRow,
  revokeAllCredentials,
  updateSession,
} from '../accounts/sessions.ts'
import { findUserByEmail, insertUser, lockUnblockedUser, makeUserRow } from '../accounts/users.ts'
import { retryIfTaken } from '../database/database-errors.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { parseEmail, tryParseEmail } from '../mail/addresses.ts'
import { issueToken } from '../mail-links/one-time-tokens.ts'
import { hashSecret, makeId, makeSecret, secondsAfter } from '../process/ids.ts'
import type { SiteSnapshot } from '../site/site.ts'
import type { GoogleContext } from './context.ts'
import type {
  AuthorizationResponse,
  GoogleProvider,
  ProviderGrant,
  ProviderProfile,
} from './google-provider.ts'
import type { ProviderTokens } from './provider-tokens.ts'
import * as store from './store.ts'

/** How long a user may take at the provider. */
export const OAUTH_STATE_SECONDS = 10 * 60

/**
 * @param options the validated URLs to which the browser returns; `failure` is "" for none.
 *   `isForToken` when `success` receives a token with which a program signs in
 * @returns the URL of the provider, and the secret that binds the response to this browser
 * @throws Refusal `project_provider_disabled`, `user_oauth2_provider_error`
 */
export async function startGoogleSignIn(
  context: GoogleContext,
  { success, failure, isForToken }: { success: string; failure: string; isForToken: boolean },
  scopes: readonly string[],
): Promise<{ url: string; browserSecret: string }> {
  const { db, now } = context
  const { url, state, nonce, codeVerifier } = await providerOf(context).startAuthorization(scopes)
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
    expiresAt: secondsAfter(at, OAUTH_STATE_SECONDS),
  })
  return { url, browserSecret }
}

/**
 * @returns the URL to which the browser returns: with a session, or a token or an error in its
 *   query
 * @throws Refusal when no such URL is known: the state is unknown, used, or of another browser
 */
export async function finishGoogleSignIn(
  context: GoogleContext,
  response: AuthorizationResponse,
  browserSecret: string | undefined,
  caller: Caller,
): Promise<{ url: string; started: StartedSession | undefined }> {
  const { db, now } = context
  const provider = providerOf(context)
  const { state = '' } = response
  const stateHash = hashSecret(state)
  const browserHash = hashSecret(browserSecret ?? '')
  const authorization = await store.consumeState(db, { stateHash, browserHash })
  try {
    if (!authorization || authorization.expiresAt <= now().toISOString()) throw signInEnded()
    const profile = await provider.finishAuthorization(response, { ...authorization, state })
    return authorization.isForToken
      ? {
          url: await issueSignInToken(context, authorization.successUrl, profile, caller),
          started: undefined,
        }
      : { url: authorization.successUrl, started: await signIn(context, profile, caller) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { requestId, address } = caller
    const reason = typeof error.cause === 'string' ? error.cause : undefined
    const logFields = { provider: GOOGLE, type: error.type, reason, requestId, address }
    context.log.warn({ event: 'sign-in failed', ...logFields }, 'sign-in failed')
    if (!authorization?.failureUrl) throw error
    return { url: addErrorToUrl(authorization.failureUrl, error), started: undefined }
  }
}

/**
 * Refreshes the provider's access token of one of the viewer's sessions.
 *
 * @param id the id of the session, or `current`
 * @throws Refusal `user_session_not_found`; `project_provider_unsupported` when the session did not
 *   begin at the provider, or the provider sent no refresh token;
 *   `project_provider_disabled`; and as `refresh` of the provider
 * @source api.md §2.2
 */
export async function refreshProviderToken(context: GoogleContext, viewer: UserViewer, id: string) {
  const { db, providerTokens, now } = context
  const row = await readSessionRow(db, viewer, id, now())
  const refreshToken = providerTokens.decrypt(row.providerRefreshToken, row.userId)
  if (row.provider !== GOOGLE || refreshToken === undefined)
    throw new Refusal('project_provider_unsupported')
  const grant = await providerOf(context).refresh(refreshToken, row.providerUid)
  // Without a new refresh token, the old one stays valid.
  const newGrant = { ...grant, refreshToken: grant.refreshToken ?? refreshToken }
  const columns = encryptGrant(providerTokens, newGrant, row.userId)
  if (!(await updateSession(db, { id: row.id }, columns)))
    throw new Refusal('user_session_not_found')
}

async function signIn(context: GoogleContext, profile: ProviderProfile, caller: Caller) {
  const started = await withAccount(context, profile, async (tx, userId, now) => {
    const tokens = encryptGrant(context.providerTokens, profile, userId)
    const origin = { userId, provider: GOOGLE, providerUid: profile.sub, ...tokens }
    return addSession(tx, origin, { caller, now })
  })
  logEvent(context.log, 'sign-in', started.session.userId, caller, { provider: GOOGLE })
  return started
}

/**
 * Issues a token that signs in when it is redeemed. The provider's tokens are not stored.
 * @returns the URL with `userId` and `secret`
 */
async function issueSignInToken(
  context: GoogleContext,
  url: string,
  profile: ProviderProfile,
  caller: Caller,
) {
  const { token, secret } = await withAccount(context, profile, (tx, userId, now) =>
    issueToken(tx, { userId, kind: 'oauth2', providerUid: profile.sub, now }),
  )
  logEvent(context.log, 'sign-in token', token.userId, caller, { provider: GOOGLE })
  const returnUrl = new URL(url)
  returnUrl.searchParams.set('userId', token.userId)
  returnUrl.searchParams.set('secret', secret)
  return returnUrl.href
}

/** Finds or adds the account, locks it, and calls `begin` in the same transaction. */
async function withAccount<Result>(
  { db, background, site, now: clock }: GoogleContext,
  profile: ProviderProfile,
  begin: (tx: Database, userId: string, now: Date) => Promise<Result>,
): Promise<Result> {
  const now = clock()
  const rules = { ...(await site.read()), now }
  const work = async (tx: Database) => begin(tx, await findOrAddAccount(tx, profile, rules), now)
  // The same user may return twice at the same time, or just have signed up.
  return retryIfTaken(() => inTransaction(db, background, work))
}

/** @throws Refusal `project_provider_disabled` */
function providerOf({ googleProvider }: GoogleContext): GoogleProvider {
  if (!googleProvider) throw new Refusal('project_provider_disabled')
  return googleProvider
}

function encryptGrant({ encrypt }: ProviderTokens, grant: ProviderGrant, userId: string) {
  const { accessToken, accessTokenExpiresAt, refreshToken } = grant
  return {
    providerAccessToken: encrypt(accessToken, userId),
    providerAccessTokenExpiresAt: accessTokenExpiresAt,
    providerRefreshToken: refreshToken === undefined ? '' : encrypt(refreshToken, userId),
  }
}

/** @param url a validated URL, which keeps its query and fragment. @source api.md §2.4 step 6 */
export function addErrorToUrl(url: string, { message, type, status }: Refusal): string {
  const returnUrl = new URL(url)
  // Clients expect this code; the HTTP status of our responses differs.
  const code = type === 'user_oauth2_provider_error' ? 424 : status
  returnUrl.searchParams.set('error', JSON.stringify({ message, type, code }))
  return returnUrl.href
}

// --- the account of a sign-in: the one linked to the identity, else the one with the same verified
// address, else a new one

export const GOOGLE = 'google'

export type GoogleProfile = Pick<ProviderProfile, 'sub' | 'email' | 'isEmailVerified' | 'name'>

/**
 * The account of a provider's user, with its row locked. The provider's id takes precedence; an
 * address counts only if the provider has verified it, and an account whose own address was never
 * verified loses its old credentials.
 *
 * @returns the user id
 * @throws Refusal `user_blocked`, `user_email_not_verified`, `user_count_exceeded` when
 *   registration is closed
 * @source threat-model.md §9, decision 0014
 */
export async function findOrAddAccount(
  tx: Database,
  { sub, email: providerEmail, isEmailVerified, name }: GoogleProfile,
  { now, ...site }: Pick<SiteSnapshot, 'isRegistrationOpen' | 'newRole'> & { now: Date },
): Promise<string> {
  const ownerId = await findIdentityOwner(tx, { provider: GOOGLE, sub })
  if (ownerId !== undefined) {
    await lockUnblockedUser(tx, ownerId, signInEnded)
    const use = {
      provider: GOOGLE,
      sub,
      userId: ownerId,
      email: tryParseEmail(providerEmail) ?? '',
    }
    // The identity may have been revoked between the read and the lock.
    if (!(await recordIdentityUse(tx, use, now))) throw accountChanged()
    return ownerId
  }
  if (!isEmailVerified) throw new Refusal('user_email_not_verified')
  const email = parseEmail(providerEmail)
  const userWithAddress = await findUserByEmail(tx, providerEmail)
  const user = userWithAddress && (await lockUnblockedUser(tx, userWithAddress.id, signInEnded))
  if (!user && !site.isRegistrationOpen) throw new Refusal('user_count_exceeded')
  // Compared again, because the row is locked only now.
  if (user && parseEmail(user.email) !== email) throw accountChanged()
  if (user && !user.isVerified)
    await revokeAllCredentials(tx, user.id, { passwordHash: null, isAddressProven: true, now })
  const userId = user?.id ?? makeId(now.getTime())
  const newUser = { id: userId, email, name: toValidName(name), passwordHash: null }
  if (!user) await insertUser(tx, { ...makeUserRow(newUser, now, site), isVerified: 1 })
  await addIdentity(tx, { provider: GOOGLE, sub, userId, email }, now)
  return userId
}

const CHANGED = 'This account has just changed. Please try again.'
const ENDED = 'This sign-in has ended or was begun in another browser. Please start again.'
const accountChanged = () => new Refusal('user_oauth2_bad_request', CHANGED)
const signInEnded = () => new Refusal('user_oauth2_bad_request', ENDED)

/** Removes invalid characters from a name, which must not fail a sign-in. */
function toValidName(name: string): string {
  const plain = cleanLine(name.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
  return isVisible(plain) ? truncateAtGrapheme(plain, NAME_MAX_CHARS) : ''
}
