// The operator's view of people: list, create, sign-in links, ending sessions, deleting (api.md
// §6). For the API key alone.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { NewUser, Token, User } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { type QuerySchema, readQueries } from '#contract/queries.ts'
import type { AccountsNeeds } from '../accounts/needs.ts'
import { addNewUser, makeUserRow, readNewUserId } from '../accounts/new-user.ts'
import { checkNewPassword } from '../accounts/passwords.ts'
import { readEmail, readName } from '../accounts/personal-details.ts'
import { readUserRow } from '../accounts/read-user-row.ts'
import { toUser } from '../accounts/shapes.ts'
import * as store from '../accounts/user-store.ts'
import { byCodePoint, containsTextIgnoringCase } from '../database/dialect.ts'
import { countRows, inOrder, type ListSource, readPage } from '../database/list-query.ts'
import { lockUser } from '../database/lock-user.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { issueToken, toToken } from '../mail-links/mailed-tokens.ts'

export type Users = {
  /** @throws Refusal as {@link readQueries} */
  list(asked: {
    queries: string[] | undefined
    search: string | undefined
    hasTotal: boolean
  }): Promise<{ total: number; users: User[] }>
  /**
   * Also while registration is closed.
   * @throws Refusal `general_argument_invalid`, `password_personal_data`, `user_already_exists`
   */
  create(sent: NewUser): Promise<User>
  /**
   * A secret that signs this person in once; shown to the caller alone.
   * @throws Refusal `user_not_found`, `user_blocked`
   */
  makeSignInLink(userId: string, seconds: number | undefined): Promise<Token>
  /** @throws Refusal `user_not_found`, `user_session_not_found` */
  endSession(userId: string, sessionId: string): Promise<void>
  /** @throws Refusal `user_not_found` */
  endSessions(userId: string): Promise<void>
}

const USER_QUERIES: QuerySchema = {
  name: { type: 'string' },
  email: { type: 'string' },
  phone: { type: 'string' },
  status: { type: 'boolean' },
  passwordUpdate: { type: 'datetime' },
  registration: { type: 'datetime' },
  emailVerification: { type: 'boolean' },
  phoneVerification: { type: 'boolean' },
  $id: { type: 'string' },
  $createdAt: { type: 'datetime' },
  $updatedAt: { type: 'datetime' },
}

/** People carry no number of creation: their moment and id together say the order. */
function userList(db: Database): ListSource {
  const creationOrder = sql`(${sql.ref('user.createdAt')} || ${sql.ref('user.id')})`
  return {
    table: 'user',
    seq: byCodePoint(db, creationOrder),
    id: sql.ref('user.id'),
    columns: {
      name: { value: sql.ref('user.name'), isText: true },
      email: { value: sql.ref('user.email'), isText: true },
      phone: { value: sql`cast('' as text)`, isText: true },
      status: { value: sql`(1 - ${sql.ref('user.isBlocked')})` },
      passwordUpdate: { value: sql`coalesce(${sql.ref('user.passwordUpdatedAt')}, '')` },
      registration: { value: sql.ref('user.createdAt') },
      emailVerification: { value: sql.ref('user.isVerified') },
      phoneVerification: { value: sql`cast(0 as integer)` },
      $id: { value: sql.ref('user.id'), isText: true },
      $createdAt: { value: sql.ref('user.createdAt') },
      $updatedAt: { value: sql.ref('user.updatedAt') },
    },
  }
}

type UsersNeeds = Pick<AccountsNeeds, 'db' | 'background' | 'log' | 'now' | 'passwords'>

export function makeUsers({ db, background, log, now, passwords }: UsersNeeds): Users {
  return {
    async list({ queries, search, hasTotal }) {
      const query = readQueries(queries, USER_QUERIES, { isKey: true })
      if (query.select)
        throw new Refusal('general_argument_invalid', 'Invalid query method: select')
      const source = userList(db)
      const scope = search === undefined ? sql<SqlBool>`1 = 1` : holds(db, search)
      const page = await readPage(db, source, query, scope)
      const rows = await db
        .selectFrom('user')
        .selectAll()
        .where(page.where)
        .orderBy(page.orderBy)
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      return {
        total: hasTotal ? await countRows(db, source, query, scope) : 0,
        users: inOrder(page, rows).map(toUser),
      }
    },

    async create(sent) {
      const at = now()
      const id = readNewUserId(sent.userId, at)
      const [email, name] = [readEmail(sent.email), readName(sent.name ?? '')]
      if (sent.password !== undefined) await checkNewPassword(sent.password, { email, name })
      const user = makeUserRow(
        {
          id,
          email,
          name,
          passwordHash: sent.password === undefined ? null : await passwords.hash(sent.password),
        },
        at,
      )
      await addNewUser(db, user)
      log.info(
        { event: 'account made by the operator', userId: id },
        'account made by the operator',
      )
      return toUser(user)
    },

    async makeSignInLink(userId, seconds) {
      return inTransaction(db, background, async (tx) => {
        const user = await lockUser(tx, userId)
        if (!user) throw new Refusal('user_not_found')
        if (user.isBlocked) throw new Refusal('user_blocked')
        const { token, secret } = await issueToken(
          tx,
          { userId, kind: 'sign-in' },
          { now: now(), seconds },
        )
        log.info(
          { event: 'sign-in link made by the operator', userId },
          'sign-in link made by the operator',
        )
        return toToken(token, secret)
      })
    },

    async endSession(userId, sessionId) {
      await readUserRow(db, userId)
      const wasThere = isId(sessionId) && (await store.deleteSession(db, userId, sessionId))
      if (!wasThere) throw new Refusal('user_session_not_found')
    },

    async endSessions(userId) {
      await readUserRow(db, userId)
      await store.deleteSessions(db, userId)
    },
  }
}

/** The words are part of the id, the name or the e-mail, letter case of A to Z aside. */
function holds(db: Database, search: string): RawBuilder<SqlBool> {
  const columns = [sql.ref('user.id'), sql.ref('user.name'), sql.ref('user.email')]
  const parts = columns.map((column) => containsTextIgnoringCase(db, column, search))
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
}
