// Single-use, expiring tokens: issuing, redeeming, and the links that carry them. Only the hash of
// a secret is stored. Independent of the purpose of a token.

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
/** How many wrong guesses make a short secret invalid. */
const SHORT_SECRET_GUESSES = 5
/** Secrets with fewer characters are short. */
const LONG_SECRET_MIN_CHARS = 32
/** Valid tokens of a user that were not mailed; the oldest are deleted first. */
const TOKENS_PER_USER = 20

/**
 * Operators hand over `sign-in` tokens; a program that requested a sign-in at a provider gets an
 * `oauth2` token; neither proves an address. Users type an `email-code`, which is short.
 */
export type TokenKind = keyof typeof LIFETIME_SECONDS

/** How long each kind is valid, unless the operator chose another lifetime. */
const LIFETIME_SECONDS = {
  recovery: 60 * 60,
  verification: 60 * 60,
  'magic-url': 10 * 60,
  'email-code': 10 * 60,
  'sign-in': 15 * 60,
  oauth2: 60,
}
/** The kinds that are mailed. */
const MAILED_KINDS: readonly string[] = ['recovery', 'verification', 'magic-url', 'email-code']
/** A user may have several tokens of these kinds; of another kind, a new one replaces the old. */
const COEXISTING_KINDS: readonly TokenKind[] = ['sign-in', 'oauth2']

type NewToken = Pick<TokenRow, 'userId'> &
  Partial<Pick<TokenRow, 'alias' | 'providerUid' | 'openedBy' | 'openedRole'>> & {
    kind: TokenKind
    now: Date
  }

/**
 * Issues a token, inside a transaction that has locked the user's row.
 *
 * @param options `seconds` is the lifetime, by default that of its kind; `secret` is a long random
 *   text by default
 * @returns the row, and the secret, which is not stored
 * @source threat-model.md §6
 */
export async function issueToken(
  tx: Database,
  { userId, kind, now, alias = '', providerUid = '', openedBy = '', openedRole = '' }: NewToken,
  options: { seconds?: number | undefined; secret?: string | undefined } = {},
): Promise<{ token: TokenRow; secret: string }> {
  const { seconds = LIFETIME_SECONDS[kind], secret = makeSecret(MAIL_SECRET_BYTES) } = options
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

/** A random code for users to type. */
export function makeCode(): string {
  return String(randomInt(10 ** EMAIL_CODE_DIGITS)).padStart(EMAIL_CODE_DIGITS, '0')
}

/** Hashes a short secret together with the id, because two users may have the same secret. */
function hashOf(secret: string, { id, guessesLeft }: Pick<TokenRow, 'id' | 'guessesLeft'>): string {
  return hashSecret(guessesLeft === null ? secret : `${id} ${secret}`)
}

const SIGN_IN_KINDS: readonly TokenKind[] = ['magic-url', 'sign-in', 'oauth2']

/**
 * Finds the token with which a user signs in. Guesses of short secrets are counted before they are
 * compared, so that the limit holds for concurrent guesses, too.
 *
 * @param proof `userId` is the id of the user, or the alias that the response to a request for a
 *   code contained
 * @throws Refusal `user_invalid_token` for every fault
 */
export async function findSignInToken(
  db: Database,
  { userId, secret }: { userId: string; secret: string },
  now: Date,
): Promise<TokenRow> {
  if (!isId(userId)) throw new Refusal('user_invalid_token')
  const valid = [
    ...(await store.listTokens(db, userId, SIGN_IN_KINDS)),
    ...(await store.listTokensByAlias(db, userId)),
  ].filter(({ expiresAt }) => expiresAt > now.toISOString())
  const shortIds = valid.filter(({ guessesLeft }) => guessesLeft !== null).map(({ id }) => id)
  const countedIds = await store.changeGuessesLeft(db, shortIds, -1)
  const token = valid.find(
    (row) =>
      (row.guessesLeft === null || countedIds.includes(row.id)) &&
      isSameHash(row.secretHash, hashOf(secret, row)),
  )
  if (!token) throw new Refusal('user_invalid_token')
  await store.changeGuessesLeft(db, countedIds, 1)
  return token
}

/** @throws Refusal `user_invalid_token` for every fault, also for a missing user */
export async function readToken(
  db: Database,
  { userId, kind, secret }: { userId: string; kind: TokenKind; secret: string },
  now: Date,
): Promise<TokenRow> {
  // An invalid id may contain NUL, which PostgreSQL rejects.
  const tokens = isId(userId) ? await store.listTokens(db, userId, [kind]) : []
  const secretHash = hashSecret(secret)
  const token = tokens.find((row) => isSameHash(row.secretHash, secretHash))
  if (!token || token.expiresAt <= now.toISOString()) throw new Refusal('user_invalid_token')
  return token
}

/**
 * Locks the token's user and deletes the token; of two concurrent calls only one succeeds.
 *
 * @param token was found before the transaction, and may have been revoked since
 * @throws Refusal `user_invalid_token`, also when the user is blocked
 */
export async function redeemToken(tx: Database, token: TokenRow, now: Date): Promise<UserRow> {
  const user = await lockUser(tx, token.userId)
  const isDeleted = await store.deleteToken(tx, token)
  if (!isDeleted || !user || user.isBlocked) throw new Refusal('user_invalid_token')
  if (MAILED_KINDS.includes(token.kind)) await recordUsedLink(tx, token.id, now)
  return user
}

/** Of two concurrent calls only one succeeds. */
export { deleteTokenById as withdrawToken } from './store.ts'

export function toToken(
  { id, userId, createdAt, expiresAt }: Pick<TokenRow, 'id' | 'userId' | 'createdAt' | 'expiresAt'>,
  secret = '',
): Token {
  return { $id: id, $createdAt: wireTime(createdAt), userId, secret, expire: wireTime(expiresAt) }
}

/**
 * The response to a request for a mail: a token without any data from the stored row, so that the
 * response is the same whether or not a token was issued.
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

/** The page of a sign-in link when the client sent no URL. @source api.md §2.2 */
export const MAGIC_URL_PATH = '/auth/magic-url'

/**
 * The link in a mail: the client's URL with its query and the secret.
 *
 * @param projectId for sign-in links, whose expiry also has a different format
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

// --- two words for the user to compare: the screen that requested a mail and the mail show the
// same two. They are not secret.

const FIRST_WORDS =
  'amber brave calm clever curious early gentle golden kind little lucky merry modest patient quiet silver'
const SECOND_WORDS =
  'badger beacon candle comet ferry garden harbour heron island lantern maple meadow otter pebble sparrow window'

export function makePhrase(): string {
  const [first, second] = [FIRST_WORDS, SECOND_WORDS].map((text) => {
    const words = text.split(' ')
    return words[randomInt(words.length)] ?? ''
  })
  return `${first} ${second}`
}
