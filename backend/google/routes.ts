// HTTP of sign-in with Google (api.md §2.4): redirects there and back, the cookie that binds the
// answer to the browser, and getting a session's provider token anew.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidParam, Refusal } from '#contract/errors.ts'
import {
  OAUTH_SCOPE_MAX_CHARS,
  OAUTH_SCOPES_MAX,
  OAUTH_STATE_SECONDS,
  RATE,
} from '#contract/limits.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { makeSessionCookies } from '../accounts/session-cookies.ts'
import { readCookie, type TokenNames } from '../accounts/session-tokens.ts'
import { countPerAddress } from '../http/addresses.ts'
import { isRecord, readQueryList } from '../http/params.ts'
import { readReturnUrl } from '../http/return-urls.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { ProviderAnswer } from './google-provider.ts'
import { callbackPath, GOOGLE, type GoogleSignIn, withError } from './google-sign-in.ts'

type GoogleRoutesNeeds = Pick<Accounts, 'readSession'> & {
  google: GoogleSignIn
  publicUrl: string
  projectId: string
  allowedOrigins: readonly string[]
  tokenNames: TokenNames
  isHttps: boolean
  isCrossSite: boolean
}

const STARTING = { counts: countPerAddress('Google, start', RATE.googleStartPerAddress) }
const REFRESHING = {
  scope: 'account',
  counts: countPerAddress('refresh of a session', RATE.sessionRefreshPerAddress),
} as const
/** The project is in the path, and the answer may come as a form of the provider's page. */
const RETURNING = {
  counts: countPerAddress('Google, callback', RATE.googleCallbackPerAddress),
  isProjectless: true,
  isCallback: true,
}
/** Visible characters without quote and backslash (RFC 6749 §3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const ANSWER_PARAMS = ['code', 'state', 'error', 'iss'] as const
const FORM_MAX_BYTES = 16 * 1024

type ProviderParams = { Params: { provider: string; projectId: string } }

export function googleRoutes(needs: GoogleRoutesNeeds): Routes {
  const { google, publicUrl, allowedOrigins } = needs
  const sessionCookies = makeSessionCookies(needs)
  // Follows the session cookie's name, so that it too is bound to this host on https. Lax, also
  // where sessions are not: the answer is a visit of the address, never a request of a page.
  const name = needs.tokenNames.cookie.replace('a_session_', 'a_oauth_')
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: needs.isHttps } as const

  async function start(
    request: FastifyRequest<ProviderParams>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    checkProvider(request.params.provider)
    const query = isRecord(request.query) ? request.query : {}
    const wanted = readReturn(query, 'failure')
    const success = readReturn(query, 'success') ?? `${publicUrl}/auth/oauth2/success`
    const scopes = readScopes(query)
    try {
      const { url, browserSecret } = await google.start({ success, failure: wanted ?? '' }, scopes)
      reply.setCookie(name, browserSecret, { ...cookie, maxAge: OAUTH_STATE_SECONDS })
      return reply.redirect(url, 302)
    } catch (error) {
      if (wanted === undefined || !(error instanceof Refusal)) throw error
      return reply.redirect(withError(wanted, error), 302)
    }
  }

  /** @throws Refusal `general_argument_invalid`; nobody is sent anywhere then */
  function readReturn(query: Record<string, unknown>, param: string): string | undefined {
    const text = query[param]
    return text === undefined || text === ''
      ? undefined
      : readReturnUrl(param, typeof text === 'string' ? text : '', allowedOrigins)
  }

  async function finish(
    request: FastifyRequest<ProviderParams>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    checkCallback(request.params)
    const browserSecret = readCookie(request.headers.cookie, name)
    try {
      const { url, started } = await google.finish(
        readAnswer(request.query),
        browserSecret,
        sessionCookies.callerOf(request),
      )
      reply.clearCookie(name, cookie)
      if (started) sessionCookies.set(reply, started)
      return reply.redirect(url, 302)
    } catch (error) {
      // Without a known way back a person still gets a page that can be read.
      if (!(error instanceof Refusal) || !request.headers.accept?.includes('text/html')) throw error
      return reply.redirect(withError(`${publicUrl}/login`, error), 302)
    }
  }

  function checkCallback({ provider, projectId }: ProviderParams['Params']): void {
    if (projectId !== needs.projectId) throw new Refusal('project_not_found')
    checkProvider(provider)
  }

  return async (api) => {
    api.get<ProviderParams>('/account/sessions/oauth2/:provider', { config: STARTING }, start)
    api.get<ProviderParams>(
      '/account/sessions/oauth2/callback/:provider/:projectId',
      { config: RETURNING },
      finish,
    )
    api.patch<{ Params: { sessionId: string } }>(
      '/account/sessions/:sessionId',
      { config: REFRESHING },
      async ({ viewer, params }) => {
        await google.refresh(readUser(viewer), params.sessionId)
        return needs.readSession(readUser(viewer), params.sessionId)
      },
    )
    await api.register(async (scope) => {
      const options = { parseAs: 'string', bodyLimit: FORM_MAX_BYTES } as const
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        options,
        async (_request: FastifyRequest, text: string | Buffer) =>
          Object.fromEntries(new URLSearchParams(String(text))),
      )
      // A form of another site brings no cookies along; the visit that it is turned into does.
      scope.post<ProviderParams>(
        '/account/sessions/oauth2/callback/:provider/:projectId',
        { config: RETURNING },
        async (request, reply) => {
          checkCallback(request.params)
          const answer = new URLSearchParams(readAnswer(request.body))
          return reply.redirect(`${callbackPath(needs.projectId)}?${answer}`, 303)
        },
      )
    })
  }
}

function checkProvider(provider: string): void {
  if (provider !== GOOGLE) throw invalidParam('provider', `Value must be one of: ${GOOGLE}`)
}

function readScopes(query: unknown): string[] {
  const scopes = readQueryList(query, 'scopes') ?? []
  const isFine =
    scopes.length <= OAUTH_SCOPES_MAX &&
    scopes.every((scope) => scope.length <= OAUTH_SCOPE_MAX_CHARS && SCOPE.test(scope))
  if (!isFine)
    throw invalidParam(
      'scopes',
      `Value must be a list of at most ${OAUTH_SCOPES_MAX} scopes, each at most ${OAUTH_SCOPE_MAX_CHARS} chars`,
    )
  return scopes
}

function readAnswer(source: unknown): ProviderAnswer {
  const sent = isRecord(source) ? source : {}
  return Object.fromEntries(
    ANSWER_PARAMS.flatMap((param) =>
      typeof sent[param] === 'string' ? [[param, sent[param]]] : [],
    ),
  )
}
