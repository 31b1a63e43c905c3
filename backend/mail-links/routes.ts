// HTTP routes for mailed links and codes (api.md §2.2, §2.3, §12): old and newer paths of the same
// calls.

import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { TSchema } from 'typebox'
import * as accounts from '#contract/accounts.ts'
import { Refusal, type RefusalType } from '#contract/errors.ts'
import { ID_MAX_CHARS } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { toSession } from '../accounts/serialisers.ts'
import { call } from '../http/openapi.ts'
import {
  type CountCalls,
  countPerAddress,
  countPerUser,
  limited,
  limitedAccount,
  networkOf,
} from '../http/rate-limits.ts'
import { isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import { tryParseEmail } from '../mail/addresses.ts'
import {
  finishRecovery,
  finishVerification,
  signInWithToken,
  startEmailCode,
  startMagicUrl,
  startRecovery,
  startVerification,
} from './mail-links.ts'

const countSecret = guessCounts('magic-url')
const countAddress = countPerAddress('sign-in by token, address', RATE.signInTokenPerAddress)

const RECOVERING = mailCall(
  limited(mailRequestCounts('recovery')),
  'Mails a link for a new password',
  accounts.NewRecovery,
)
const REQUESTING_MAGIC_URL = mailCall(
  limited(mailRequestCounts('magic-url')),
  'Mails a link that signs in',
  accounts.NewMagicUrl,
)
const REQUESTING_CODE = mailCall(
  limited(mailRequestCounts('e-mail code')),
  'Mails a code that signs in',
  accounts.NewEmailCode,
)
const REQUESTING_VERIFICATION = mailCall(
  limitedAccount(countPerUser('verification, user', RATE.verificationPerUser)),
  'Mails a link that verifies the address',
  accounts.NewVerification,
  ['user_email_alread_verified'],
)
const SETTING_PASSWORD = call(limited(guessCounts('recovery')), 'Sets the password', {
  body: accounts.RecoveryCompletion,
  200: accounts.Token,
  refusals: ['user_invalid_token', 'password_personal_data', 'user_password_mismatch'],
})
const VERIFYING = call(limited(guessCounts('verification')), 'Verifies the address', {
  body: accounts.MailedSecret,
  200: accounts.Token,
  refusals: ['user_invalid_token'],
})
/** Also counted by network, because an attacker may send another user id each time. */
const SIGNING_IN = call(
  limited((request) => [...countSecret(request), ...countAddress(request)]),
  'Signs in with the secret of a link, a code or a token',
  { body: accounts.MailedSecret, 201: accounts.Session, refusals: ['user_invalid_token'] },
)

export function mailLinkRoutes(context: AccountsContext): Routes {
  const { cookies, mailer } = context
  const { callerOf } = cookies
  return (api) => {
    /** @throws Refusal `general_smtp_disabled` */
    const addMailRoute = (
      path: string,
      options: RouteShorthandOptions,
      answer: (request: FastifyRequest) => Promise<accounts.Token>,
    ) =>
      api.post(path, options, async (request, reply) => {
        if (mailer.delivery === 'off') throw new Refusal('general_smtp_disabled')
        return reply.code(201).send(await answer(request))
      })
    addMailRoute('/account/recovery', RECOVERING, (request) =>
      startRecovery(context, readParams(accounts.NewRecovery, request.body), callerOf(request)),
    )
    api.put('/account/recovery', SETTING_PASSWORD, async (request, reply) =>
      finishRecovery(
        context,
        readParams(accounts.RecoveryCompletion, request.body),
        callerOf(request, reply),
      ),
    )
    for (const path of ['/account/verification', '/account/verifications/email']) {
      addMailRoute(path, REQUESTING_VERIFICATION, async (request) => {
        const viewer = readUser(request.viewer)
        const { url } = readParams(accounts.NewVerification, request.body)
        return startVerification(context, viewer, url, callerOf(request))
      })
      api.put(path, VERIFYING, async (request) =>
        finishVerification(
          context,
          readParams(accounts.MailedSecret, request.body),
          callerOf(request),
        ),
      )
    }
    const requestLink = (request: FastifyRequest) =>
      startMagicUrl(context, readParams(accounts.NewMagicUrl, request.body), callerOf(request))
    addMailRoute('/account/sessions/magic-url', REQUESTING_MAGIC_URL, requestLink)
    // The response of the newer path has a phrase, which a link does not need.
    addMailRoute('/account/tokens/magic-url', REQUESTING_MAGIC_URL, async (request) => ({
      ...(await requestLink(request)),
      phrase: '',
    }))
    addMailRoute('/account/tokens/email', REQUESTING_CODE, (request) =>
      startEmailCode(context, readParams(accounts.NewEmailCode, request.body), callerOf(request)),
    )
    const finish = async (request: FastifyRequest, reply: FastifyReply) => {
      const secret = readParams(accounts.MailedSecret, request.body)
      const signedIn = await signInWithToken(context, secret, callerOf(request))
      cookies.set(reply, signedIn)
      return reply.code(201).send(toSession(signedIn.session, signedIn.session.id))
    }
    api.put('/account/sessions/magic-url', SIGNING_IN, finish)
    api.post('/account/sessions/token', SIGNING_IN, finish)
  }
}

/** A call that sends a mail. */
function mailCall(
  options: RouteShorthandOptions,
  summary: string,
  body: TSchema,
  refusals: RefusalType[] = [],
) {
  return call(options, summary, {
    body,
    201: accounts.Token,
    refusals: ['general_smtp_disabled', ...refusals],
  })
}

/** Counts requests for a mail by normalised email address, and by network. */
function mailRequestCounts(name: string): CountCalls {
  return ({ body, ip }) => {
    const key = tryParseEmail(textOf(body, 'email'))
    const rule = RATE.mailRequestPerEmail
    return [
      ...(key ? [{ name: `${name}, e-mail`, rule, key, isOfTarget: true as const }] : []),
      { name: `${name}, address`, rule: RATE.mailRequestPerAddress, key: networkOf(ip) },
    ]
  }
}

/** Counts guesses of a secret by user, whatever their network. */
function guessCounts(name: string): CountCalls {
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
