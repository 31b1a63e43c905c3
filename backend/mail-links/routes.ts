// HTTP of everything that is done by links in mails (api.md §2.2, §2.3, §12): old and newer
// spellings of the same calls.
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  FinishedRecovery,
  MailedSecret,
  NewMagicUrl,
  NewRecovery,
  NewVerification,
} from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { EMAIL_MAX_CHARS, ID_MAX_CHARS, RATE } from '#contract/limits.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { makeSessionCookies } from '../accounts/session-cookies.ts'
import { toSession } from '../accounts/shapes.ts'
import { networkOf } from '../http/addresses.ts'
import { isRecord, readParams } from '../http/params.ts'
import type { Count } from '../http/rate-limits.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { MailLinks } from './mail-links.ts'

const RECOVERING = { counts: mailRequestCounts('recovery') }
const ASKING_MAGIC_URL = { counts: mailRequestCounts('magic-url') }
const ASKING_VERIFICATION = {
  scope: 'account',
  counts: (request: FastifyRequest): Count[] => [
    {
      name: 'verification, user',
      rule: RATE.verificationPerUser,
      key: readUser(request.viewer).userId,
    },
  ],
} as const

export function mailLinkRoutes(
  links: MailLinks,
  accounts: Pick<Accounts, 'tokenNames' | 'isHttps' | 'isCrossSite'>,
): Routes {
  const cookies = makeSessionCookies(accounts)
  const { callerOf } = cookies

  async function finishMagicUrl(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const started = await links.finishMagicUrl(
      readParams(MailedSecret, request.body),
      callerOf(request),
    )
    cookies.set(reply, started)
    cookies.setBrowserMark(reply, started.browserMark)
    return reply.code(201).send(toSession(started.session, { isCurrent: true }))
  }

  return (api) => {
    api.post('/account/recovery', { config: RECOVERING }, async (request, reply) => {
      links.checkMail()
      return reply
        .code(201)
        .send(await links.startRecovery(readParams(NewRecovery, request.body), callerOf(request)))
    })
    api.put('/account/recovery', { config: { counts: guessCounts('recovery') } }, async (request) =>
      links.finishRecovery(readParams(FinishedRecovery, request.body), callerOf(request)),
    )

    for (const path of ['/account/verification', '/account/verifications/email']) {
      api.post(path, { config: ASKING_VERIFICATION }, async (request, reply) => {
        links.checkMail()
        const { url } = readParams(NewVerification, request.body)
        const token = await links
          .startVerification(readUser(request.viewer), url, callerOf(request))
          .catch((error: unknown) => {
            throw spelledFor(request, error)
          })
        return reply.code(201).send(token)
      })
      api.put(path, { config: { counts: guessCounts('verification') } }, async (request) =>
        links.finishVerification(readParams(MailedSecret, request.body), callerOf(request)),
      )
    }

    for (const path of ['/account/sessions/magic-url', '/account/tokens/magic-url']) {
      api.post(path, { config: ASKING_MAGIC_URL }, async (request, reply) => {
        links.checkMail()
        const token = await links.startMagicUrl(
          readParams(NewMagicUrl, request.body),
          callerOf(request),
        )
        // The newer spelling knows words that a person may compare; this server makes none.
        return reply.code(201).send(path.includes('tokens') ? { ...token, phrase: '' } : token)
      })
    }
    api.put(
      '/account/sessions/magic-url',
      { config: { counts: guessCounts('magic-url') } },
      finishMagicUrl,
    )
    api.post(
      '/account/sessions/token',
      { config: { counts: guessCounts('magic-url') } },
      finishMagicUrl,
    )
  }
}

/**
 * Requests for a mail: for one address of a mailbox, however it is spelled, and from one address of
 * the network.
 */
function mailRequestCounts(name: string): (request: FastifyRequest) => Count[] {
  return ({ body, ip }) => {
    const email = textOf(body, 'email')
      .normalize('NFC')
      .trim()
      .toLowerCase()
      .slice(0, EMAIL_MAX_CHARS)
    return [
      ...(email ? [{ name: `${name}, e-mail`, rule: RATE.mailRequestPerEmail, key: email }] : []),
      { name: `${name}, address`, rule: RATE.mailRequestPerAddress, key: networkOf(ip) },
    ]
  }
}

/** Guesses of a secret: for one person, wherever they come from. */
function guessCounts(name: string): (request: FastifyRequest) => Count[] {
  return ({ body }) => [
    {
      name: `${name}, secret`,
      rule: RATE.mailSecretPerTargetUser,
      key: textOf(body, 'userId').slice(0, ID_MAX_CHARS),
    },
  ]
}

function textOf(body: unknown, name: string): string {
  const value = isRecord(body) ? body[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** One type lost a letter in level 1.4, and clients switch on it (api.md §9). */
function spelledFor({ headers }: FastifyRequest, error: unknown): unknown {
  const [major = 1, minor = 4] = String(headers['x-appwrite-response-format'] ?? '1.4')
    .split('.')
    .map(Number)
  const isNewer = major > 1 || (major === 1 && minor >= 5)
  return isNewer && error instanceof Refusal && error.type === 'user_email_alread_verified'
    ? new Refusal('user_email_already_verified')
    : error
}
