// Signing in with Google: leaving, coming back, and whose account it is. Knows no HTTP; the
// provider is in google-provider.ts.
import { Refusal } from '#contract/errors.ts'
import { NAME_MAX_CHARS, OAUTH_STATE_SECONDS } from '#contract/limits.ts'
import { revokeAllCredentials } from '../accounts/credentials.ts'
import type { AccountsNeeds, Caller } from '../accounts/needs.ts'
import { makeUserRow } from '../accounts/new-user.ts'
import { readEmail } from '../accounts/personal-details.ts'
import { addSession, readSessionRow, type SessionTokens } from '../accounts/sessions.ts'
import * as store from '../accounts/user-store.ts'
import type { GoogleConfig } from '../config.ts'
import { isUniqueFault } from '../database/faults.ts'
import { lockUser } from '../database/lock-user.ts'
import type { Database, SessionRow, UserRow } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { hashSecret, makeId, makeSecret } from '../process/ids.ts'
import {
  makeGoogleProvider,
  type ProviderAnswer,
  type ProviderGrant,
  type ProviderPerson,
} from './google-provider.ts'
import * as googleStore from './google-store.ts'
import type { ProviderTokens } from './provider-tokens.ts'

export const GOOGLE = 'google'

type Started = { session: SessionRow; token: string }

/** `failure` is "" when the caller named none; both were checked. */
export type WayBack = { success: string; failure: string }

export type GoogleSignIn = {
  /**
   * @returns where the browser goes, and the secret that binds the answer to it
   * @throws Refusal `project_provider_disabled`, `user_oauth2_provider_error`
   */
  start(
    wayBack: WayBack,
    scopes: readonly string[],
  ): Promise<{ url: string; browserSecret: string }>
  /**
   * @returns where the browser goes: with a session, or with what went wrong
   * @throws Refusal when no way back is known: the state is unknown, used, or another browser's
   */
  finish(
    answer: ProviderAnswer,
    browserSecret: string | undefined,
    caller: Caller,
  ): Promise<{ url: string; started: Started | undefined }>
  /**
   * Gets the provider's access token of one of the viewer's sessions anew.
   *
   * @param sessionId or `current`
   * @throws Refusal `user_session_not_found`; `project_provider_unsupported` when the session did
   *   not begin at the provider, or the provider gave nothing to refresh it with;
   *   `project_provider_disabled`; as the provider refuses
   * @source api.md §2.2
   */
  refresh(viewer: UserViewer, sessionId: string): Promise<void>
  /**
   * Where somebody's userinfo is to be had; undefined for Google itself, whose address is well
   * known, and when it can't be found out.
   */
  findUserinfoUrl(): Promise<string | undefined>
}

export type GoogleNeeds = Pick<
  AccountsNeeds,
  'db' | 'background' | 'log' | 'projectId' | 'publicUrl' | 'now'
> & {
  google: GoogleConfig | undefined
  isRegistrationOpen: boolean
  providerTokens: ProviderTokens
}

const GOOGLE_ISSUER = 'https://accounts.google.com'

/**
 * The one address at which the provider's answers arrive; to be registered there.
 * @source api.md §2.4
 */
export function callbackPath(projectId: string): string {
  return `/v1/account/sessions/oauth2/callback/${GOOGLE}/${projectId}`
}

