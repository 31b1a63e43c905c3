// Sets up a blog that has no operator yet (api.md §15.19): stores its first values and its operator
// in one transaction. A browser on this machine needs no code when nobody else can reach the blog;
// everyone else needs the code that the server printed. @source threat-model.md §4 "Setup"

import { randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { type AccountRole, withRole } from '#contract/permissions.ts'
import {
  type NewSetup,
  normaliseSetupCode,
  SETUP_CODE_ALPHABET,
  SETUP_CODE_CHARS,
  type Setup,
} from '#contract/setup.ts'
import type { SiteValues } from '#contract/site-settings.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { checkNewPassword } from '../accounts/passwords.ts'
import { labelsOf } from '../accounts/roles.ts'
import {
  type Caller,
  logEvent,
  type SignInResult,
  toHashQueueCaller,
} from '../accounts/session-cookies.ts'
import { addSession, revokeAccessOpenedByOthers } from '../accounts/sessions.ts'
import type { SignIn } from '../accounts/sign-in.ts'
import { addNewUser, makeUserRow, readNewUser, updateUser } from '../accounts/users.ts'
import { recordActivity } from '../activity/activity.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { isFromThisHost } from '../http/connections.ts'
import { networkOf } from '../http/rate-limits.ts'
import { isReading } from '../http/viewer.ts'
import { hashSecret, isSameHash } from '../process/ids.ts'
import { findSetupCodes, recordSetUp, replaceSetupCode, writeSiteValues } from '../site/site.ts'
import { checkSiteValues } from './site-values.ts'

const OPERATOR: AccountRole = 'operator'

export async function readSetup(context: AccountsContext, request: FastifyRequest): Promise<Setup> {
  const { siteName, about, reading, isSetUp } = await context.site.read()
  const state = isSetUp ? 'done' : maySetUpWithoutCode(context, request) ? 'open' : 'code'
  return { state, siteName, about, reading, fixed: [...context.fixedSite] }
}

/**
 * Sets the blog up, and signs its operator in.
 *
 * @param signIn for an existing account; failures count as in every sign-in
 * @throws Refusal `setup_done`, `setup_code_invalid`, `setup_code_replaced`,
 *   `general_rate_limit_exceeded`, and the refusals of signing up or in; then nothing is changed
 */
export async function setUp(
  context: AccountsContext & { signIn: SignIn },
  setup: NewSetup,
  { request, caller }: { request: FastifyRequest; caller: Caller },
): Promise<SignInResult> {
  const { db, background, log, now, site, fixedSite } = context
  if ((await site.read()).isSetUp) throw new Refusal('setup_done')
  if (!maySetUpWithoutCode(context, request)) await checkCode(context, setup.code ?? '', caller)
  const { siteName, about = '', reading } = setup
  const values = checkSiteValues({
    ...(fixedSite.includes('siteName') || siteName.trim() === '' ? {} : { siteName }),
    ...(fixedSite.includes('about') || about.trim() === '' ? {} : { about }),
    ...(fixedSite.includes('reading') ? {} : { reading: reading as SiteValues['reading'] }),
  })
  const person = await findPerson(context, setup, caller)
  const signInResult = await inTransaction(db, background, async (tx) => {
    if (!(await recordSetUp(tx, now()))) throw new Refusal('setup_done')
    await writeSiteValues(tx, values)
    const { id: userId, name } = await makeOperator(tx, person, now())
    const self = { role: 'user', userId, name } as const
    await recordActivity(tx, self, now(), {
      kind: 'settings',
      action: 'setUp',
      details: { address: caller.address },
    })
    if ('session' in person) return person
    const origin = { userId, provider: 'email', providerUid: person.user.email }
    return addSession(tx, origin, { caller, now: now() })
  })
  logEvent(log, 'blog set up', signInResult.session.userId, caller)
  return signInResult
}

type Person = { user: UserRow } | SignInResult

/** A new account that is not stored yet, or the session of an existing one. */
async function findPerson(
  context: AccountsContext & { signIn: SignIn },
  { name, email, password }: NewSetup,
  caller: Caller,
): Promise<Person> {
  if (name === undefined) return await context.signIn({ email, password }, caller)
  const at = context.now()
  const details = readNewUser({ userId: 'unique()', email, name }, at)
  await checkNewPassword(password, details)
  const passwordHash = await context.passwords.hash(password, toHashQueueCaller(caller))
  return { user: makeUserRow({ ...details, passwordHash }, at) }
}

/** Whoever may set the blog up controls the server, so the address counts as verified. */
async function makeOperator(tx: Database, person: Person, now: Date): Promise<UserRow> {
  if ('user' in person) {
    const labels = JSON.stringify([OPERATOR])
    await addNewUser(tx, { ...person.user, labels, isVerified: 1 })
    return person.user
  }
  const { userId } = person.session
  const user = await lockUser(tx, userId)
  if (!user) throw new Refusal('user_not_found')
  if (user.isBlocked) throw new Refusal('user_blocked')
  const labels = JSON.stringify(withRole(labelsOf(user), OPERATOR))
  await updateUser(tx, userId, { labels, updatedAt: now.toISOString() })
  await revokeAccessOpenedByOthers(tx, userId)
  return user
}

// --- who may set the blog up

/**
 * Allows the API key, and a browser on this machine if nobody else can reach the blog. Everyone
 * else needs the code: a proxy on this machine may forward strangers and name this machine as the
 * host.
 */
export function maySetUpWithoutCode(context: AccountsContext, request: FastifyRequest): boolean {
  if (request.viewer?.role === 'key') return true
  return isPrivate(context) && isFromThisHost(request) && isFromBrowserHere(request)
}

/** Whether nobody but this machine can reach the blog, as far as its settings say. */
function isPrivate({ host, port, publicUrl, trustedProxies }: AccountsContext): boolean {
  const url = new URL(publicUrl)
  const isDirect = url.protocol === 'http:' && Number(url.port || 80) === port
  return trustedProxies.length === 0 && isDirect && [host, url.hostname].every(isLoopback)
}

/**
 * Whether a browser that has opened this very address would send such a request. A proxy usually
 * drops the port, names its own origin, adds headers or sends no `Connection: keep-alive`; other
 * programs send no fetch metadata.
 *
 * @source Fetch Metadata Request Headers (W3C)
 */
function isFromBrowserHere({ method, headers, socket }: FastifyRequest): boolean {
  const { host = '', origin, connection, 'sec-fetch-site': fetchSite } = headers
  const url = URL.parse(`http://${host}`)
  if (!url || url.host !== host.toLowerCase().replace(/:80$/, '')) return false
  const isThisAddress = isLoopback(url.hostname) && Number(url.port || 80) === socket.localPort
  const isOwnOrigin = origin === undefined ? isReading(method) : origin === url.origin
  const isBrowser = fetchSite !== undefined && connection?.toLowerCase() === 'keep-alive'
  return isThisAddress && isOwnOrigin && isBrowser
}

function isLoopback(name: string): boolean {
  const host = name.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * The correct code is always accepted, however many wrong ones strangers send.
 * @throws Refusal `setup_code_invalid`, `setup_code_replaced`, `general_rate_limit_exceeded`
 */
async function checkCode(
  { db, rateLimits }: AccountsContext,
  enteredCode: string,
  { address }: Caller,
): Promise<void> {
  const { code, before } = await findSetupCodes(db)
  const hash = hashSecret(normaliseSetupCode(enteredCode))
  if (code !== undefined && isSameHash(hash, code)) return
  const key = networkOf(address)
  rateLimits.take([{ name: 'wrong setup code', rule: RATE.wrongSetupCodePerAddress, key }])
  const isReplaced = before !== undefined && isSameHash(hash, before)
  throw new Refusal(isReplaced ? 'setup_code_replaced' : 'setup_code_invalid')
}

/** Replaces the code of an earlier start. @returns the code as it is printed, in groups */
export async function makeSetupCode({ db, background }: AccountsContext): Promise<string> {
  const characters = Array.from({ length: SETUP_CODE_CHARS }, () =>
    SETUP_CODE_ALPHABET.charAt(randomInt(SETUP_CODE_ALPHABET.length)),
  ).join('')
  await inTransaction(db, background, (tx) => replaceSetupCode(tx, hashSecret(characters)))
  return (characters.match(/.{4}/g) ?? []).join('-')
}
