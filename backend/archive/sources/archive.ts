// An export of this program, for a blog that has posts already: the rows of its data are read as
// posts, comments, people and pictures. (An empty blog gets the rows themselves.) An export without
// its data is read as Markdown.
import { postPath } from '#contract/post-url.ts'
import { CopyProblem } from '../../backups/backup-io.ts'
import { openArchive } from '../import/read-archive.ts'
import { readLines } from '../import/read-lines.ts'
import { findManifest } from '../import/recognise-archive.ts'
import { DATA_FOLDER, FILES_FOLDER, type Manifest } from '../manifest.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  SourceProblem,
} from './source.ts'
import {
  dateAt,
  emptyPost,
  lineOf,
  parseJson,
  textOf,
  toIsoDate,
  type Values,
  valuesOf,
} from './source-values.ts'

const ROW_MAX_BYTES = 16 * 1024 * 1024
const FILE_ADDRESS =
  /(?<=")[^"\s<>]{0,300}\/v1\/storage\/buckets\/[\w.-]{1,64}\/files\/([\w.-]{1,64})\/(?:view|preview|download)[^"<>]{0,300}(?=")/g
const PLACE_DIGITS = 4
/** Rows that posts and comments name, and what they are found by. */
const NAMED: Readonly<Record<string, (row: Values) => unknown>> = {
  user: ({ id }) => id,
  file: ({ id }) => id,
  postDetails: ({ postId }) => postId,
  postSchedule: ({ postId }) => postId,
  postTag: ({ postSeq, place }) => `${postSeq}/${String(place).padStart(PLACE_DIGITS, '0')}`,
  discussion: ({ seq }) => seq,
  commentAuthor: ({ commentSeq }) => commentSeq,
}

export const archive: Source = {
  kind: 'archive',
  recognise: async (tree) => (await manifestOf(tree))?.parts.includes('data') === true,
  read,
}

async function manifestOf(tree: FileTree) {
  try {
    return await findManifest(tree)
  } catch (cause) {
    throw toSourceProblem(cause)
  }
}

type Library = {
  url: string
  /** Rows of {@link NAMED} by their table and what they are found by, such as `user/a1`. */
  rows: DiskMap<Values>
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const { blog, program, counts } = await verify(tree, options)
  const url = options.oldAddress || blog.url
  sink.site({ program: `Lamplight ${program}`, name: blog.name, description: '', url })
  using rows = makeDiskMap<Values>()
  const library = { url, rows }
  const total = Object.values(counts.data ?? {}).reduce((sum, count) => sum + count, 0)
  let done = 0
  const each = async (table: string, readRow: (row: Values) => void) => {
    for await (const batch of readRows(tree, table)) {
      options.signal.throwIfAborted()
      batch.forEach(readRow)
      done += batch.length
      sink.progress(Math.min(done, total), total)
    }
  }
  for (const [table, keyOf] of Object.entries(NAMED))
    await each(table, (row) => {
      rows.add(`${table}/${keyOf(row)}`, row)
      if (table === 'user')
        sink.person({ key: lineOf(row.id), name: lineOf(row.name), email: lineOf(row.email) })
      if (table === 'discussion' && row.isClosed === 1) rows.add(`closed/${row.postId}`, row)
    })
  await each('post', (row) => readPost(library, row, sink))
  await each('deletedPost', (row) =>
    sink.leaveOut({
      what: 'post',
      name: lineOf(row.title),
      reason: 'notAPost',
      detail: 'deleted',
    }),
  )
  await each('comment', (row) => readComment(library, row, sink))
}

/** @throws SourceProblem when a file is not as it was exported */
async function verify(tree: FileTree, { signal }: ReadOptions): Promise<Manifest> {
  try {
    const { manifest } = await openArchive(tree, () => signal.throwIfAborted())
    return manifest
  } catch (cause) {
    throw toSourceProblem(cause)
  }
}

/** @returns other errors as they are */
function toSourceProblem(cause: unknown): unknown {
  if (!(cause instanceof CopyProblem)) return cause
  return new SourceProblem(`${cause.message}.`, 0, { cause })
}

