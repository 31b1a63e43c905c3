// HTTP routes for sign-in with Google (api.md §2.4): the redirects, the cookie that binds the
// response to the browser, and refreshing a session's provider token.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Session } from '#contract/accounts.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { readOwnSession } from '../accounts/sessions.ts'
import { call, NO_BODY } from '../http/openapi.ts'
import { countPerAddress, limited, limitedAccount } from '../http/rate-limits.ts'
import { findQueryList, isRecord } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { cookieName, makeCookie, originsFor, readReturnUrl, readUser } from '../http/viewer.ts'
import type { GoogleContext } from './context.ts'
import type { AuthorizationResponse } from './google-provider.ts'
import {
  addErrorToUrl,
  finishGoogleSignIn,
  GOOGLE,
  OAUTH_STATE_SECONDS,
  refreshProviderToken,
  startGoogleSignIn,
} from './google-sign-in.ts'

const OAUTH_SCOPES_MAX = 100
const OAUTH_SCOPE_MAX_CHARS = 4096
const countCallbacks = countPerAddress('Google, callback', RATE.googleCallbackPerAddress)
const countStarts = countPerAddress('Google, start', RATE.googleStartPerAddress)
const STARTING = call(limited(countStarts), 'Signs in with Google', {
  querystring: Type.Object({
    success: Type.Optional(Type.String()),
    failure: Type.Optional(Type.String()),
    scopes: Type.Optional(Type.Array(Type.String())),
  }),
  302: NO_BODY,
  refusals: ['project_provider_disabled'],
})
const REFRESHING = call(
  limitedAccount(countPerAddress('refresh of a session', RATE.sessionRefreshPerAddress)),
  'Renews the token of the provider',
  { 200: Session, refusals: ['project_provider_disabled', 'project_provider_unsupported'] },
)
/** The project is in the path, and the provider's page may post the response as a form. */
const CALLBACK = { config: { counts: countCallbacks, isProjectless: true, isCallback: true } }
const CALLBACK_REFUSALS = [
  'user_oauth2_bad_request',
  'user_oauth2_unauthorized',
  'user_oauth2_provider_error',
] as const
const CALLBACK_PATH = '/account/sessions/oauth2/callback/:provider/:projectId'
const SCOPES_RULE = `Value must be a list of at most ${OAUTH_SCOPES_MAX} scopes, each at most ${OAUTH_SCOPE_MAX_CHARS} chars`
/** Visible characters without quote and backslash (RFC 6749 §3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const RESPONSE_PARAMS = ['code', 'state', 'error', 'iss'] as const
const FORM_MAX_BYTES = 16 * 1024

type Params = { Params: { provider: string; projectId: string; sessionId: string } }

/**
 * The redirect URI, which has to be registered at the provider.
 * @source api.md §2.4
 */
export function callbackPath(projectId: string): string {
  return `/v1/account/sessions/oauth2/callback/${GOOGLE}/${projectId}`
}

