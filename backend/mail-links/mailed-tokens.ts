// Secrets that prove something once and for a while: issued, sent by mail, redeemed. The store
// keeps only their hash. Knows no mail and no rule of what a secret is good for.
import { timingSafeEqual } from 'node:crypto'
import type { Token } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import {
  MAGIC_URL_SECONDS,
  MAIL_SECRET_BYTES,
  RECOVERY_SECONDS,
  SIGN_IN_LINK_SECONDS,
  VERIFICATION_SECONDS,
} from '#contract/limits.ts'
import type { Database, TokenRow } from '../database/schema.ts'
import { hashSecret, makeId, makeSecret } from '../process/ids.ts'
import * as tokenStore from './token-store.ts'

/** `sign-in` is a link that the operator hands over; it proves no address. */
export type TokenKind = 'recovery' | 'verification' | 'magic-url' | 'sign-in'

const LIFE_SECONDS: Readonly<Record<TokenKind, number>> = {
  recovery: RECOVERY_SECONDS,
  verification: VERIFICATION_SECONDS,
  'magic-url': MAGIC_URL_SECONDS,
  'sign-in': SIGN_IN_LINK_SECONDS,
}

/**
 * When a token of this kind that is made now begins and ends; also for one that is only claimed to
 * have been made.
 */
export function lifeOf(
  kind: TokenKind,
  now: Date,
  seconds = LIFE_SECONDS[kind],
): Pick<TokenRow, 'createdAt' | 'expiresAt'> {
  return {
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + seconds * 1000).toISOString(),
  }
}

/**
 * Makes a token in place of the person's older one of this kind.
 *
 * @param seconds its life, when not the usual one of its kind
 * @returns the row, and the secret that is shown this once
 * @source threat-model.md §6
 */
export async function issueToken(
  tx: Database,
  { userId, kind }: { userId: string; kind: TokenKind },
  { now, seconds }: { now: Date; seconds?: number | undefined },
): Promise<{ token: TokenRow; secret: string }> {
  const secret = makeSecret(MAIL_SECRET_BYTES)
  const token: TokenRow = {
    id: makeId(now.getTime()),
    userId,
    kind,
    secretHash: hashSecret(secret),
    ...lifeOf(kind, now, seconds),
  }
  await tokenStore.replaceToken(tx, token)
  return { token, secret }
}

/** @throws Refusal `user_invalid_token`, whatever is wrong with the secret */
export async function findToken(
  db: Database,
  { userId, kinds, secret }: TokenProof,
  now: Date,
): Promise<TokenRow> {
  const secretHash = hashSecret(secret)
  const tokens = await tokenStore.listTokens(db, userId, kinds)
  const token = tokens.find((one) => isSameHash(one.secretHash, secretHash))
  if (!token || token.expiresAt <= now.toISOString()) throw new Refusal('user_invalid_token')
  return token
}

/**
 * Uses a token up; of two who come with it at once only one gets it.
 * @throws as {@link findToken}
 */
export async function takeToken(tx: Database, proof: TokenProof, now: Date): Promise<TokenRow> {
  const token = await findToken(tx, proof, now)
  const isMine = await tokenStore.deleteToken(tx, token)
  if (!isMine) throw new Refusal('user_invalid_token')
  return token
}

type TokenProof = { userId: string; kinds: readonly TokenKind[]; secret: string }

/** As shown: `userId` and `secret` may differ from the row's. */
export function toToken(
  { id, userId, createdAt, expiresAt }: Pick<TokenRow, 'id' | 'userId' | 'createdAt' | 'expiresAt'>,
  secret = '',
): Token {
  return { $id: id, $createdAt: wireTime(createdAt), userId, secret, expire: wireTime(expiresAt) }
}

function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