async function* readRows(tree: FileTree, table: string): AsyncGenerator<Values[]> {
  const name = `${DATA_FOLDER}/${table}.jsonl`
  const stream = await tree.open(name)
  if (!stream) return
  try {
    for await (const lines of readLines(stream, { name, maxBytes: ROW_MAX_BYTES }))
      yield lines.map(({ number, text }) => {
        const row = parseJson(text)
        if (typeof row === 'object' && row !== null) return row as Values
        throw new SourceProblem(`Line ${number} of ${name} is no row.`, number)
      })
  } catch (cause) {
    throw toSourceProblem(cause)
  }
}

function readPost(library: Library, row: Values, sink: ImportSink): void {
  const { rows, url } = library
  const id = lineOf(row.id)
  const post = emptyPost(id)
  const details = valuesOf(parseJson(textOf(rows.get(`postDetails/${id}`)?.details)))
  const publishAt = lineOf(rows.get(`postSchedule/${id}`)?.publishAt)
  post.kind = row.readers === 'page' ? 'page' : 'post'
  post.title = lineOf(row.title)
  post.html = textOf(row.content).replace(
    FILE_ADDRESS,
    (address, fileId: string) => pictureAddress(library, fileId) ?? address,
  )
  const isForAll = (row.readers === 'any' || row.readers === 'page') && row.isHidden !== 1
  if (row.status !== 'active') post.status = publishAt === '' ? 'draft' : 'scheduled'
  else post.status = isForAll ? 'published' : 'private'
  post.publishedAt = toIsoDate(publishAt || lineOf(row.publishedAt))
  post.createdAt = dateAt(row, 'createdAt')
  post.updatedAt = dateAt(row, 'updatedAt')
  const author = lineOf(row.userId)
  post.authors = rows.get(`user/${author}`) ? [author] : []
  post.tags = [...rows.entries(`postTag/${row.seq}/`)].map(([, { name }]) => lineOf(name))
  const cover = pictureAddress(library, lineOf(row.featuredImage))
  post.cover = cover === undefined ? undefined : { url: cover, alt: '', caption: '' }
  post.excerpt = lineOf(details.excerpt)
  post.addressWords = lineOf(details.addressWords)
  post.metaTitle = lineOf(details.metaTitle)
  post.metaDescription = lineOf(details.metaDescription)
  post.canonicalUrl = lineOf(details.canonicalUrl)
  post.areCommentsClosed = rows.get(`closed/${id}`) !== undefined
  const path = postPath({ $id: id, title: post.title, addressWords: post.addressWords })
  const page = `/${encodeURIComponent(post.addressWords)}`
  const address = post.kind === 'page' && post.addressWords !== '' ? page : path
  post.url = URL.parse(address, url || undefined)?.href ?? ''
  sink.post(post)
}

/** A file of the export, as the importer finds it. */
function pictureAddress({ rows }: Library, fileId: string): string | undefined {
  const checksum = lineOf(rows.get(`file/${fileId}`)?.sha256)
  return checksum === '' ? undefined : `tree:${FILES_FOLDER}/${checksum}`
}

function readComment({ rows }: Library, row: Values, sink: ImportSink): void {
  const postKey = lineOf(rows.get(`discussion/${row.discussionSeq}`)?.postId)
  const person = rows.get(`user/${row.userId}`)
  const authorName = lineOf(rows.get(`commentAuthor/${row.seq}`)?.name) || lineOf(person?.name)
  const status = lineOf(row.status)
  if (status !== 'shown' && status !== 'waiting')
    sink.leaveOut({ what: 'comment', name: authorName, reason: 'notAPost', detail: status })
  else if (postKey === '')
    sink.leaveOut({ what: 'comment', name: authorName, reason: 'postMissing' })
  else
    sink.comment({
      key: lineOf(row.id),
      postKey,
      parentKey: lineOf(row.parentId),
      authorName,
      authorEmail: lineOf(person?.email),
      createdAt: dateAt(row, 'createdAt'),
      text: textOf(row.content),
      isHtml: false,
      isApproved: status === 'shown',
    })
}
