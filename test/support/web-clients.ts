// Every major version of the published web client from 10 on, unmodified, used as programs of its
// time use it. Until version 18 arguments are positional, from 19 on they are one object.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { loadOlderClient, WEB_CLIENT_VERSIONS } from './client-packages.ts'
import { captureCookie, type ImageFile, type Login, type Stored } from './clients.ts'

type Resource = Record<string, unknown> & { $id: string }
type Listed = { total: number; posts: Resource[] }
type Data = Record<string, unknown>

/** One person with one client. Posts are those of the default collection, files of `content`. */
export type WebClient = {
  signUp(login: Login & { name: string }): Promise<Resource>
  signIn(login: Login): Promise<Resource>
  whoAmI(): Promise<Resource>
  savePrefs(prefs: Data): Promise<Resource>
  readPrefs(): Promise<Data>
  signOut(): Promise<unknown>
  documents: PostCalls
  /** The newer TablesDB calls, if the package has them. */
  rows: PostCalls | undefined
  upload(image: ImageFile): Promise<Stored>
  deleteFile(id: string): Promise<unknown>
  /** Addresses for `<img>`; no request is made. */
  links(fileId: string, name: string): { preview: string; view: string; initials: string }
  /** @returns a function that unsubscribes */
  listen(channel: string, onEvent: (event: { events: string[]; payload: Data }) => void): () => void
  /** The session secret, which the page would store. */
  session(): string
}

export type PostCalls = {
  create(id: string, data: Data, permissions: string[]): Promise<Resource>
  get(id: string): Promise<Resource>
  /** Active posts of one author, newest first. */
  list(authorId: string): Promise<Listed>
  update(id: string, data: Data): Promise<Resource>
  delete(id: string): Promise<unknown>
}

type MakeWebClient = (url: string) => WebClient

/** From this major version on, arguments are passed as one object. */
const FIRST_BY_OBJECT = 19

export const WEB_CLIENTS: { name: string; version: string; make: MakeWebClient }[] = [
  ...WEB_CLIENT_VERSIONS,
].map(([name, version]) => ({ name, version, make: makerOf(name, version) }))

function makerOf(name: string, version: string): MakeWebClient {
  if (name === 'appwrite') return (url) => positional(web13, url)
  if (name === 'appwrite-newest') return (url) => byObject(webNewest, url)
  return Number.parseInt(version, 10) < FIRST_BY_OBJECT
    ? (url) => positional(loadOlderClient<typeof web13>(name), url)
    : (url) => byObject(loadOlderClient<typeof webNewest>(name), url)
}

const PROJECT = 'blog'
const BUCKET = 'content'
const databaseId = 'blogdb'
const collectionId = 'posts'

type AnyClient = {
  headers: object
  setEndpoint(endpoint: string): unknown
  setProject(project: string): unknown
  subscribe<Payload>(
    channels: string,
    callback: (event: { events: string[]; payload: Payload }) => void,
  ): () => void
}
type Common<Client> = {
  Client: new () => Client
  ID: { unique(): string }
  Query: {
    equal(attribute: string, value: string | string[]): string
    orderDesc(attribute: string): string
    limit(limit: number): string
  }
}

function start<Client extends AnyClient>({ Client, Query }: Common<Client>, url: string) {
  const client = new Client()
  client.setEndpoint(`${url}/v1`)
  client.setProject(PROJECT)
  const queries = (authorId: string) => [
    Query.equal('status', ['active']),
    Query.equal('userId', authorId),
    Query.orderDesc('$createdAt'),
    Query.limit(10),
  ]
  return {
    client,
    queries,
    keep: <Result>(call: () => Promise<Result>) => captureCookie(client.headers, call),
    listen: (channel: string, onEvent: (event: { events: string[]; payload: Data }) => void) =>
      client.subscribe<Data>(channel, onEvent),
    session: () => cookieOf(client.headers),
  }
}

function cookieOf(headers: object): string {
  const { cookie = '' } = headers as { cookie?: string }
  return decodeURIComponent(cookie.replace(/^[^=]*=/, ''))
}

