// Signing in with Google: the authorization request, its answer, and refreshing the provider's
// tokens. Knows no HTTP; the provider is in google-provider.ts.

import { Refusal } from '#contract/errors.ts'
import { OAUTH_STATE_SECONDS } from '#contract/limits.ts'
import type { Caller } from '../accounts/caller.ts'
import type { StartedSession } from '../accounts/find-viewer.ts'
import { addSession, type ProviderTokenColumns, readSessionRow } from '../accounts/sessions.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Live } from '../database/live.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { issueToken } from '../mail-links/mailed-tokens.ts'
import { hashSecret, makeSecret } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import { findOrAddAccount, GOOGLE, signInEnded } from './google-accounts.ts'
import type {
  AuthorizationAnswer,
  GoogleProvider,
  ProviderGrant,
  ProviderProfile,
} from './google-provider.ts'
import type { ProviderTokens } from './provider-tokens.ts'
import * as store from './store.ts'

/** Where the browser goes in the end; `failure` is "" when the caller named none. Both checked. */
export type ReturnUrls = { success: string; failure: string }

export type GoogleNeeds = Live & {
  /** Undefined when sign-in with Google is not set up. */
  googleProvider: GoogleProvider | undefined
  providerTokens: ProviderTokens
  isRegistrationOpen: boolean
}

/**
 * @param asked `isForToken` when `success` is to get a token, for a program to sign in with
 * @returns where the browser goes, and the secret that binds the answer to it
 * @throws Refusal `project_provider_disabled`, `user_oauth2_provider_error`
 */
export async function startGoogleSignIn(
  needs: Pick<GoogleNeeds, 'db' | 'googleProvider' | 'now'>,
  { returnUrls, isForToken }: { returnUrls: ReturnUrls; isForToken: boolean },
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
    successUrl: returnUrls.success,
    failureUrl: returnUrls.failure,
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
