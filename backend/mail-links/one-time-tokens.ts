// Single-use, expiring tokens: issued, sent by mail or handed over, redeemed. Only the hash of
// their secret is stored. Independent of what a token is for.

import { randomInt } from 'node:crypto'
import type { Token } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { isId, wireTime } from '#contract/ids.ts'
import { MAIL_SECRET_BYTES } from '../accounts/invitations.ts'
import { recordUsedLink } from '../accounts/used-links.ts'
import type { Database, TokenRow, UserRow } from '../database/schema.ts'
import { lockUser } from '../database/transaction.ts'
import { hashSecret, isSameHash, makeId, makeSecret, secondsAfter } from '../process/ids.ts'
import * as store from './store.ts'

const EMAIL_CODE_DIGITS = 6
/** Wrong guesses of a short secret. Then it is invalid. */
const SHORT_SECRET_GUESSES = 5
/** Secrets below it are short. */
const LONG_SECRET_MIN_CHARS = 32
/** Valid tokens of a user that were not mailed; the oldest are deleted first. */
const TOKENS_PER_USER = 20

/**
 * `sign-in` is handed over by the operator, `oauth2` to the program that asked for a sign-in at a
 * provider; neither proves an address. `email-code` is typed in: it is short.
 */
export type TokenKind = keyof typeof LIFETIME_SECONDS

/** How long each works, unless the operator says otherwise. */
const LIFETIME_SECONDS = {
  recovery: 60 * 60,
  verification: 60 * 60,
  'magic-url': 10 * 60,
  'email-code': 10 * 60,
  'sign-in': 15 * 60,
  oauth2: 60,
}
/** The kinds that mails carry. */
const MAILED_KINDS: readonly string[] = ['recovery', 'verification', 'magic-url', 'email-code']
/** A user may have several of these; of every other kind a newer one replaces the older one. */
const COEXISTING_KINDS: readonly TokenKind[] = ['sign-in', 'oauth2']

type NewToken = Pick<TokenRow, 'userId'> &
  Partial<Pick<TokenRow, 'alias' | 'providerUid' | 'openedBy' | 'openedRole'>> & {
    kind: TokenKind
    now: Date
  }

/**
 * Makes a token, inside a transaction that has locked the user's row.
 *
 * @param chosen `seconds` is its lifetime, when not the usual one of its kind; `secret` is to be
 *   shown, one of many characters when absent
 * @returns the row, and the secret that is shown this once
 * @source threat-model.md §6
 */
export async function issueToken(
  tx: Database,
  { userId, kind, now, alias = '', providerUid = '', openedBy = '', openedRole = '' }: NewToken,
  chosen: { seconds?: number | undefined; secret?: string | undefined } = {},
): Promise<{ token: TokenRow; secret: string }> {
  const { seconds = LIFETIME_SECONDS[kind], secret = makeSecret(MAIL_SECRET_BYTES) } = chosen
  const id = makeId(now.getTime())
  const guessesLeft = secret.length < LONG_SECRET_MIN_CHARS ? SHORT_SECRET_GUESSES : null
  const token: TokenRow = {
    id,
    userId,
    kind,
    alias,
    providerUid,
    openedBy,
    openedRole,
    guessesLeft,
    secretHash: hashOf(secret, { id, guessesLeft }),
    createdAt: now.toISOString(),
    expiresAt: secondsAfter(now, seconds),
  }
  await store.insertToken(tx, token)
  await store.trimTokens(tx, token, COEXISTING_KINDS.includes(kind) ? TOKENS_PER_USER : 1)
  return { token, secret }
}

/** A short code, which users type. */
export function makeCode(): string {
  return String(randomInt(10 ** EMAIL_CODE_DIGITS)).padStart(EMAIL_CODE_DIGITS, '0')
}

/** Hashes a short secret together with the id: two users may have the same. */
function hashOf(secret: string, { id, guessesLeft }: Pick<TokenRow, 'id' | 'guessesLeft'>): string {
  return hashSecret(guessesLeft === null ? secret : `${id} ${secret}`)
}

const SIGN_IN_KINDS: readonly TokenKind[] = ['magic-url', 'sign-in', 'oauth2']

/**
 * The token that a user signs in with. Guesses of short secrets are counted before they are
 * compared, so that concurrent ones are bounded like sequential ones.
 *
 * @param proof `userId` is the user's, or the one that the answer to asking for a code named
 * @throws Refusal `user_invalid_token` for every fault
 */
