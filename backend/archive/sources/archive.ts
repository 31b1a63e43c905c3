// An export of this program, for a blog that has posts already: the rows of its data are read as
// posts, comments, people and pictures. (An empty blog gets the rows themselves.) An export without
// its data is read as Markdown.
import { postPath } from '#contract/post-url.ts'
import { CopyProblem } from '../../backups/backup-io.ts'
import { readLines } from '../import/read-lines.ts'
import { findManifest } from '../import/recognise-archive.ts'
import { DATA_FOLDER, FILES_FOLDER } from '../manifest.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  type SourcePicture,
  SourceProblem,
} from './source.ts'
import { emptyPost, lineOf, toIsoDate } from './source-values.ts'

type Row = Record<string, unknown>

const ROW_MAX_BYTES = 16 * 1024 * 1024
const FILE_ADDRESS =
  /(?<=")[^"\s<>]{0,300}\/v1\/storage\/buckets\/[\w.-]{1,64}\/files\/([\w.-]{1,64})\/(?:view|preview|download)[^"<>]{0,300}(?=")/g
/** What belongs to the blog itself, or to the work of its operators. */
const DISCARDED = { deletedPost: 'deleted' } as const
const PLACE_DIGITS = 4

export const archive: Source = {
  kind: 'archive',
  recognise: async (tree) => (await manifestOf(tree))?.parts.includes('data') === true,
  read,
}

async function manifestOf(tree: FileTree) {
  try {
    return await findManifest(tree)
  } catch (cause) {
    if (!(cause instanceof CopyProblem)) throw cause
    throw new SourceProblem(`${cause.message}.`, 0, { cause })
  }
}

type Library = {
  url: string
  /** The checksum of a file by its id. */
  files: DiskMap<string>
  details: DiskMap<Row>
  publishAt: DiskMap<string>
  /** By the number of the post and the place of the tag. */
  tags: DiskMap<string>
  /** The post of a discussion, and whether it is closed. */
  discussions: DiskMap<{ postId: string; isClosed: boolean }>
  closed: DiskMap<boolean>
  people: DiskMap<{ name: string; email: string }>
  /** The names below imported comments. */
  names: DiskMap<string>
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const manifest = await manifestOf(tree)
  if (!manifest) throw new SourceProblem('There is no manifest of an export.')
  const { blog, program, counts } = manifest
  const url = options.oldAddress || blog.url
  sink.site({ program: `Lamplight ${program}`, name: blog.name, description: '', url })
  using files = makeDiskMap<string>()
  using details = makeDiskMap<Row>()
  using publishAt = makeDiskMap<string>()
  using tags = makeDiskMap<string>()
  using discussions = makeDiskMap<{ postId: string; isClosed: boolean }>()
  using closed = makeDiskMap<boolean>()
  using people = makeDiskMap<{ name: string; email: string }>()
  using names = makeDiskMap<string>()
  const library: Library = {
    url,
    files,
    details,
    publishAt,
    tags,
    discussions,
    closed,
    people,
    names,
  }
  const total = Object.values(counts.data ?? {}).reduce((sum, count) => sum + count, 0)
  let done = 0
  const each = async (table: string, readRow: (row: Row) => void) => {
    for await (const rows of readRows(tree, table)) {
      options.signal.throwIfAborted()
      rows.forEach(readRow)
      done += rows.length
      sink.progress(Math.min(done, total), total)
    }
  }
  await readLibrary(library, each, sink)
  await each('post', (row) => readPost(library, row, sink))
  for (const [table, detail] of Object.entries(DISCARDED))
    await each(table, (row) =>
      sink.leaveOut({
        what: 'post',
        name: lineOf(row.title),
        reason: 'notAPost',
        post: '',
        detail,
      }),
    )
  await each('comment', (row) => readComment(library, row, sink))
}

async function* readRows(tree: FileTree, table: string): AsyncGenerator<Row[]> {
  const name = `${DATA_FOLDER}/${table}.jsonl`
  const stream = await tree.open(name)
  if (!stream) return
  try {
    for await (const lines of readLines(stream, { name, maxBytes: ROW_MAX_BYTES }))
      yield lines.map(({ number, text }) => parseRow(text, name, number))
  } catch (cause) {
    if (!(cause instanceof CopyProblem)) throw cause
    throw new SourceProblem(`${cause.message}.`, 0, { cause })
  }
}

function parseRow(text: string, name: string, line: number): Row {
  try {
    const row: unknown = JSON.parse(text)
    if (typeof row === 'object' && row !== null) return row as Row
  } catch {
    // The same as another value that is no row.
  }
  throw new SourceProblem(`Line ${line} of ${name} is no row.`, line)
}

type Each = (table: string, readRow: (row: Row) => void) => Promise<void>