type Documents = { total: number; documents: Resource[] }
type PositionalSdk<Client> = Common<Client> & {
  Account: new (
    client: Client,
  ) => {
    create(userId: string, email: string, password: string, name: string): Promise<Resource>
    createEmailSession?(email: string, password: string): Promise<Resource>
    createEmailPasswordSession?(email: string, password: string): Promise<Resource>
    get(): Promise<Resource>
    updatePrefs(prefs: Data): Promise<Resource>
    getPrefs(): Promise<Data>
    deleteSession(id: string): Promise<unknown>
  }
  Databases: new (
    client: Client,
  ) => {
    createDocument(
      ...call: [database: string, collection: string, id: string, data: Data, may: string[]]
    ): Promise<Resource>
    getDocument(database: string, collection: string, id: string): Promise<Resource>
    listDocuments(database: string, collection: string, queries: string[]): Promise<Documents>
    updateDocument(database: string, collection: string, id: string, data: Data): Promise<Resource>
    deleteDocument(database: string, collection: string, id: string): Promise<unknown>
  }
  Storage: new (
    client: Client,
  ) => {
    createFile(bucket: string, id: string, file: File): Promise<Stored>
    deleteFile(bucket: string, id: string): Promise<unknown>
    getFilePreview(bucket: string, id: string, width: number, height: number): URL | string
    getFileView(bucket: string, id: string): URL | string
  }
  Avatars: new (client: Client) => { getInitials(name: string): URL | string }
}

function positional<Client extends AnyClient>(sdk: PositionalSdk<Client>, url: string): WebClient {
  const { client, queries, keep, ...rest } = start(sdk, url)
  const account = new sdk.Account(client)
  const databases = new sdk.Databases(client)
  const storage = new sdk.Storage(client)
  const avatars = new sdk.Avatars(client)
  return {
    ...rest,
    signUp: ({ email, password, name }) => account.create(sdk.ID.unique(), email, password, name),
    signIn: ({ email, password }) =>
      keep(async () => {
        const session = account.createEmailPasswordSession
          ? account.createEmailPasswordSession(email, password)
          : account.createEmailSession?.(email, password)
        if (!session) throw new Error('This client signs nobody in')
        return session
      }),
    whoAmI: () => account.get(),
    savePrefs: (prefs) => account.updatePrefs(prefs),
    readPrefs: () => account.getPrefs(),
    signOut: () => account.deleteSession('current'),
    documents: {
      create: (id, data, may) => databases.createDocument(databaseId, collectionId, id, data, may),
      get: (id) => databases.getDocument(databaseId, collectionId, id),
      async list(authorId) {
        const authorQueries = queries(authorId)
        const { total, documents } = await databases.listDocuments(
          databaseId,
          collectionId,
          authorQueries,
        )
        return { total, posts: documents }
      },
      update: (id, data) => databases.updateDocument(databaseId, collectionId, id, data),
      delete: (id) => databases.deleteDocument(databaseId, collectionId, id),
    },
    rows: undefined,
    upload: ({ bytes, name, type }) =>
      storage.createFile(
        BUCKET,
        sdk.ID.unique(),
        new File([new Uint8Array(bytes)], name, { type }),
      ),
    deleteFile: (id) => storage.deleteFile(BUCKET, id),
    links: (id, name) => ({
      preview: String(storage.getFilePreview(BUCKET, id, 40, 30)),
      view: String(storage.getFileView(BUCKET, id)),
      initials: String(avatars.getInitials(name)),
    }),
  }
}

