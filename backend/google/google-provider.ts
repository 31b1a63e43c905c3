// The OpenID provider of "Sign in with Google": discovery, the authorization request, and its
// response, which is checked and exchanged for tokens. Independent of accounts. Texts sent by the
// provider or a browser are neither shown nor logged.
import * as openid from 'openid-client'
import { Refusal } from '#contract/errors.ts'
import { makeSecret, secondsAfter } from '../process/ids.ts'
import { cacheForSeconds } from '../process/single-flight.ts'
import type { GoogleConfig } from '../settings/read-settings.ts'

/** How long the provider may take to respond. */
const PROVIDER_TIMEOUT_SECONDS = 10
/** How long the provider's metadata is cached. */
const PROVIDER_METADATA_SECONDS = 24 * 60 * 60

/** Values that are stored between the authorization request and its response. */
export type AuthorizationChecks = { state: string; nonce: string; codeVerifier: string }

export type ProviderGrant = {
  accessToken: string
  /** Empty when the provider sends no expiry. */
  accessTokenExpiresAt: string
  /** Undefined when the provider sends none. */
  refreshToken: string | undefined
}

/** The user at the provider. `email` as the provider spells it, "" when it sends none. */
export type ProviderProfile = ProviderGrant & {
  sub: string
  email: string
  isEmailVerified: boolean
  name: string
}

/** The query of the callback. */
export type AuthorizationResponse = { code?: string; state?: string; error?: string; iss?: string }

export type GoogleProvider = ReturnType<typeof makeGoogleProvider>

/**
 * The standard scopes and Google's own, for providers that know only one of the two (api.md §2.4).
 */
const SCOPES = [
  'openid',
  'email',
  'profile',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
]
const GOOGLE_ISSUER = 'https://accounts.google.com'

type Tokens = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers

/** @param redirectUri the callback, exactly as registered at the provider */
export function makeGoogleProvider(
  { clientId, clientSecret, issuer }: GoogleConfig,
  { redirectUri, now }: { redirectUri: string; now: () => Date },
) {
  // The settings allow plain HTTP only for this host, and never in production.
  const execute = [openid.enableNonRepudiationChecks]
  if (/^http:/i.test(issuer)) execute.push(openid.allowInsecureRequests)
  const options = { execute, timeout: PROVIDER_TIMEOUT_SECONDS }
  /** Fetches the provider's metadata, at most once a day unless it fails. */
  const discover = cacheForSeconds(
    () => openid.discovery(new URL(issuer), clientId, clientSecret, undefined, options),
    { seconds: PROVIDER_METADATA_SECONDS },
  )

  return {
    /** @throws Refusal `user_oauth2_provider_error` when the provider cannot be reached */
    async startAuthorization(scopes: readonly string[]) {
      const config = await discover().catch(refuse)
      const state = makeSecret()
      const nonce = makeSecret()
      const codeVerifier = openid.randomPKCECodeVerifier()
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: [...new Set([...SCOPES, ...scopes])].join(' '),
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { state, nonce, codeVerifier, url: url.href }
    },

    /**
     * Exchanges the response for tokens, and checks state, nonce, PKCE, issuer, audience and
     * signature.
     *
     * @throws Refusal `user_oauth2_provider_error`, `user_oauth2_bad_request`,
     *   `user_oauth2_unauthorized`
     */
    async finishAuthorization(response: AuthorizationResponse, checks: AuthorizationChecks) {
      requireCode(response)
      const url = new URL(`${redirectUri}?${new URLSearchParams(response)}`)
      try {
        return await readProfile(await discover(), url, checks, now())
      } catch (error) {
        return refuse(error)
      }
    },

    /**
     * Exchanges a refresh token for a new access token.
     *
     * @param sub the id of the user at the provider
     * @throws as `finishAuthorization`
     */
    async refresh(refreshToken: string, sub: string): Promise<ProviderGrant> {
      try {
        const tokens = await openid.refreshTokenGrant(await discover(), refreshToken)
        if ((tokens.claims()?.sub ?? sub) !== sub)
          throw new Error('The provider sent tokens of another user')
        return toGrant(tokens, now())
      } catch (error) {
        return refuse(error)
      }
    },

    /**
     * The userinfo endpoint of the provider; undefined for Google itself, whose endpoint is known.
     *
     * @throws Refusal `user_oauth2_provider_error`
     */
    async findUserinfoUrl(): Promise<string | undefined> {
      if (issuer === GOOGLE_ISSUER) return undefined
      return (await discover().catch(refuse)).serverMetadata().userinfo_endpoint
    },
  }
}

async function readProfile(
  config: openid.Configuration,
  url: URL,
  { state, nonce, codeVerifier }: AuthorizationChecks,
  now: Date,
): Promise<ProviderProfile> {
  const tokens = await openid.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('The provider sent no ID token')
  // Throws if the userinfo is not about the user of the signed ID token.
  const profile = await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
  return {
    sub: profile.sub,
    email: profile.email ?? '',
    isEmailVerified: profile.email_verified === true,
    name: profile.name ?? '',
    ...toGrant(tokens, now),
  }
}

function requireCode({ error, code }: AuthorizationResponse): void {
  if (error === undefined && code !== undefined) return
  const message = error === 'access_denied' ? 'The sign-in was cancelled.' : undefined
  throw new Refusal('user_oauth2_provider_error', message, { cause: error })
}

function toGrant(tokens: Tokens, now: Date): ProviderGrant {
  const seconds = tokens.expiresIn()
  return {
    accessToken: tokens.access_token,
    accessTokenExpiresAt: seconds === undefined ? '' : secondsAfter(now, seconds),
    refreshToken: tokens.refresh_token,
  }
}

/** Throws with the code of the failure only: the provider's response may contain secrets. */
function refuse(error: unknown): never {
  if (error instanceof openid.ResponseBodyError) {
    const types = { 400: 'user_oauth2_bad_request', 401: 'user_oauth2_unauthorized' } as const
    const type = types[error.status as keyof typeof types] ?? 'user_oauth2_provider_error'
    throw new Refusal(type, undefined, { cause: error.error })
  }
  const { code, name } = error as Error & { code?: unknown }
  throw new Refusal('user_oauth2_provider_error', undefined, { cause: String(code ?? name) })
}