export function makeGoogleSignIn({
  db,
  background,
  log,
  now,
  providerTokens,
  ...needs
}: GoogleNeeds): GoogleSignIn {
  const redirectUri = needs.publicUrl + callbackPath(needs.projectId)
  const provider = needs.google && makeGoogleProvider(needs.google, { redirectUri, now })

  return {
    async start({ success, failure }, scopes) {
      if (!provider) throw new Refusal('project_provider_disabled')
      const { url, state, nonce, codeVerifier } = await provider.depart(scopes)
      const browserSecret = makeSecret()
      const at = now()
      await googleStore.deleteStatesBefore(db, at.toISOString())
      await googleStore.insertState(db, {
        stateHash: hashSecret(state),
        browserHash: hashSecret(browserSecret),
        nonce,
        codeVerifier,
        successUrl: success,
        failureUrl: failure,
        expiresAt: new Date(at.getTime() + OAUTH_STATE_SECONDS * 1000).toISOString(),
      })
      return { url, browserSecret }
    },

    async finish(answer, browserSecret, caller) {
      if (!provider) throw new Refusal('project_provider_disabled')
      const { state = '' } = answer
      const known = await googleStore.takeState(db, {
        stateHash: hashSecret(state),
        browserHash: hashSecret(browserSecret ?? ''),
      })
      if (!known) throw noteFailure(lapsed(), caller)
      try {
        if (known.expiresAt <= now().toISOString()) throw lapsed()
        const person = await provider.arrive(answer, {
          state,
          nonce: known.nonce,
          codeVerifier: known.codeVerifier,
        })
        return { url: known.successUrl, started: await signIn(person, caller) }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        noteFailure(error, caller)
        if (!known.failureUrl) throw error
        return { url: withError(known.failureUrl, error), started: undefined }
      }
    },

    async refresh(viewer, sessionId) {
      const row = await readSessionRow(db, viewer, sessionId, now())
      const refreshToken = providerTokens.open(row.providerRefreshToken, row.userId)
      if (row.provider !== GOOGLE || refreshToken === undefined)
        throw new Refusal('project_provider_unsupported')
      if (!provider) throw new Refusal('project_provider_disabled')
      const grant = await provider.refresh(refreshToken, row.providerUid)
      // A provider that sends no new one goes on taking the old one.
      const isThere = await googleStore.setSessionTokens(
        db,
        row.id,
        sealGrant({ ...grant, refreshToken: grant.refreshToken ?? refreshToken }, row.userId),
      )
      if (!isThere) throw new Refusal('user_session_not_found')
    },

    async findUserinfoUrl() {
      if (!provider || needs.google?.issuer === GOOGLE_ISSUER) return undefined
      return provider.findUserinfoUrl().catch(() => undefined)
    },
  }

  function noteFailure(refusal: Refusal, { requestId, address }: Caller): Refusal {
    const { type, cause } = refusal
    log.warn(
      {
        event: 'sign-in failed',
        provider: GOOGLE,
        type,
        reason: typeof cause === 'string' ? cause : undefined,
        requestId,
        address,
      },
      'sign-in failed',
    )
    return refusal
  }

  async function signIn(person: ProviderPerson, caller: Caller): Promise<Started> {
    const attempt = () => inTransaction(db, background, (tx) => signInWithin(tx, person, caller))
    // The same person came back twice at once, or signed up meanwhile: the second look finds what
    // the other made.
    const started = await attempt().catch((error: unknown) => {
      if (isUniqueFault(error)) return attempt()
      throw error
    })
    log.info(
      {
        event: 'sign-in',
        provider: GOOGLE,
        requestId: caller.requestId,
        userId: started.session.userId,
        address: caller.address,
      },
      'signed in',
    )
    return started
  }

  async function signInWithin(
    tx: Database,
    person: ProviderPerson,
    caller: Caller,
  ): Promise<Started> {
    const at = now()
    const userId = await findAccount(tx, person, at)
    const session = {
      userId,
      provider: GOOGLE,
      providerUid: person.sub,
      ...sealGrant(person, userId),
    }
    return addSession(tx, session, { caller, now: at })
  }

  function sealGrant(
    { accessToken, accessTokenExpiresAt, refreshToken }: ProviderGrant,
    userId: string,
  ): SessionTokens {
    return {
      providerAccessToken: providerTokens.seal(accessToken, userId),
      providerAccessTokenExpiresAt: accessTokenExpiresAt?.toISOString() ?? '',
      providerRefreshToken:
        refreshToken === undefined ? '' : providerTokens.seal(refreshToken, userId),
    }
  }

  /**
   * The account that this person signs in to; its row is held. The provider's own id counts first;
   * an address only when the provider has verified it, and an account whose own address nobody has
   * proven is handed over without its old keys.
   *
   * @throws Refusal `user_blocked`, `user_email_not_verified`, `user_count_exceeded` when
   *   registration is closed
   * @source threat-model.md §9, decision 0014
   */
  async function findAccount(
    tx: Database,
    { sub, ...person }: ProviderPerson,
    at: Date,
  ): Promise<string> {
    const time = at.toISOString()
    const ownerId = await googleStore.findIdentityOwner(tx, { provider: GOOGLE, sub })
    if (ownerId !== undefined) return readHeld(await lockUser(tx, ownerId)).id
    if (!person.isEmailVerified) throw new Refusal('user_email_not_verified')
    const email = readEmail(person.email)
    const sameAddress = await store.findUserByEmail(tx, email)
    const known = sameAddress && readHeld(await lockUser(tx, sameAddress.id))
    if (!known && !needs.isRegistrationOpen) throw new Refusal('user_count_exceeded')
    // Looked at again now that nobody else can change it.
    if (known && known.email !== email)
      throw new Refusal(
        'user_oauth2_bad_request',
        'This account has just changed. Please try again.',
      )
    if (known && !known.isVerified) await revokeAllCredentials(tx, known.id, time)
    const userId = known?.id ?? (await addUser(tx, { email, name: cleanName(person.name) }, at))
    await googleStore.insertIdentity(tx, { provider: GOOGLE, sub, userId, createdAt: time })
    return userId
  }
}

/** @throws Refusal `user_blocked`, or as for an unknown way back when the account has just gone */
function readHeld(user: UserRow | undefined): UserRow {
  if (!user) throw lapsed()
  if (user.isBlocked) throw new Refusal('user_blocked')
  return user
}

/** @param person whose address the provider has verified */
async function addUser(
  tx: Database,
  person: { email: string; name: string },
  at: Date,
): Promise<string> {
  const id = makeId(at.getTime())
  await store.insertUser(tx, {
    ...makeUserRow({ ...person, id, passwordHash: null }, at),
    isVerified: 1,
  })
  return id
}

function lapsed(): Refusal {
  return new Refusal(
    'user_oauth2_bad_request',
    'This sign-in has ended or was begun in another browser. Please start again.',
  )
}

/** A name is nothing to refuse a sign-in for: what does not belong in one goes. */
function cleanName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...plain].slice(0, NAME_MAX_CHARS).join('').slice(0, NAME_MAX_CHARS).toWellFormed()
}

/**
 * In the JSON the code is the one that clients know, whatever status an answer of ours may have.
 */
const NOMINAL_CODES: Partial<Record<Refusal['type'], number>> = { user_oauth2_provider_error: 424 }

/** @param url checked before. Its query and fragment are kept. @source api.md §2.4 step 6 */
export function withError(url: string, { message, type, status }: Refusal): string {
  const back = new URL(url)
  back.searchParams.set(
    'error',
    JSON.stringify({ message, type, code: NOMINAL_CODES[type] ?? status }),
  )
  return back.href
}