type InFile = { bucketId: string; fileId: string }
type InCollection = { databaseId: string; collectionId: string }
type InTable = { databaseId: string; tableId: string }
type ObjectSdk<Client> = Common<Client> & {
  Account: new (
    client: Client,
  ) => {
    create(call: Login & { userId: string; name: string }): Promise<Resource>
    createEmailPasswordSession(login: Login): Promise<Resource>
    get(): Promise<Resource>
    updatePrefs(call: { prefs: Data }): Promise<Resource>
    getPrefs(): Promise<Data>
    deleteSession(call: { sessionId: string }): Promise<unknown>
  }
  Databases: new (
    client: Client,
  ) => {
    createDocument(
      call: InCollection & { documentId: string; data: Data; permissions: string[] },
    ): Promise<Resource>
    getDocument(call: InCollection & { documentId: string }): Promise<Resource>
    listDocuments(call: InCollection & { queries: string[] }): Promise<Documents>
    updateDocument(call: InCollection & { documentId: string; data: Data }): Promise<Resource>
    deleteDocument(call: InCollection & { documentId: string }): Promise<unknown>
  }
  TablesDB: new (
    client: Client,
  ) => {
    createRow(
      call: InTable & { rowId: string; data: Data; permissions: string[] },
    ): Promise<Resource>
    getRow(call: InTable & { rowId: string }): Promise<Resource>
    listRows(call: InTable & { queries: string[] }): Promise<{ total: number; rows: Resource[] }>
    updateRow(call: InTable & { rowId: string; data: Data }): Promise<Resource>
    deleteRow(call: InTable & { rowId: string }): Promise<unknown>
  }
  Storage: new (
    client: Client,
  ) => {
    createFile(call: InFile & { file: File }): Promise<Stored>
    deleteFile(call: InFile): Promise<unknown>
    getFilePreview(call: InFile & { width: number; height: number }): string
    getFileView(call: InFile): string
  }
  Avatars: new (client: Client) => { getInitials(call: { name: string }): string }
}

function byObject<Client extends AnyClient>(sdk: ObjectSdk<Client>, url: string): WebClient {
  const { client, queries, keep, ...rest } = start(sdk, url)
  const account = new sdk.Account(client)
  const storage = new sdk.Storage(client)
  const avatars = new sdk.Avatars(client)
  const inFile = (fileId: string) => ({ bucketId: BUCKET, fileId })
  return {
    ...rest,
    signUp: (person) => account.create({ userId: sdk.ID.unique(), ...person }),
    signIn: (login) => keep(() => account.createEmailPasswordSession(login)),
    whoAmI: () => account.get(),
    savePrefs: (prefs) => account.updatePrefs({ prefs }),
    readPrefs: () => account.getPrefs(),
    signOut: () => account.deleteSession({ sessionId: 'current' }),
    documents: documentsByObject(new sdk.Databases(client), queries),
    rows: rowsByObject(new sdk.TablesDB(client), queries),
    upload: ({ bytes, name, type }) => {
      const file = new File([new Uint8Array(bytes)], name, { type })
      return storage.createFile({ ...inFile(sdk.ID.unique()), file })
    },
    deleteFile: (id) => storage.deleteFile(inFile(id)),
    links: (id, name) => ({
      preview: storage.getFilePreview({ ...inFile(id), width: 40, height: 30 }),
      view: storage.getFileView(inFile(id)),
      initials: avatars.getInitials({ name }),
    }),
  }
}

type QueriesOf = (authorId: string) => string[]

function documentsByObject<Client>(
  databases: InstanceType<ObjectSdk<Client>['Databases']>,
  queriesOf: QueriesOf,
): PostCalls {
  const at = (documentId: string) => ({ databaseId, collectionId, documentId })
  return {
    create: (id, data, permissions) => databases.createDocument({ ...at(id), data, permissions }),
    get: (id) => databases.getDocument(at(id)),
    async list(authorId) {
      const call = { databaseId, collectionId, queries: queriesOf(authorId) }
      const { total, documents } = await databases.listDocuments(call)
      return { total, posts: documents }
    },
    update: (id, data) => databases.updateDocument({ ...at(id), data }),
    delete: (id) => databases.deleteDocument(at(id)),
  }
}

function rowsByObject<Client>(
  tables: InstanceType<ObjectSdk<Client>['TablesDB']>,
  queriesOf: QueriesOf,
): PostCalls {
  const table = { databaseId, tableId: collectionId }
  return {
    create: (rowId, data, permissions) => tables.createRow({ ...table, rowId, data, permissions }),
    get: (rowId) => tables.getRow({ ...table, rowId }),
    async list(authorId) {
      const { total, rows } = await tables.listRows({ ...table, queries: queriesOf(authorId) })
      return { total, posts: rows }
    },
    update: (rowId, data) => tables.updateRow({ ...table, rowId, data }),
    delete: (rowId) => tables.deleteRow({ ...table, rowId }),
  }
}