export async function findSignInToken(
  db: Database,
  { userId, secret }: { userId: string; secret: string },
  now: Date,
): Promise<TokenRow> {
  if (!isId(userId)) throw new Refusal('user_invalid_token')
  const all = [
    ...(await store.listTokens(db, userId, SIGN_IN_KINDS)),
    ...(await store.listTokensByAlias(db, userId)),
  ].filter(({ expiresAt }) => expiresAt > now.toISOString())
  const counted = all.filter(({ guessesLeft }) => guessesLeft !== null).map(({ id }) => id)
  const taken = await store.changeGuessesLeft(db, counted, -1)
  const found = all.find(
    (one) =>
      (one.guessesLeft === null || taken.includes(one.id)) &&
      isSameHash(one.secretHash, hashOf(secret, one)),
  )
  if (!found) throw new Refusal('user_invalid_token')
  await store.changeGuessesLeft(db, taken, 1)
  return found
}

/** @throws Refusal `user_invalid_token` for every fault, also for a missing user */
export async function readToken(
  db: Database,
  { userId, kind, secret }: { userId: string; kind: TokenKind; secret: string },
  now: Date,
): Promise<TokenRow> {
  // PostgreSQL takes no text with NUL.
  const tokens = isId(userId) ? await store.listTokens(db, userId, [kind]) : []
  const secretHash = hashSecret(secret)
  const token = tokens.find((one) => isSameHash(one.secretHash, secretHash))
  if (!token || token.expiresAt <= now.toISOString()) throw new Refusal('user_invalid_token')
  return token
}

/**
 * Locks the token's user and uses the token up; of two calls with it at once only one gets it.
 *
 * @param token as it was found before; it may have been revoked since
 * @throws Refusal `user_invalid_token`, also when the user is blocked
 */
export async function redeemToken(tx: Database, token: TokenRow, now: Date): Promise<UserRow> {
  const user = await lockUser(tx, token.userId)
  const isMine = await store.deleteToken(tx, token)
  if (!isMine || !user || user.isBlocked) throw new Refusal('user_invalid_token')
  if (MAILED_KINDS.includes(token.kind)) await recordUsedLink(tx, token.id, now)
  return user
}

/** Of two calls at once only one ends it. */
export { deleteTokenById as withdrawToken } from './store.ts'

export function toToken(
  { id, userId, createdAt, expiresAt }: Pick<TokenRow, 'id' | 'userId' | 'createdAt' | 'expiresAt'>,
  secret = '',
): Token {
  return { $id: id, $createdAt: wireTime(createdAt), userId, secret, expire: wireTime(expiresAt) }
}

/**
 * The response to a request for a mail, whether or not a token was issued: the same fields, nothing
 * of the row.
 */
export function makeDecoyToken(kind: TokenKind, userId: string, now: Date): Token {
  return toToken({
    id: makeId(now.getTime()),
    userId,
    createdAt: now.toISOString(),
    expiresAt: secondsAfter(now, LIFETIME_SECONDS[kind]),
  })
}

// --- the links that carry a mailed secret

/** Where a sign-in link leads when the caller names no address. @source api.md §2.2 */
export const MAGIC_URL_PATH = '/auth/magic-url'

/**
 * The link of a mail: the caller's address with its own query, and the secret added.
 *
 * @param projectId for sign-in links, whose expiry is also written in another format
 * @source api.md §2.3
 */
export function addSecret(
  url: string,
  { token, secret }: { token: Pick<TokenRow, 'userId' | 'expiresAt'>; secret: string },
  projectId?: string,
): string {
  const { userId, expiresAt } = token
  const link = new URL(url)
  link.searchParams.set('userId', userId)
  link.searchParams.set('secret', secret)
  const expire =
    projectId === undefined ? expiresAt.replace('T', ' ').replace('Z', '') : wireTime(expiresAt)
  link.searchParams.set('expire', expire)
  if (projectId !== undefined) link.searchParams.set('project', projectId)
  return link.href
}

// --- two words that a user compares: those on the screen that requested a mail with those in the
// mail. They are no secret.

const FIRST =
  'amber brave calm clever curious early gentle golden kind little lucky merry modest patient quiet silver'
const SECOND =
  'badger beacon candle comet ferry garden harbour heron island lantern maple meadow otter pebble sparrow window'

export function makePhrase(): string {
  const [first, second] = [FIRST, SECOND].map((text) => {
    const words = text.split(' ')
    return words[randomInt(words.length)] ?? ''
  })
  return `${first} ${second}`
}
