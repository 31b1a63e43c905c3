// Short-lived tokens that stand for a session: made for its user, who hands them to a program of
// theirs. HS256, with a key of the server's own. Knows no HTTP and no store.
import { hkdfSync } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { SessionRow } from '../database/schema.ts'
import { hashSecret } from '../process/ids.ts'

/** Lifetime of a token that stands for a session, unless the call says otherwise. */
const JWT_SECONDS = 15 * 60
/** For clocks that differ. */
const JWT_LEEWAY_SECONDS = 10
const JWT_MAX_CHARS = 1024

/** What a token says: whose session it stands for, as that session was when it was made. */
type JwtClaims = { userId: string; sessionId: string; mark: string }

export type Jwts = ReturnType<typeof makeJwts>

const ALGORITHM = 'HS256'
/** Loaded with the first token: most blogs never have one. */
const loadJose = () => import('jose')

/** @param secret of the server; the key of the tokens is derived from it */
export function makeJwts(secret: string) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'account tokens', 32))
  return {
    async make(
      { userId, id, secretHash }: Pick<SessionRow, 'userId' | 'id' | 'secretHash'>,
      { now, seconds = JWT_SECONDS }: { now: Date; seconds?: number | undefined },
    ): Promise<string> {
      const { SignJWT } = await loadJose()
      return new SignJWT({ userId, sessionId: id, mark: markOf(secretHash) })
        .setProtectedHeader({ typ: 'JWT', alg: ALGORITHM })
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + seconds * 1000))
        .sign(key)
    },
    /** @throws Refusal `user_jwt_invalid` for what this server has not signed, or is over */
    async read(text: string, now: Date): Promise<JwtClaims> {
      try {
        return await readClaims(key, text, now)
      } catch (cause) {
        throw new Refusal('user_jwt_invalid', undefined, { cause })
      }
    },
  }
}

/**
 * Changes with the secret of a session: a token made before a change of the password, which gives
 * the session a new secret, stands for it no more.
 */
export function markOf(secretHash: string): string {
  return hashSecret(`jwt ${secretHash}`).slice(0, 32)
}

/**
 * What a token that {@link Jwts.read} has accepted stands for as long as a connection is open.
 *
 * @returns the session, and whether the token still stands for it
 */
export function standingOf(text: string) {
  const payload = Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()
  const { sessionId, mark, exp }: JwtClaims & { exp: number } = JSON.parse(payload)
  const endsAtMs = (exp + JWT_LEEWAY_SECONDS) * 1000
  return {
    sessionId,
    isStanding: ({ secretHash }: { secretHash: string }, now: Date): boolean =>
      markOf(secretHash) === mark && now.getTime() < endsAtMs,
  }
}

async function readClaims(key: Uint8Array, text: string, now: Date): Promise<JwtClaims> {
  if (text.length > JWT_MAX_CHARS) throw new Error('too long')
  const { jwtVerify } = await loadJose()
  const { payload } = await jwtVerify(text, key, {
    algorithms: [ALGORITHM],
    clockTolerance: JWT_LEEWAY_SECONDS,
    currentDate: now,
    requiredClaims: ['exp', 'userId', 'sessionId', 'mark'],
  })
  const { userId, sessionId, mark } = payload
  if (!isId(userId) || !isId(sessionId) || typeof mark !== 'string')
    throw new Error('claims of a wrong form')
  return { userId, sessionId, mark }
}