export function googleRoutes(context: GoogleContext): Routes {
  const { projectId, publicUrl, isHttps, cookies } = context
  // Binds the response to the browser of the request. Always SameSite=Lax, even if session cookies
  // are not: the response is a navigation, never a call of a page.
  const site = { publicUrl, isHttps, isCrossSite: false }
  const browserCookie = makeCookie(cookieName(`a_oauth_${projectId.toLowerCase()}`, site), site)

  return async (api) => {
    for (const result of ['sessions', 'tokens'])
      api.get<Params>(`/account/${result}/oauth2/:provider`, STARTING, async (request, reply) => {
        checkProvider(request.params.provider)
        const query = isRecord(request.query) ? request.query : {}
        const origins = originsFor(request.headers.host, context)
        const failure = readReturnParam(origins, query, 'failure')
        const success =
          readReturnParam(origins, query, 'success') ?? `${publicUrl}/auth/oauth2/success`
        const scopes = readScopes(query)
        try {
          const options = { success, failure: failure ?? '', isForToken: result === 'tokens' }
          const { url, browserSecret } = await startGoogleSignIn(context, options, scopes)
          browserCookie.set(reply, browserSecret, { maxAge: OAUTH_STATE_SECONDS })
          return reply.redirect(url, 302)
        } catch (error) {
          if (failure === undefined || !(error instanceof Refusal)) throw error
          return reply.redirect(addErrorToUrl(failure, error), 302)
        }
      })
    const returning = call(CALLBACK, 'The way back from Google', {
      302: NO_BODY,
      refusals: CALLBACK_REFUSALS,
    })
    api.get<Params>(CALLBACK_PATH, returning, async (request, reply) => {
      checkCallback(context, request.params)
      const browserSecret = browserCookie.find(request)
      const params = pickResponseParams(request.query)
      const caller = cookies.callerOf(request)
      try {
        const { url, started } = await finishGoogleSignIn(context, params, browserSecret, caller)
        browserCookie.clear(reply)
        if (started) cookies.set(reply, started)
        return reply.redirect(url, 302)
      } catch (error) {
        // Without a known return URL, browsers get the sign-in page with the error.
        if (!(error instanceof Refusal) || !request.headers.accept?.includes('text/html'))
          throw error
        return reply.redirect(addErrorToUrl(`${publicUrl}/login`, error), 302)
      }
    })
    await api.register((scope) => addFormCallback(scope, context))
    const path = '/account/sessions/:sessionId'
    api.patch<Params>(path, REFRESHING, async ({ viewer, params: { sessionId } }) => {
      await refreshProviderToken(context, readUser(viewer), sessionId)
      return readOwnSession(context, readUser(viewer), sessionId)
    })
  }
}

/**
 * Some providers respond with a form that the browser posts. A form of another site sends no
 * cookies, but the redirected GET does.
 */
async function addFormCallback(api: FastifyInstance, context: GoogleContext): Promise<void> {
  const readForm = async (_request: FastifyRequest, text: string | Buffer) =>
    Object.fromEntries(new URLSearchParams(String(text)))
  api.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, readForm)
  const formCallback = call(
    { ...CALLBACK, bodyLimit: FORM_MAX_BYTES },
    'The way back from Google by a form',
    { 303: NO_BODY, refusals: CALLBACK_REFUSALS },
  )
  api.post<Params>(CALLBACK_PATH, formCallback, async (request, reply) => {
    checkCallback(context, request.params)
    const params = new URLSearchParams(pickResponseParams(request.body))
    return reply.redirect(`${callbackPath(context.projectId)}?${params}`, 303)
  })
}

/** @throws Refusal `project_not_found`, `general_argument_invalid` */
function checkCallback(context: GoogleContext, { provider, projectId }: Params['Params']) {
  if (projectId !== context.projectId) throw new Refusal('project_not_found')
  checkProvider(provider)
}

/** @throws Refusal `general_argument_invalid` */
function checkProvider(provider: string): void {
  if (provider !== GOOGLE) throw invalidParam('provider', `Value must be one of: ${GOOGLE}`)
}

/** @throws Refusal `general_argument_invalid` */
function readReturnParam(
  origins: readonly string[],
  query: Record<string, unknown>,
  param: string,
) {
  const text = query[param]
  if (text === undefined || text === '') return undefined
  return readReturnUrl(param, typeof text === 'string' ? text : '', origins)
}

/** @throws Refusal `general_argument_invalid` */
function readScopes(query: unknown): string[] {
  const scopes = findQueryList(query, 'scopes') ?? []
  const isValid = (scope: string) => scope.length <= OAUTH_SCOPE_MAX_CHARS && SCOPE.test(scope)
  if (scopes.length > OAUTH_SCOPES_MAX || !scopes.every(isValid))
    throw invalidParam('scopes', SCOPES_RULE)
  return scopes
}

function pickResponseParams(source: unknown): AuthorizationResponse {
  const values = isRecord(source) ? source : {}
  const params = RESPONSE_PARAMS.filter((param) => typeof values[param] === 'string')
  return Object.fromEntries(params.map((param) => [param, values[param]]))
}
