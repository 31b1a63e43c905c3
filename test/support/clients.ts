// One interface over three published client packages, unmodified, each used by its own calls.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import * as nodeNewest from 'node-appwrite'
import { InputFile } from 'node-appwrite/file'
import type { TestBlog } from './blog.ts'
import { loadOlderClient } from './client-packages.ts'

export type Login = { email: string; password: string }
export type Stored = {
  $id: string
  name: string
  mimeType: string
  sizeOriginal: number
  chunksTotal: number
  chunksUploaded: number
}
export type ImageFile = { name: string; type: string; bytes: Buffer }
type Resource = Record<string, unknown> & { $id: string }

/**
 * One person (or the API key) with a client of one package. Documents are those of the default
 * collection, files of `content`.
 */
export type Driver = {
  signUp(login: Login & { name: string }): Promise<Resource>
  /** Signs in and carries the session from then on, as a browser's cookie jar would. */
  signIn(login: Login): Promise<Resource>
  whoAmI(): Promise<Resource>
  createPost(id: string, data: Record<string, unknown>): Promise<Resource>
  readPost(id: string): Promise<Resource>
  /** Active posts, newest first, in the package's own query notation. */
  listPosts(): Promise<{ total: number; documents: Resource[] }>
  updatePost(id: string, data: Record<string, unknown>): Promise<Resource>
  deletePost(id: string): Promise<unknown>
  /** @param onProgress called after each chunk of a chunked upload */
  upload(image: ImageFile, onProgress: () => void): Promise<Stored>
  deleteFile(id: string): Promise<unknown>
}
export type MakeDriver = (blog: TestBlog) => Driver

const DATABASE = 'blogdb'
const COLLECTION = 'posts'
const BUCKET = 'content'
const PROJECT = 'blog'

export const DRIVERS: [name: string, make: MakeDriver][] = [
  ['appwrite 13.0.2', makeWeb13],
  ['appwrite, newest', makeWebNewest],
  ['node-appwrite, newest, with a session', makeNodeNewest],
]

function makeWeb13(blog: TestBlog): Driver {
  const { Account, Client, Databases, ID, Query, Storage } = web13
  const client = new Client().setEndpoint(`${blog.url}/v1`).setProject(PROJECT)
  const account = new Account(client)
  const databases = new Databases(client)
  const storage = new Storage(client)
  return {
    signUp: ({ email, password, name }) => account.create(ID.unique(), email, password, name),
    signIn: ({ email, password }) =>
      captureCookie(client.headers, () => account.createEmailSession(email, password)),
    whoAmI: () => account.get(),
    ...documentCalls(databases, Query),
    upload: (image, onProgress) =>
      storage.createFile(BUCKET, ID.unique(), toFile(image), undefined, onProgress),
    deleteFile: (id) => storage.deleteFile(BUCKET, id),
  }
}

function makeWebNewest(blog: TestBlog): Driver {
  const { Account, Client, Databases, ID, Query, Storage } = webNewest
  const client = new Client().setEndpoint(`${blog.url}/v1`).setProject(PROJECT)
  const account = new Account(client)
  const databases = new Databases(client)
  const storage = new Storage(client)
  return {
    signUp: ({ email, password, name }) => account.create(ID.unique(), email, password, name),
    signIn: ({ email, password }) =>
      captureCookie(client.headers, () => account.createEmailPasswordSession(email, password)),
    whoAmI: () => account.get(),
    ...documentCalls(databases, Query),
    upload: (image, onProgress) =>
      storage.createFile({
        bucketId: BUCKET,
        fileId: ID.unique(),
        file: toFile(image),
        onProgress,
      }),
    deleteFile: (id) => storage.deleteFile(BUCKET, id),
  }
}

function makeNodeNewest(blog: TestBlog): Driver {
  const client = new nodeNewest.Client().setEndpoint(`${blog.url}/v1`).setProject(PROJECT)
  const account = new nodeNewest.Account(client)
  return {
    ...nodeCalls(client),
    signUp: ({ email, password, name }) =>
      account.create(nodeNewest.ID.unique(), email, password, name),
    async signIn({ email, password }) {
      const session = await account.createEmailPasswordSession(email, password)
      // This package stores no cookies: the session value is taken from a second sign-in.
      const answer = await blog.call('POST', '/account/sessions/email', {
        body: { email, password },
      })
      client.setSession(decodeURIComponent(firstCookie(answer.headers).replace(/^[^=]*=/, '')))
      return session
    },
    whoAmI: () => account.get(),
  }
}

type KeyDriver = Pick<Driver, keyof ReturnType<typeof nodeCalls>> & {
  readUser(id: string): Promise<Resource>
}

/**
 * Server packages with the blog's API key. Versions 13 to 25 are left out: their HTTP library does
 * not run on current Node.
 */
