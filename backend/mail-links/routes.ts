// HTTP of everything that is done by links in mails (api.md §2.2, §2.3, §12): old and newer
// spellings of the same calls.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  FinishedRecovery,
  MailedSecret,
  NewEmailCode,
  NewMagicUrl,
  NewRecovery,
  NewVerification,
} from '#contract/accounts.ts'
import { ID_MAX_CHARS } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import { findEmail } from '../accounts/personal-details.ts'
import type { SessionCookies } from '../accounts/session-cookies.ts'
import { toSession } from '../accounts/shapes.ts'
import { type Count, countPerAddress, countPerUser, networkOf } from '../http/rate-limits.ts'
import { isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import {
  finishMagicUrl,
  finishRecovery,
  finishVerification,
  startEmailCode,
  startMagicUrl,
  startRecovery,
  startVerification,
} from './mail-links.ts'
import { type MailLinkNeeds, requireMail } from './mailed-tokens.ts'

const RECOVERING = { counts: mailRequestCounts('recovery') }
const ASKING_MAGIC_URL = { counts: mailRequestCounts('magic-url') }
const ASKING_CODE = { counts: mailRequestCounts('e-mail code') }
const ASKING_VERIFICATION = {
  scope: 'account',
  counts: countPerUser('verification, user', RATE.verificationPerUser),
} as const

type MailLinkRoutesNeeds = MailLinkNeeds & { cookies: SessionCookies }

export function mailLinkRoutes(needs: MailLinkRoutesNeeds): Routes {
  return (api) => {
    addRecoveryRoutes(api, needs)
    addVerificationRoutes(api, needs)
    addMagicUrlRoutes(api, needs)
  }
}

function addRecoveryRoutes(api: FastifyInstance, needs: MailLinkRoutesNeeds): void {
  const { callerOf } = needs.cookies
  api.post('/account/recovery', { config: RECOVERING }, async (request, reply) => {
    requireMail(needs)
    const sent = readParams(NewRecovery, request.body)
    return reply.code(201).send(await startRecovery(needs, sent, callerOf(request)))
  })
  const config = { counts: guessCounts('recovery') }
  api.put('/account/recovery', { config }, async (request, reply) =>
    finishRecovery(needs, readParams(FinishedRecovery, request.body), callerOf(request, reply)),
  )
}

function addVerificationRoutes(api: FastifyInstance, needs: MailLinkRoutesNeeds): void {
  const { callerOf } = needs.cookies
  for (const path of ['/account/verification', '/account/verifications/email']) {
    api.post(path, { config: ASKING_VERIFICATION }, async (request, reply) => {
      requireMail(needs)
      const viewer = readUser(request.viewer)
      const { url } = readParams(NewVerification, request.body)
      const token = await startVerification(needs, viewer, url, callerOf(request))
      return reply.code(201).send(token)
    })
    api.put(path, { config: { counts: guessCounts('verification') } }, async (request) =>
      finishVerification(needs, readParams(MailedSecret, request.body), callerOf(request)),
    )
  }
}

function addMagicUrlRoutes(api: FastifyInstance, needs: MailLinkRoutesNeeds): void {
  const { cookies } = needs
  for (const path of ['/account/sessions/magic-url', '/account/tokens/magic-url']) {
    api.post(path, { config: ASKING_MAGIC_URL }, async (request, reply) => {
      requireMail(needs)
      const sent = readParams(NewMagicUrl, request.body)
      const token = await startMagicUrl(needs, sent, cookies.callerOf(request))
      // The newer spelling has a phrase for the user to compare; a link needs none.
      return reply.code(201).send(path.includes('tokens') ? { ...token, phrase: '' } : token)
    })
  }
  api.post('/account/tokens/email', { config: ASKING_CODE }, async (request, reply) => {
    requireMail(needs)
    const sent = readParams(NewEmailCode, request.body)
    return reply.code(201).send(await startEmailCode(needs, sent, cookies.callerOf(request)))
  })

  async function finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sent = readParams(MailedSecret, request.body)
    const signedIn = await finishMagicUrl(needs, sent, cookies.callerOf(request))
    cookies.set(reply, signedIn)
    cookies.setBrowserMark(reply, signedIn.browserMark)
    return reply.code(201).send(toSession(signedIn.session, { isCurrent: true }))
  }

  const config = { counts: signInCounts }
  api.put('/account/sessions/magic-url', { config }, finish)
  api.post('/account/sessions/token', { config }, finish)
}

/** Requests for a mail: counted by e-mail address, in its normal form, and by network. */
function mailRequestCounts(name: string): (request: FastifyRequest) => Count[] {
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
function guessCounts(name: string): (request: FastifyRequest) => Count[] {
  return ({ body }) => [
    {
      name: `${name}, secret`,
      rule: RATE.mailSecretPerTargetUser,
      key: textOf(body, 'userId').slice(0, ID_MAX_CHARS),
      isOfTarget: true,
    },
  ]
}

const countSecret = guessCounts('magic-url')
const countAddress = countPerAddress('sign-in by token, address', RATE.signInTokenPerAddress)

/** Whoever guesses may name another user, or another request of their own, each time. */
function signInCounts(request: FastifyRequest): Count[] {
  return [...countSecret(request), ...countAddress(request)]
}

function textOf(body: unknown, name: string): string {
  const value = isRecord(body) ? body[name] : undefined
  return typeof value === 'string' ? value : ''
}
