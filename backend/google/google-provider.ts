// Talks to the OpenID provider behind "Sign in with Google": discovery, the way there, the answer
// checked and traded in. Knows no account and no store. Nothing the provider or a browser sends
// reaches a person's eyes or the log as it came.
import * as openid from 'openid-client'
import { Refusal } from '#contract/errors.ts'
import { PROVIDER_METADATA_SECONDS, PROVIDER_TIMEOUT_SECONDS } from '#contract/limits.ts'
import type { GoogleConfig } from '../config.ts'
import { makeSecret } from '../process/ids.ts'

/** What has to be kept between leaving for the provider and coming back. */
export type Departure = { state: string; nonce: string; codeVerifier: string }

export type ProviderGrant = {
  accessToken: string
  /** Undefined when the provider does not say. */
  accessTokenExpiresAt: Date | undefined
  /** Undefined when the provider gave none. */
  refreshToken: string | undefined
}

/** Whom the provider vouches for. `email` as the provider spells it, "" when it tells none. */
export type ProviderPerson = ProviderGrant & {
  sub: string
  email: string
  isEmailVerified: boolean
  name: string
}

/** The query with which a browser comes back. */
export type ProviderAnswer = { code?: string; state?: string; error?: string; iss?: string }

export type GoogleProvider = {
  /** @throws Refusal `user_oauth2_provider_error` when the provider cannot be reached */
  depart(scopes: readonly string[]): Promise<Departure & { url: string }>
  /**
   * Trades the answer in: state, nonce, PKCE, issuer, audience and signature are checked.
   *
   * @throws Refusal `user_oauth2_provider_error`, `user_oauth2_bad_request`,
   *   `user_oauth2_unauthorized`
   */
  arrive(answer: ProviderAnswer, departure: Departure): Promise<ProviderPerson>
  /**
   * Trades a refresh token in for a new access token.
   *
   * @param sub whose it is
   * @throws as `arrive`
   */
  refresh(refreshToken: string, sub: string): Promise<ProviderGrant>
  /**
   * Where the provider says who a token belongs to.
   * @throws Refusal `user_oauth2_provider_error`
   */
  findUserinfoUrl(): Promise<string | undefined>
}

/**
 * Google's own names beside the standard ones, for providers that know only one of the two (api.md
 * §2.4).
 */
const SCOPES = [
  'openid',
  'email',
  'profile',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
]

/** @param redirectUri the callback, exactly as registered at the provider */
export function makeGoogleProvider(
  { clientId, clientSecret, issuer }: GoogleConfig,
  { redirectUri, now }: { redirectUri: string; now: () => Date },
) {
  let known: { found: Promise<openid.Configuration>; untilMs: number } | undefined

  /** Asked again after a day, and after a failure. */
  function discover(): Promise<openid.Configuration> {
    if (known && known.untilMs > now().getTime()) return known.found
    // The settings let plain HTTP through only to this machine, and never in production.
    const isPlainHttp = new URL(issuer).protocol === 'http:'
    const execute = [
      openid.enableNonRepudiationChecks,
      ...(isPlainHttp ? [openid.allowInsecureRequests] : []),
    ]
    const found = openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: PROVIDER_TIMEOUT_SECONDS,
    })
    known = { found, untilMs: now().getTime() + PROVIDER_METADATA_SECONDS * 1000 }
    found.catch(() => {
      known = undefined
    })
    return found
  }

  function toGrant(
    tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
  ): ProviderGrant {
    const lifeSeconds = tokens.expiresIn()
    return {
      accessToken: tokens.access_token,
      accessTokenExpiresAt:
        lifeSeconds === undefined ? undefined : new Date(now().getTime() + lifeSeconds * 1000),
      refreshToken: tokens.refresh_token,
    }
  }

  const provider: GoogleProvider = {
    async depart(scopes) {
      const config = await discover().catch(refuse)
      const [state, nonce, codeVerifier] = [
        makeSecret(),
        makeSecret(),
        openid.randomPKCECodeVerifier(),
      ]
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
    async arrive(answer, { state, nonce, codeVerifier }) {
      if (answer.error !== undefined || answer.code === undefined) {
        const isCancelled = answer.error === 'access_denied'
        throw new Refusal(
          'user_oauth2_provider_error',
          isCancelled ? 'The sign-in was cancelled.' : undefined,
          { cause: answer.error },
        )
      }
      try {
        const config = await discover()
        const url = new URL(redirectUri)
        for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
        const tokens = await openid.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('The provider sent no ID token')
        // The userinfo answer is believed only for the person that the signed ID token names.
        const person = await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
        return {
          sub: person.sub,
          email: person.email ?? '',
          isEmailVerified: person.email_verified === true,
          name: person.name ?? '',
          ...toGrant(tokens),
        }
      } catch (error) {
        return refuse(error)
      }
    },
    async refresh(refreshToken, sub) {
      try {
        const tokens = await openid.refreshTokenGrant(await discover(), refreshToken)
        if ((tokens.claims()?.sub ?? sub) !== sub)
          throw new Error('The provider sent tokens of somebody else')
        return toGrant(tokens)
      } catch (error) {
        return refuse(error)
      }
    },
    async findUserinfoUrl() {
      const config = await discover().catch(refuse)
      return config.serverMetadata().userinfo_endpoint
    },
  }
  return provider
}

/** Says only how the provider failed: what it sent may hold secrets. */
function refuse(error: unknown): never {
  if (error instanceof openid.ResponseBodyError) {
    const type =
      error.status === 401
        ? 'user_oauth2_unauthorized'
        : error.status === 400
          ? 'user_oauth2_bad_request'
          : 'user_oauth2_provider_error'
    throw new Refusal(type, undefined, { cause: error.error })
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  throw new Refusal('user_oauth2_provider_error', undefined, {
    cause: code || (error instanceof Error ? error.name : 'unknown'),
  })
}