async function readLibrary(library: Library, each: Each, sink: ImportSink): Promise<void> {
  await each('user', (row) => {
    const person = { name: lineOf(row.name), email: lineOf(row.email) }
    library.people.add(lineOf(row.id), person)
    sink.person({ key: lineOf(row.id), ...person })
  })
  await each('file', (row) => {
    const checksum = lineOf(row.sha256)
    if (checksum !== '') library.files.add(lineOf(row.id), checksum)
  })
  await each('postDetails', (row) => {
    const details = parseDetails(row.details)
    if (typeof row.postId === 'string') library.details.add(row.postId, details)
  })
  await each('postSchedule', (row) => {
    library.publishAt.add(lineOf(row.postId), lineOf(row.publishAt))
  })
  await each('postTag', (row) => {
    const place = String(row.place).padStart(PLACE_DIGITS, '0')
    library.tags.add(`${row.postSeq}/${place}`, lineOf(row.name))
  })
  await each('discussion', (row) => {
    const postId = lineOf(row.postId)
    library.discussions.add(String(row.seq), { postId, isClosed: row.isClosed === 1 })
    if (row.isClosed === 1) library.closed.add(postId, true)
  })
  await each('commentAuthor', (row) => {
    library.names.add(String(row.commentSeq), lineOf(row.name))
  })
}

function parseDetails(text: unknown): Row {
  try {
    const details: unknown = JSON.parse(String(text))
    return typeof details === 'object' && details !== null ? (details as Row) : {}
  } catch {
    return {}
  }
}

function readPost(library: Library, row: Row, sink: ImportSink): void {
  const id = lineOf(row.id)
  const post = emptyPost(id)
  const details = library.details.get(id) ?? {}
  const publishAt = library.publishAt.get(id) ?? ''
  post.kind = row.readers === 'page' ? 'page' : 'post'
  post.title = lineOf(row.title)
  post.html = String(row.content ?? '').replace(
    FILE_ADDRESS,
    (address, fileId: string) => pictureAddress(library, fileId) ?? address,
  )
  const isForAll = (row.readers === 'any' || row.readers === 'page') && row.isHidden !== 1
  if (row.status !== 'active') post.status = publishAt === '' ? 'draft' : 'scheduled'
  else post.status = isForAll ? 'published' : 'private'
  post.publishedAt = toIsoDate(publishAt || lineOf(row.publishedAt))
  post.createdAt = toIsoDate(lineOf(row.createdAt))
  post.updatedAt = toIsoDate(lineOf(row.updatedAt))
  const author = lineOf(row.userId)
  post.authors = library.people.get(author) ? [author] : []
  post.tags = [...library.tags.entries(`${row.seq}/`)].map(([, name]) => name)
  post.cover = coverOf(library, lineOf(row.featuredImage))
  post.excerpt = lineOf(details.excerpt)
  post.addressWords = lineOf(details.addressWords)
  post.metaTitle = lineOf(details.metaTitle)
  post.metaDescription = lineOf(details.metaDescription)
  post.canonicalUrl = lineOf(details.canonicalUrl)
  post.areCommentsClosed = library.closed.get(id) === true
  const path = postPath({ $id: id, title: post.title, addressWords: post.addressWords })
  const page = `/${encodeURIComponent(post.addressWords)}`
  const address = post.kind === 'page' && post.addressWords !== '' ? page : path
  post.url = URL.parse(address, library.url || undefined)?.href ?? ''
  sink.post(post)
}

/** A file of the export, as the importer finds it. */
function pictureAddress({ files }: Library, fileId: string): string | undefined {
  const checksum = files.get(fileId)
  return checksum === undefined ? undefined : `tree:${FILES_FOLDER}/${checksum}`
}

function coverOf(library: Library, fileId: string): SourcePicture | undefined {
  const url = fileId === '' ? undefined : pictureAddress(library, fileId)
  return url === undefined ? undefined : { url, alt: '', caption: '' }
}

function readComment(library: Library, row: Row, sink: ImportSink): void {
  const discussion = library.discussions.get(String(row.discussionSeq))
  const person = library.people.get(lineOf(row.userId))
  const authorName = library.names.get(String(row.seq)) || (person?.name ?? '')
  const isVisible = row.status === 'shown' || row.status === 'waiting'
  if (!discussion?.postId || !isVisible) {
    const reason = isVisible ? 'postMissing' : 'notAPost'
    const detail = isVisible ? '' : lineOf(row.status)
    sink.leaveOut({ what: 'comment', name: authorName, reason, post: '', detail })
    return
  }
  sink.comment({
    key: lineOf(row.id),
    postKey: discussion.postId,
    parentKey: lineOf(row.parentId),
    authorName,
    authorEmail: person?.email ?? '',
    createdAt: toIsoDate(lineOf(row.createdAt)),
    text: String(row.content ?? ''),
    isHtml: false,
    isApproved: row.status === 'shown',
  })
}
