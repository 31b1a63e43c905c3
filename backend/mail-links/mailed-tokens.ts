// Single-use, expiring tokens: issued, sent by mail, redeemed. The store keeps only the hash of
// their secret. Knows no mail and no rule of what a token is good for.
import { timingSafeEqual } from 'node:crypto'
import type { Token } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { isId, wireTime } from '#contract/ids.ts'
import {
  MAGIC_URL_SECONDS,
  MAIL_SECRET_BYTES,
  RECOVERY_SECONDS,
  SIGN_IN_LINK_SECONDS,
  VERIFICATION_SECONDS,
} from '#contract/limits.ts'
import { lockUser } from '../database/lock-user.ts'
import type { Database, TokenRow, UserRow } from '../database/schema.ts'
import { hashSecret, makeId, makeSecret } from '../process/ids.ts'
import * as store from './store.ts'

/** `sign-in` is a link that the operator hands over; it proves no address. */
export type TokenKind = 'recovery' | 'verification' | 'magic-url' | 'sign-in'

const LIFETIME_SECONDS: Readonly<Record<TokenKind, number>> = {
  recovery: RECOVERY_SECONDS,
  verification: VERIFICATION_SECONDS,
  'magic-url': MAGIC_URL_SECONDS,
  'sign-in': SIGN_IN_LINK_SECONDS,
}

type TokenProof = { userId: string; kinds: readonly TokenKind[]; secret: string }

/**
 * Makes a token in place of the user's older one of this kind.
 *
 * @param seconds its lifetime, when not the usual one of its kind
 * @returns the row, and the secret that is shown this once
 * @source threat-model.md §6
 */
export async function issueToken(
  tx: Database,
  { userId, kind }: { userId: string; kind: TokenKind },
  { now, seconds = LIFETIME_SECONDS[kind] }: { now: Date; seconds?: number | undefined },
): Promise<{ token: TokenRow; secret: string }> {
  const secret = makeSecret(MAIL_SECRET_BYTES)
  const token: TokenRow = {
    id: makeId(now.getTime()),
    userId,
    kind,
    secretHash: hashSecret(secret),
    createdAt: now.toISOString(),
    expiresAt: after(now, seconds),
  }
  await store.replaceToken(tx, token)
  return { token, secret }
}

/** @throws Refusal `user_invalid_token`, whatever is wrong with the secret */
export async function readToken(
  db: Database,
  { userId, kinds, secret }: TokenProof,
  now: Date,
): Promise<TokenRow> {
  if (!isId(userId)) throw new Refusal('user_invalid_token')
  const secretHash = hashSecret(secret)
  const tokens = await store.listTokens(db, userId, kinds)
  const token = tokens.find((one) => isSameHash(one.secretHash, secretHash))
  if (!token || token.expiresAt <= now.toISOString()) throw new Refusal('user_invalid_token')
  return token
}

/**
 * Uses a token up; of two calls with it at once only one gets it.
 * @throws as {@link readToken}
 */
export async function redeemToken(tx: Database, proof: TokenProof, now: Date): Promise<TokenRow> {
  const token = await readToken(tx, proof, now)
  const isMine = await store.deleteToken(tx, token)
  if (!isMine) throw new Refusal('user_invalid_token')
  return token
}

/**
 * Locks the token's user and uses the token up.
 *
 * @throws Refusal `user_invalid_token` for every wrong pair: the answer does not tell whether the
 *   user exists or is blocked
 */
export async function redeemForUser(
  tx: Database,
  proof: TokenProof,
  now: Date,
): Promise<{ user: UserRow; token: TokenRow }> {
  // PostgreSQL takes no text with NUL.
  const user = isId(proof.userId) ? await lockUser(tx, proof.userId) : undefined
  const token = await redeemToken(tx, proof, now)
  if (!user || user.isBlocked) throw new Refusal('user_invalid_token')
  return { user, token }
}

export function toToken(
  { id, userId, createdAt, expiresAt }: Omit<TokenRow, 'kind' | 'secretHash'>,
  secret = '',
): Token {
  return { $id: id, $createdAt: wireTime(createdAt), userId, secret, expire: wireTime(expiresAt) }
}

/**
 * What a caller gets for asking, whether or not a token was issued: the same fields, nothing of the
 * row.
 */
export function makeRequestAnswer(kind: TokenKind, userId: string, now: Date): Token {
  return toToken({
    id: makeId(now.getTime()),
    userId,
    createdAt: now.toISOString(),
    expiresAt: after(now, LIFETIME_SECONDS[kind]),
  })
}

function after(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1000).toISOString()
}

function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
