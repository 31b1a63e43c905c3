// The rules of accounts: signing up, sessions, prefs, looking people up. Knows no HTTP answer and
// no SQL.
import type { Account, NewAccount, Prefs, PublicUser, Session, User } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { FindViewer, UserViewer, Viewer } from '../http/viewer.ts'
import type { AccountsNeeds, Caller } from './needs.ts'
import { addNewUser, makeUserRow, readNewUserId } from './new-user.ts'
import { checkNewPassword } from './passwords.ts'
import { readEmail, readName, writePrefs } from './personal-details.ts'
import { readUserRow } from './read-user-row.ts'
import { makeTokenNames, type TokenNames } from './session-tokens.ts'
import { aliveAt, makeFindViewer, readSessionRow } from './sessions.ts'
import { toAccount, toPublicUser, toSession, toUser } from './shapes.ts'
import { makeSignIn, type SignIn } from './sign-in.ts'
import * as store from './user-store.ts'

export type Accounts = {
  findViewer: FindViewer
  /** How the session cookie is called here. */
  tokenNames: TokenNames
  isHttps: boolean
  isCrossSite: boolean
  signUp(sent: NewAccount, caller: Caller): Promise<Account>
  signIn: SignIn
  readAccount(viewer: UserViewer): Promise<Account>
  /** Replaces all prefs. @throws Refusal `general_argument_invalid` when they are too large */
  setPrefs(viewer: UserViewer, prefs: Prefs): Promise<Account>
  listSessions(viewer: UserViewer): Promise<Session[]>
  /**
   * @param sessionId or `current`.
   * @throws Refusal `user_session_not_found`, also for somebody else's
   */
  readSession(viewer: UserViewer, sessionId: string): Promise<Session>
  /** @returns whether it was the viewer's current one. @throws as `readSession` */
  endSession(
    viewer: UserViewer,
    sessionId: string,
    caller: Caller,
  ): Promise<{ wasCurrent: boolean }>
  endSessions(viewer: UserViewer, caller: Caller): Promise<void>
  /**
   * @returns everything for the API key, id and name for everybody else.
   * @throws Refusal `user_not_found`
   */
  readPerson(viewer: Viewer, userId: string): Promise<User | PublicUser>
}

export function makeAccounts(needs: AccountsNeeds): Accounts {
  const { db, log, now, passwords } = needs
  const isHttps = needs.publicUrl.startsWith('https:')
  const tokenNames = makeTokenNames(needs.projectId, { isHttps })

  return {
    isHttps,
    isCrossSite: needs.isCrossSite,
    tokenNames,
    findViewer: makeFindViewer({ ...needs, names: tokenNames }),
    signIn: makeSignIn(needs),
    signUp,
    async readAccount(viewer) {
      return toAccount(await readUserRow(db, viewer.userId))
    },
    async setPrefs(viewer, prefs) {
      const user = await store.changeUser(db, viewer.userId, {
        prefs: writePrefs(prefs),
        updatedAt: now().toISOString(),
      })
      if (!user) throw new Refusal('user_not_found')
      return toAccount(user)
    },
    async listSessions(viewer) {
      const rows = await store.listSessions(db, viewer.userId, aliveAt(now()))
      return rows.map((row) => toSession(row, { isCurrent: row.id === viewer.sessionId }))
    },
    async readSession(viewer, sessionId) {
      const row = await readSessionRow(db, viewer, sessionId, now())
      const isCurrent = row.id === viewer.sessionId
      // The only place in the whole API that shows it: to read, or got anew (api.md §2.2, §2.4).
      const providerAccessToken = isCurrent
        ? needs.providerTokens.open(row.providerAccessToken, row.userId)
        : undefined
      return {
        ...toSession(row, { isCurrent }),
        ...(providerAccessToken ? { providerAccessToken } : {}),
      }
    },
    async endSession(viewer, sessionId, { requestId, address }) {
      const wanted = sessionId === 'current' ? viewer.sessionId : sessionId
      const wasThere = isId(wanted) && (await store.deleteSession(db, viewer.userId, wanted))
      if (!wasThere) throw new Refusal('user_session_not_found')
      log.info({ event: 'sign-out', requestId, userId: viewer.userId, address }, 'a session ended')
      return { wasCurrent: wanted === viewer.sessionId }
    },
    async endSessions(viewer, { requestId, address }) {
      await store.deleteSessions(db, viewer.userId)
      log.info(
        { event: 'sign-out', requestId, userId: viewer.userId, address },
        'all sessions ended',
      )
    },
    async readPerson(viewer, userId) {
      const user = isId(userId) ? await store.findUser(db, userId) : undefined
      const isShown =
        user && (viewer.role === 'key' || user.isVerified || user.passwordHash !== null)
      // An account that only a request for a sign-in link has made is nobody yet: showing it would
      // tell what the request did.
      if (!isShown) throw new Refusal('user_not_found')
      return viewer.role === 'key' ? toUser(user) : toPublicUser(user)
    },
  }

  /**
   * Opens an account; no session starts.
   *
   * @throws Refusal `user_count_exceeded` when registration is closed (the only documented refusal
   *   for it), `general_argument_invalid`, `password_personal_data`, `user_already_exists` (id, or
   *   e-mail in any letter case)
   * @source api.md §2.2, threat-model.md §3
   */
  async function signUp(sent: NewAccount, { requestId, address }: Caller): Promise<Account> {
    if (!needs.isRegistrationOpen) throw new Refusal('user_count_exceeded')
    const at = now()
    const id = readNewUserId(sent.userId, at)
    const email = readEmail(sent.email)
    const name = readName(sent.name ?? '')
    await checkNewPassword(sent.password, { email, name })
    if (await store.isTaken(db, { userId: id, email })) throw new Refusal('user_already_exists')
    const passwordHash = await passwords.hash(sent.password)
    const user = makeUserRow({ id, email, name, passwordHash }, at)
    await addNewUser(db, user)
    log.info({ event: 'sign-up', requestId, userId: id, address }, 'signed up')
    return toAccount(user)
  }
}
