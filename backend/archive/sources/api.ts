// A project of the hosted API, for the command line: a JSON file names its endpoint, key and ids,
// and the posts are read over the network. Their pictures are addresses of the project.
import { readBeginning } from './file-tree.ts'
import { readText } from './read-texts.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  SourceProblem,
} from './source.ts'
import { distinct, emptyPost, lineOf, toIsoDate } from './source-values.ts'

type Values = Record<string, unknown>
type Project = {
  endpoint: string
  project: string
  key: string
  database: string
  collection: string
  bucket: string
}

const FILE_MAX_BYTES = 100_000
const NAMES = ['endpoint', 'project', 'key', 'database', 'collection', 'bucket'] as const
/** Few, because a post may have a million characters. */
const PAGE_POSTS = 10
const ANSWER_MAX_BYTES = 64_000_000
const ANSWER_MAX_MS = 60_000

export const api: Source = { kind: 'api', recognise, read }

async function recognise(tree: FileTree): Promise<boolean> {
  const file = await findFile(tree)
  if (!file) return false
  const beginning = (await readBeginning(tree, file, FILE_MAX_BYTES)).toString('utf8')
  return ['endpoint', 'project', 'collection'].every((name) => beginning.includes(`"${name}"`))
}

/** The only file of the tree, and a short one. */
async function findFile(tree: FileTree): Promise<string | undefined> {
  let found: string | undefined
  for await (const { path, sizeBytes } of tree.list()) {
    if (found !== undefined || sizeBytes > FILE_MAX_BYTES) return undefined
    found = path
  }
  return found
}

async function readProject(tree: FileTree): Promise<Project> {
  const path = (await findFile(tree)) ?? ''
  let values: Values
  try {
    values = JSON.parse(await readText(tree, path, FILE_MAX_BYTES)) as Values
  } catch (cause) {
    throw new SourceProblem(`${path} is no JSON.`, 0, { cause })
  }
  const project = Object.fromEntries(NAMES.map((name) => [name, lineOf(values[name])])) as Project
  const missing = NAMES.find((name) => name !== 'bucket' && project[name] === '')
  if (missing) throw new SourceProblem(`${path} has no "${missing}".`)
  project.endpoint = project.endpoint.replace(/\/$/, '')
  if (!/^https?:\/\//.test(project.endpoint))
    throw new SourceProblem(`"endpoint" in ${path} must be an address.`)
  return project
}

async function read(tree: FileTree, sink: ImportSink, { signal, oldAddress }: ReadOptions) {
  const project = await readProject(tree)
  const url = oldAddress || new URL(project.endpoint).origin
  sink.site({ program: 'API', name: '', description: '', url })
  const people = new Map<string, string>()
  let done = 0
  let last = ''
  for (;;) {
    const { documents, total } = await listDocuments(project, last, signal)
    for (const document of documents) {
      await addPerson(project, lineOf(document.userid ?? document.userId), people, sink, signal)
      readPost(project, document, sink)
      sink.progress(++done, Math.max(total, done))
    }
    const next = lineOf(documents.at(-1)?.$id)
    // A server that does not know the cursor would send the same page for ever.
    if (documents.length < PAGE_POSTS || next === '' || next === last) return
    last = next
  }
}

async function listDocuments(
  { database, collection, ...project }: Project,
  last: string,
  signal: AbortSignal,
) {
  const queries: Values[] = [{ method: 'limit', values: [PAGE_POSTS] }]
  if (last !== '') queries.push({ method: 'cursorAfter', values: [last] })
  const query = queries
    .map((value, at) => `queries[${at}]=${encodeURIComponent(JSON.stringify(value))}`)
    .join('&')
  const path = `/databases/${encodeURIComponent(database)}/collections/${encodeURIComponent(collection)}/documents`
  const answer = await get(project, `${path}?${query}`, signal)
  const documents = Array.isArray(answer.documents) ? (answer.documents as Values[]) : []
  return { documents, total: Number(answer.total) || 0 }
}

/** @throws SourceProblem that says what the server answered */
async function get(
  { endpoint, project, key }: Pick<Project, 'endpoint' | 'project' | 'key'>,
  path: string,
  signal: AbortSignal,
): Promise<Values> {
  const response = await fetch(endpoint + path, {
    headers: { 'X-Appwrite-Project': project, 'X-Appwrite-Key': key },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MAX_MS)]),
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new SourceProblem(`${endpoint} does not answer.`, 0, { cause })
  })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) throw new SourceProblem(`${endpoint} answers without an end.`)
    chunks.push(chunk)
  }
  const answer = parse(Buffer.concat(chunks).toString('utf8'))
  if (response.ok) return answer
  const message = lineOf(answer.message)
  throw new SourceProblem(`${endpoint} refuses with ${response.status}${message && `: ${message}`}`)
}

function parse(text: string): Values {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Values) : {}
  } catch {
    return {}
  }
}

/** A key may lack the right to read people: then they have the names of their ids. */
async function addPerson(
  project: Project,
  id: string,
  people: Map<string, string>,
  sink: ImportSink,
  signal: AbortSignal,
): Promise<void> {
  if (id === '' || people.has(id)) return
  const user = await get(project, `/users/${encodeURIComponent(id)}`, signal).catch((error) => {
    if (!(error instanceof SourceProblem)) throw error
    return {} as Values
  })
  people.set(id, id)
  sink.person({ key: id, name: lineOf(user.name) || id, email: lineOf(user.email) })
}

function readPost(
  { endpoint, project, bucket }: Project,
  document: Values,
  sink: ImportSink,
): void {
  const post = emptyPost(lineOf(document.$id))
  const author = lineOf(document.userid ?? document.userId)
  const isActive = document.status === 'active'
  post.title = lineOf(document.title)
  post.html = typeof document.content === 'string' ? document.content : ''
  post.status = isActive ? 'published' : 'draft'
  post.createdAt = toIsoDate(lineOf(document.$createdAt))
  post.updatedAt = toIsoDate(lineOf(document.$updatedAt))
  post.publishedAt = isActive ? toIsoDate(lineOf(document.publishedAt)) || post.createdAt : ''
  post.authors = distinct([author])
  post.tags = Array.isArray(document.tags) ? distinct(document.tags.map(lineOf)) : []
  post.excerpt = lineOf(document.excerpt)
  post.addressWords = lineOf(document.addressWords)
  post.url = `${new URL(endpoint).origin}/post/${post.key}`
  post.addresses = [`/post/${post.key}`]
  const image = lineOf(document.featuredImage)
  if (image !== '' && bucket !== '') {
    const file = `/storage/buckets/${encodeURIComponent(bucket)}/files/${encodeURIComponent(image)}/view`
    const url = `${endpoint}${file}?project=${encodeURIComponent(project)}`
    post.cover = { url, alt: '', caption: '' }
  }
  sink.post(post)
}
