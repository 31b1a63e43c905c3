// JWTs, short-lived tokens that replace a session: users hand them to programs of their own, and
// the operator may make them, too. HS256, with a key derived from a secret of the server.

import { hkdfSync } from 'node:crypto'
import { Type } from 'typebox'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import { ACCOUNT_ROLES, type AccountRole, roleIn } from '#contract/permissions.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { readSessionRow } from '../accounts/sessions.ts'
import { readUserRow } from '../accounts/users.ts'
import type { SessionRow } from '../database/schema.ts'
import { call } from '../http/openapi.ts'
import { countPerUser, limitedAccount } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser, type SessionProof } from '../http/viewer.ts'
import { logOperator } from '../operator/users.ts'
import { hashSecret, isSameHash } from '../process/ids.ts'

/** The default lifetime. */
const JWT_SECONDS = 15 * 60
const JWT_MAX_SECONDS = 60 * 60
/** Tolerance for different clocks. */
const JWT_LEEWAY_SECONDS = 10
const JWT_MAX_CHARS = 1024

const ALGORITHM = 'HS256'
/** Imported with the first token: most blogs never have one. */
const loadJose = () => import('jose')

/** @param secret a secret of the server, from which the signing key is derived */
export function makeJwts(secret: string) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'account tokens', 32))
  return {
    async make(
      { userId, id, secretHash }: Pick<SessionRow, 'userId' | 'id' | 'secretHash'>,
      {
        now,
        seconds = JWT_SECONDS,
        openedRole,
      }: { now: Date; seconds?: number | undefined; openedRole?: AccountRole },
    ): Promise<string> {
      const { SignJWT } = await loadJose()
      return new SignJWT({ userId, sessionId: id, mark: fingerprintOf(secretHash), openedRole })
        .setProtectedHeader({ typ: 'JWT', alg: ALGORITHM })
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + seconds * 1000))
        .sign(key)
    },
    /** @throws Refusal `user_jwt_invalid` when this server did not sign it, or it has expired */
    async readProof(token: string, now: Date): Promise<SessionProof> {
      return readToken(key, token, now).catch((cause: unknown) => {
        throw new Refusal('user_jwt_invalid', undefined, { cause })
      })
    },
  }
}

async function readToken(key: Uint8Array, text: string, now: Date): Promise<SessionProof> {
  if (text.length > JWT_MAX_CHARS) throw new Error('too long')
  const { jwtVerify } = await loadJose()
  const { payload } = await jwtVerify(text, key, {
    algorithms: [ALGORITHM],
    clockTolerance: JWT_LEEWAY_SECONDS,
    currentDate: now,
    requiredClaims: ['exp', 'userId', 'sessionId', 'mark'],
  })
  const { userId, sessionId, mark, exp = 0 } = payload
  const openedRole = ACCOUNT_ROLES.find((role) => role === payload.openedRole)
  if (!isId(userId) || !isId(sessionId) || typeof mark !== 'string')
    throw new Error('claims of a wrong form')
  const endsAtMs = (exp + JWT_LEEWAY_SECONDS) * 1000
  return {
    userId,
    sessionId,
    openedRole,
    isValid: ({ secretHash }, at) =>
      isSameHash(fingerprintOf(secretHash), mark) && at.getTime() < endsAtMs,
  }
}

/**
 * Identifies the secret of a session. A change of the password gives the session a new secret, so
 * earlier tokens become invalid.
 */
function fingerprintOf(secretHash: string): string {
  return hashSecret(`jwt ${secretHash}`).slice(0, 32)
}

const rule = `Value must be a valid range between 0 and ${JWT_MAX_SECONDS}`
const duration = Type.Integer({ minimum: 0, maximum: JWT_MAX_SECONDS, description: rule })
/** `duration` is the lifetime in seconds. */
const NewJwt = Type.Object({ duration: Type.Optional(duration) })
/** `sessionId` is an id, or `recent` for the newest session. */
const NewUserJwt = Type.Object({
  sessionId: Type.Optional(Type.String({ description: 'Value must be a valid string' })),
  duration: Type.Optional(duration),
})

const Jwt = Type.Object({ jwt: Type.String() })
const OWN = limitedAccount(countPerUser('JWT', RATE.jwtPerUser))

export type CompatContext = AccountsContext & { jwts: ReturnType<typeof makeJwts> }

export function jwtRoutes(context: CompatContext): Routes {
  const { db, now: clock, jwts } = context
  return (api) => {
    const making = call(OWN, 'A token for the current session', {
      body: NewJwt,
      201: Jwt,
      refusals: ['user_session_not_found'],
    })
    // Needs a session. A viewer with a JWT has none, and so cannot get a further JWT.
    for (const path of ['/account/jwt', '/account/jwts'])
      api.post(path, making, async ({ viewer, body }, reply) => {
        const { duration: seconds } = readParams(NewJwt, body)
        const now = clock()
        const session = await readSessionRow(db, readUser(viewer), 'current', now)
        return reply.code(201).send({ jwt: await jwts.make(session, { now, seconds }) })
      })
    const makingForUser = call({ config: { scope: 'users.write' } }, 'A token for a session', {
      body: NewUserJwt,
      201: Jwt,
      refusals: ['user_session_not_found', 'user_blocked'],
    })
    api.post<{ Params: { userId: string } }>(
      '/users/:userId/jwts',
      makingForUser,
      async ({ params: { userId }, body }, reply) => {
        const { sessionId = 'recent', duration: seconds } = readParams(NewUserJwt, body)
        const now = clock()
        const user = await readUserRow(db, userId)
        if (user.isBlocked) throw new Refusal('user_blocked')
        const session = await readSessionRow(db, { userId }, sessionId, now)
        logOperator(context, 'JWT made by the operator', userId)
        return reply
          .code(201)
          .send({ jwt: await jwts.make(session, { now, seconds, openedRole: roleIn(user) }) })
      },
    )
  }
}