export const KEY_DRIVERS: [packageName: string, make: (blog: TestBlog) => KeyDriver][] = [
  ['node-appwrite-11', (blog) => makeOlderKeyDriver(loadOlderClient('node-appwrite-11'), blog)],
  ['node-appwrite-12', (blog) => makeOlderKeyDriver(loadOlderClient('node-appwrite-12'), blog)],
  ['node-appwrite', makeKeyDriver],
]

export function makeKeyDriver(blog: TestBlog): KeyDriver {
  const client = new nodeNewest.Client()
    .setEndpoint(`${blog.url}/v1`)
    .setProject(PROJECT)
    .setKey(blog.apiKey)
  return { ...nodeCalls(client), readUser: (id) => new nodeNewest.Users(client).get(id) }
}

type OlderClient = Record<'setEndpoint' | 'setProject' | 'setKey', (value: string) => OlderClient>
type OlderSdk = {
  Client: new () => OlderClient
  Databases: new (client: OlderClient) => Databases
  Storage: new (
    client: OlderClient,
  ) => {
    createFile(bucketId: string, id: string, file: unknown): Promise<Stored>
    deleteFile(bucketId: string, id: string): Promise<unknown>
  }
  Users: new (client: OlderClient) => { get(id: string): Promise<Resource> }
  InputFile: { fromBuffer(bytes: Buffer, name: string): unknown }
  ID: { unique(): string }
  Query: Query
}

function makeOlderKeyDriver(sdk: OlderSdk, blog: TestBlog): KeyDriver {
  const client = new sdk.Client()
  client.setEndpoint(`${blog.url}/v1`).setProject(PROJECT).setKey(blog.apiKey)
  const storage = new sdk.Storage(client)
  return {
    ...documentCalls(new sdk.Databases(client), sdk.Query),
    upload: ({ bytes, name }) =>
      storage.createFile(BUCKET, sdk.ID.unique(), sdk.InputFile.fromBuffer(bytes, name)),
    deleteFile: (id) => storage.deleteFile(BUCKET, id),
    readUser: (id) => new sdk.Users(client).get(id),
  }
}

/** The signatures that all packages share; each has its own query notation. */
type Databases = {
  createDocument(
    databaseId: string,
    collectionId: string,
    id: string,
    data: Record<string, unknown>,
  ): Promise<Resource>
  getDocument(databaseId: string, collectionId: string, id: string): Promise<Resource>
  listDocuments(
    databaseId: string,
    collectionId: string,
    queries: string[],
  ): Promise<{ total: number; documents: Resource[] }>
  updateDocument(
    databaseId: string,
    collectionId: string,
    id: string,
    data: Record<string, unknown>,
  ): Promise<Resource>
  deleteDocument(databaseId: string, collectionId: string, id: string): Promise<unknown>
}
type Query = {
  equal(attribute: string, value: string): string
  orderDesc(attribute: string): string
  limit(limit: number): string
}

function documentCalls(databases: Databases, query: Query) {
  return {
    createPost: (id, data) => databases.createDocument(DATABASE, COLLECTION, id, data),
    readPost: (id) => databases.getDocument(DATABASE, COLLECTION, id),
    listPosts: () =>
      databases.listDocuments(DATABASE, COLLECTION, [
        query.equal('status', 'active'),
        query.orderDesc('$createdAt'),
        query.limit(10),
      ]),
    updatePost: (id, data) => databases.updateDocument(DATABASE, COLLECTION, id, data),
    deletePost: (id) => databases.deleteDocument(DATABASE, COLLECTION, id),
  } satisfies Partial<Driver>
}

function nodeCalls(client: nodeNewest.Client) {
  const { Databases, ID, Query, Storage } = nodeNewest
  const databases = new Databases(client)
  const storage = new Storage(client)
  return {
    ...documentCalls(databases, Query),
    upload: ({ bytes, name }, onProgress) =>
      storage.createFile({
        bucketId: BUCKET,
        fileId: ID.unique(),
        file: InputFile.fromBuffer(bytes, name),
        onProgress,
      }),
    deleteFile: (id) => storage.deleteFile(BUCKET, id),
  } satisfies Omit<Driver, 'signUp' | 'signIn' | 'whoAmI'>
}

function toFile({ bytes, name, type }: ImageFile): File {
  return new File([new Uint8Array(bytes)], name, { type })
}

/** Node's fetch has no cookie jar: the answer's cookie goes into the client's headers by hand. */
export async function captureCookie<Result>(
  headers: object,
  call: () => Promise<Result>,
): Promise<Result> {
  const real = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const answer = await real(input, init)
    if (answer.ok) Object.assign(headers, { cookie: firstCookie(answer.headers) })
    return answer
  }
  try {
    return await call()
  } finally {
    globalThis.fetch = real
  }
}

function firstCookie(headers: Headers): string {
  const cookie = headers.getSetCookie()[0]?.split(';')[0]
  if (!cookie) throw new Error('The sign-in set no cookie')
  return cookie
}
