// Account operations through the calls of three published client packages, unmodified.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { loadOlderClient } from './client-packages.ts'
import { captureCookie } from './clients.ts'

export type Login = { email: string; password: string }
export type Proof = { userId: string; secret: string }
type Resource = Record<string, unknown>

/** One person's account in one package. Calls after the sign-in carry the session cookie. */
export type AccountClient = {
  signUp(login: Login & { name: string }): Promise<Resource>
  signIn(login: Login): Promise<Resource>
  get(): Promise<Resource>
  updateName(name: string): Promise<Resource>
  updateEmail(login: Login): Promise<Resource>
  updatePassword(password: string, oldPassword: string): Promise<Resource>
  updatePrefs(prefs: Record<string, unknown>): Promise<Resource>
  startRecovery(email: string, url: string): Promise<Resource>
  finishRecovery(proof: Proof, password: string): Promise<Resource>
  startVerification(url: string): Promise<Resource>
  finishVerification(proof: Proof): Promise<Resource>
  startMagicUrl(email: string, url: string): Promise<Resource>
  finishMagicUrl(proof: Proof): Promise<Resource>
  refreshSession(): Promise<Resource>
  listSessions(): Promise<{ total: number }>
  signOutEverywhere(): Promise<unknown>
  block(): Promise<Resource>
}

type MakeAccountClient = (url: string) => AccountClient

export const ACCOUNT_CLIENTS: [packageName: string, make: MakeAccountClient][] = [
  ['appwrite', makeWeb13],
  ['appwrite-18', makeWeb18],
  ['appwrite-newest', makeWebNewest],
]

const PROJECT = 'blog'

function makeWeb13(url: string): AccountClient {
  const { Account, Client, ID } = web13
  const client = new Client().setEndpoint(`${url}/v1`).setProject(PROJECT)
  const account = new Account(client)
  const keep = <Result>(call: () => Promise<Result>) => captureCookie(client.headers, call)
  return {
    ...positionalCalls(account, keep),
    signUp: ({ email, password, name }) => account.create(ID.unique(), email, password, name),
    signIn: ({ email, password }) => keep(() => account.createEmailSession(email, password)),
    finishRecovery: ({ userId, secret }, password) =>
      account.updateRecovery(userId, secret, password, password),
    startMagicUrl: (email, link) => account.createMagicURLSession(ID.unique(), email, link),
    finishMagicUrl: ({ userId, secret }) =>
      keep(() => account.updateMagicURLSession(userId, secret)),
  }
}

function makeWeb18(url: string): AccountClient {
  const { Account, Client, ID } = loadOlderClient<typeof webNewest>('appwrite-18')
  const client = new Client().setEndpoint(`${url}/v1`).setProject(PROJECT)
  const account = new Account(client)
  const keep = <Result>(call: () => Promise<Result>) => captureCookie(client.headers, call)
  return {
    ...positionalCalls(account, keep),
    signUp: ({ email, password, name }) => account.create(ID.unique(), email, password, name),
    signIn: ({ email, password }) =>
      keep(() => account.createEmailPasswordSession(email, password)),
    finishRecovery: ({ userId, secret }, password) =>
      account.updateRecovery(userId, secret, password),
    startMagicUrl: (email, link) => account.createMagicURLToken(ID.unique(), email, link),
    finishMagicUrl: ({ userId, secret }) => keep(() => account.createSession(userId, secret)),
  }
}

/** The positional signatures that both older packages share. */
type PositionalAccount = {
  get(): Promise<Resource>
  updateName(name: string): Promise<Resource>
  updateEmail(email: string, password: string): Promise<Resource>
  updatePassword(password: string, oldPassword: string): Promise<Resource>
  updatePrefs(prefs: Record<string, unknown>): Promise<Resource>
  createRecovery(email: string, url: string): Promise<Resource>
  createVerification(url: string): Promise<Resource>
  updateVerification(userId: string, secret: string): Promise<Resource>
  updateSession(sessionId: string): Promise<Resource>
  listSessions(): Promise<{ total: number }>
  deleteSessions(): Promise<unknown>
  updateStatus(): Promise<Resource>
}

function positionalCalls(
  account: PositionalAccount,
  keep: <Result>(call: () => Promise<Result>) => Promise<Result>,
) {
  return {
    get: () => account.get(),
    updateName: (name) => account.updateName(name),
    updateEmail: ({ email, password }) => account.updateEmail(email, password),
    updatePassword: (password, old) => keep(() => account.updatePassword(password, old)),
    updatePrefs: (prefs) => account.updatePrefs(prefs),
    startRecovery: (email, link) => account.createRecovery(email, link),
    startVerification: (link) => account.createVerification(link),
    finishVerification: ({ userId, secret }) => account.updateVerification(userId, secret),
    refreshSession: () => account.updateSession('current'),
    listSessions: () => account.listSessions(),
    signOutEverywhere: () => account.deleteSessions(),
    block: () => account.updateStatus(),
  } satisfies Partial<AccountClient>
}

function makeWebNewest(url: string): AccountClient {
  const { Account, Client, ID } = webNewest
  const client = new Client().setEndpoint(`${url}/v1`).setProject(PROJECT)
  const account = new Account(client)
  const keep = <Result>(call: () => Promise<Result>) => captureCookie(client.headers, call)
  return {
    signUp: ({ email, password, name }) =>
      account.create({ userId: ID.unique(), email, password, name }),
    signIn: (login) => keep(() => account.createEmailPasswordSession(login)),
    get: () => account.get(),
    updateName: (name) => account.updateName({ name }),
    updateEmail: (login) => account.updateEmail(login),
    updatePassword: (password, oldPassword) =>
      keep(() => account.updatePassword({ password, oldPassword })),
    updatePrefs: (prefs) => account.updatePrefs({ prefs }),
    startRecovery: (email, link) => account.createRecovery({ email, url: link }),
    finishRecovery: (proof, password) => account.updateRecovery({ ...proof, password }),
    startVerification: (link) => account.createEmailVerification({ url: link }),
    finishVerification: (proof) => account.updateEmailVerification(proof),
    startMagicUrl: (email, link) =>
      account.createMagicURLToken({ userId: ID.unique(), email, url: link }),
    finishMagicUrl: (proof) => keep(() => account.createSession(proof)),
    refreshSession: () => account.updateSession({ sessionId: 'current' }),
    listSessions: () => account.listSessions(),
    signOutEverywhere: () => account.deleteSessions(),
    block: () => account.updateStatus(),
  }
}
