// HTTP of mailed links and codes (api.md §2.2, §2.3, §12): old and newer spellings of the same
// calls.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { TSchema } from 'typebox'
import * as accounts from '#contract/accounts.ts'
import { Refusal, type RefusalType } from '#contract/errors.ts'
import { ID_MAX_CHARS } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { toSession } from '../accounts/serialisers.ts'
import { call } from '../http/openapi.ts'
import {
  type Counting,
  countPerAddress,
  countPerUser,
  limited,
  limitedAccount,
  networkOf,
} from '../http/rate-limits.ts'
import { isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import { findEmail } from '../mail/addresses.ts'
import {
  finishMagicUrl,
  finishRecovery,
  finishVerification,
  startEmailCode,
  startMagicUrl,
  startRecovery,
  startVerification,
} from './mail-links.ts'

const countSecret = guessCounts('magic-url')
const countAddress = countPerAddress('sign-in by token, address', RATE.signInTokenPerAddress)

const RECOVERING = limited(mailRequestCounts('recovery'))
const ASKING_MAGIC_URL = limited(mailRequestCounts('magic-url'))
const ASKING_CODE = limited(mailRequestCounts('e-mail code'))
const ASKING_VERIFICATION = limitedAccount(
  countPerUser('verification, user', RATE.verificationPerUser),
)
const SETTING_PASSWORD = limited(guessCounts('recovery'))
const VERIFYING = limited(guessCounts('verification'))
/** An attacker may name another user, or another request of their own, each time. */
const SIGNING_IN = limited((request) => [...countSecret(request), ...countAddress(request)])

export function mailLinkRoutes(context: AccountsContext): Routes {
  return (api) => {
    /** @throws Refusal `general_smtp_disabled` */
    const ask: Ask = (path, options, answer) =>
      api.post(path, options, async (request, reply) => {
        if (context.mailer.delivery === 'off') throw new Refusal('general_smtp_disabled')
        return reply.code(201).send(await answer(request))
      })
    addRecoveryRoutes(api, context, ask)
    addVerificationRoutes(api, context, ask)
    addSignInRoutes(api, context, ask)
  }
}

/** Adds a call that sends a mail. */
type Ask = (
  path: string,
  options: RouteShorthandOptions,
  answer: (request: FastifyRequest) => Promise<accounts.Token>,
) => void

function addRecoveryRoutes(api: FastifyInstance, context: AccountsContext, ask: Ask): void {
  const { callerOf } = context.cookies
  ask(
    '/account/recovery',
    asks(RECOVERING, 'Mails a link for a new password', accounts.NewRecovery),
    (request) =>
      startRecovery(context, readParams(accounts.NewRecovery, request.body), callerOf(request)),
  )
  const settingPassword = call(SETTING_PASSWORD, 'Sets the password', {
    body: accounts.FinishedRecovery,
    200: accounts.Token,
    refusals: ['user_invalid_token', 'password_personal_data', 'user_password_mismatch'],
  })
  api.put('/account/recovery', settingPassword, async (request, reply) =>
    finishRecovery(
      context,
      readParams(accounts.FinishedRecovery, request.body),
      callerOf(request, reply),
    ),
  )
}

function addVerificationRoutes(api: FastifyInstance, context: AccountsContext, ask: Ask): void {
  const { callerOf } = context.cookies
  for (const path of ['/account/verification', '/account/verifications/email']) {
    ask(
      path,
      asks(
        ASKING_VERIFICATION,
        'Mails a link that verifies the address',
        accounts.NewVerification,
        'user_email_alread_verified',
      ),
      async (request) => {
        const viewer = readUser(request.viewer)
        const { url } = readParams(accounts.NewVerification, request.body)
        return startVerification(context, viewer, url, callerOf(request))
      },
    )
    const verifying = call(VERIFYING, 'Verifies the address', {
      body: accounts.MailedSecret,
      200: accounts.Token,
      refusals: ['user_invalid_token'],
    })
    api.put(path, verifying, async (request) =>
      finishVerification(
        context,
        readParams(accounts.MailedSecret, request.body),
        callerOf(request),
      ),
    )
  }
}

function addSignInRoutes(api: FastifyInstance, context: AccountsContext, ask: Ask): void {
  const { cookies } = context
  const { callerOf } = cookies
  const askLink = (request: FastifyRequest) =>
    startMagicUrl(context, readParams(accounts.NewMagicUrl, request.body), callerOf(request))
  const askingLink = asks(ASKING_MAGIC_URL, 'Mails a link that signs in', accounts.NewMagicUrl)
  ask('/account/sessions/magic-url', askingLink, askLink)
  // The newer spelling has a phrase for the user to compare; a link needs none.
  ask('/account/tokens/magic-url', askingLink, async (request) => ({
    ...(await askLink(request)),
    phrase: '',
  }))
  ask(
    '/account/tokens/email',
    asks(ASKING_CODE, 'Mails a code that signs in', accounts.NewEmailCode),
    (request) =>
      startEmailCode(context, readParams(accounts.NewEmailCode, request.body), callerOf(request)),
  )
  const finish = async (request: FastifyRequest, reply: FastifyReply) => {
    const sent = readParams(accounts.MailedSecret, request.body)
    const signedIn = await finishMagicUrl(context, sent, callerOf(request))
    cookies.set(reply, signedIn)
    return reply.code(201).send(toSession(signedIn.session, signedIn.session.id))
  }
  const signingIn = call(SIGNING_IN, 'Signs in with the secret of a link, a code or a token', {
    body: accounts.MailedSecret,
    201: accounts.Session,
    refusals: ['user_invalid_token'],
  })
  api.put('/account/sessions/magic-url', signingIn, finish)
  api.post('/account/sessions/token', signingIn, finish)
}

/** A call that sends a mail. */
function asks(
  options: RouteShorthandOptions,
  summary: string,
  body: TSchema,
  ...refusals: RefusalType[]
) {
  return call(options, summary, {
    body,
    201: accounts.Token,
    refusals: ['general_smtp_disabled', ...refusals],
  })
}

/** Requests for a mail: counted by e-mail address, in its normal form, and by network. */
function mailRequestCounts(name: string): Counting {
  return ({ body, ip }) => {
    const key = findEmail(textOf(body, 'email'))
    const rule = RATE.mailRequestPerEmail
    return [
      ...(key ? [{ name: `${name}, e-mail`, rule, key, isOfTarget: true as const }] : []),
      { name: `${name}, address`, rule: RATE.mailRequestPerAddress, key: networkOf(ip) },
    ]
  }
}

/** Guesses of a secret: counted for one user, wherever they come from. */
function guessCounts(name: string): Counting {
  return ({ body }) => [
    {
      name: `${name}, secret`,
      rule: RATE.mailSecretPerTargetUser,
      key: textOf(body, 'userId').slice(0, ID_MAX_CHARS),
      isOfTarget: true,
    },
  ]
}

function textOf(body: unknown, name: string): string {
  const value = isRecord(body) ? body[name] : undefined
  return typeof value === 'string' ? value : ''
}
