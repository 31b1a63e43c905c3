// A project of the hosted API, for the command line: a JSON file names its endpoint, key and ids,
// and the posts are read over the network. Their pictures are addresses of the project.
import { readText } from './file-tree.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  SourceProblem,
} from './source.ts'
import {
  dateAt,
  distinct,
  emptyPost,
  lineAt,
  lineOf,
  listOf,
  parseJson,
  textOf,
  type Values,
  valuesOf,
} from './source-values.ts'

const FILE_MAX_BYTES = 100_000
const NAMES = ['endpoint', 'project', 'key', 'database', 'collection', 'bucket'] as const
type Project = Record<(typeof NAMES)[number], string>

/** Few, because a post may have a million characters. */
const PAGE_POSTS = 10
const ANSWER_MAX_BYTES = 64_000_000
const ANSWER_MAX_MS = 60_000

export const api: Source = {
  kind: 'api',
  recognise: async (tree) => (await readProject(tree)) !== undefined,
  read,
}

/** The values of the only file of the tree, a short one. */
async function readProject(tree: FileTree): Promise<Project | undefined> {
  let found: string | undefined
  for await (const { path, sizeBytes } of tree.list()) {
    if (found !== undefined || sizeBytes > FILE_MAX_BYTES) return undefined
    found = path
  }
  const values = valuesOf(found && parseJson(await readText(tree, found, FILE_MAX_BYTES)))
  if (!values.endpoint || !values.project || !values.collection) return undefined
  return Object.fromEntries(NAMES.map((name) => [name, lineOf(values[name])])) as Project
}

async function read(tree: FileTree, sink: ImportSink, { signal, oldAddress }: ReadOptions) {
  const project = await readProject(tree)
  const missing = NAMES.find((name) => name !== 'bucket' && !project?.[name])
  if (!project || missing) throw new SourceProblem(`${tree.name} has no "${missing}".`)
  project.endpoint = project.endpoint.replace(/\/$/, '')
  const origin = URL.parse(project.endpoint)?.origin
  if (!origin) throw new SourceProblem(`"endpoint" in ${tree.name} must be an address.`)
  sink.site({ program: 'API', name: '', description: '', url: oldAddress || origin })
  const people = new Set<string>()
  let done = 0
  let last = ''
  for (;;) {
    const { documents, total } = await listDocuments(project, last, signal)
    for (const document of documents) {
      const author = lineAt(document, 'userid', 'userId')
      if (author !== '' && !people.has(author)) await addPerson(project, author, sink, signal)
      people.add(author)
      readPost(project, document, sink)
      sink.progress(++done, Math.max(total, done))
    }
    const next = lineOf(documents.at(-1)?.$id)
    // A server that does not know the cursor would send the same page for ever.
    if (documents.length < PAGE_POSTS || next === '' || next === last) return
    last = next
  }
}

async function listDocuments(project: Project, last: string, signal: AbortSignal) {
  const queries: Values[] = [{ method: 'limit', values: [PAGE_POSTS] }]
  if (last !== '') queries.push({ method: 'cursorAfter', values: [last] })
  const query = queries
    .map((value, at) => `queries[${at}]=${encodeURIComponent(JSON.stringify(value))}`)
    .join('&')
  const [database, collection] = [project.database, project.collection].map(encodeURIComponent)
  const path = `/databases/${database}/collections/${collection}/documents`
  const answer = await get(project, `${path}?${query}`, signal)
  return { documents: listOf(answer.documents).map(valuesOf), total: Number(answer.total) || 0 }
}

/** @throws SourceProblem that says what the server answered */
async function get(
  { endpoint, project, key }: Project,
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
  const answer = valuesOf(parseJson(Buffer.concat(chunks).toString('utf8')))
  if (response.ok) return answer
  const message = lineOf(answer.message)
  throw new SourceProblem(`${endpoint} refuses with ${response.status}${message && `: ${message}`}`)
}

/** A key may lack the right to read people: then they have the names of their ids. */
async function addPerson(project: Project, id: string, sink: ImportSink, signal: AbortSignal) {
  const path = `/users/${encodeURIComponent(id)}`
  const user = await get(project, path, signal).catch((error): Values => {
    if (error instanceof SourceProblem) return {}
    throw error
  })
  sink.person({ key: id, name: lineOf(user.name) || id, email: lineOf(user.email) })
}

function readPost(
  { endpoint, project, bucket }: Project,
  document: Values,
  sink: ImportSink,
): void {
  const post = emptyPost(lineOf(document.$id))
  const isActive = document.status === 'active'
  post.title = lineOf(document.title)
  post.html = textOf(document.content)
  post.status = isActive ? 'published' : 'draft'
  post.createdAt = dateAt(document, '$createdAt')
  post.updatedAt = dateAt(document, '$updatedAt')
  post.publishedAt = isActive ? dateAt(document, 'publishedAt', '$createdAt') : ''
  post.authors = distinct([lineAt(document, 'userid', 'userId')])
  post.tags = distinct(listOf(document.tags).map(lineOf))
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
