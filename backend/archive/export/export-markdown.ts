// The Markdown of an archive: a file for each post, with front matter that other programs know, and
// its pictures in a folder beside it. Drafts and the pages of the blog, too.
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Document } from 'yaml'
import { Refusal } from '#contract/errors.ts'
import { decodeEntities, escapeHtml } from '#contract/plain-text.ts'
import { addressSegment, pagePath, postPath } from '#contract/post-url.ts'
import { openOriginal } from '../../files/blob-store.ts'
import { canSee, findRow, isWithheld } from '../../files/file-access.ts'
import { GUEST } from '../../http/viewer.ts'
import { parseDetails } from '../../posts/post-details.ts'
import { readBatches } from '../../process/batches.ts'
import type { ArchiveContext } from '../context.ts'
import type { WritePart } from './export-options.ts'
import * as store from './markdown-store.ts'
import { shortenName } from './site-names.ts'
import { toMarkdown } from './to-markdown.ts'

export const MARKDOWN_FOLDER = 'markdown'
/** A text has at most some megabytes. */
const BATCH = 10
const ADDRESS = /(<[a-z][^<>]*\s(?:src|href|poster)=")([^"]*)"/gi
const FILE = /^\/v1\/storage\/buckets\/([^/]+)\/files\/([\w.-]+)\/(?:view|preview|download)/

type Task = {
  context: ArchiveContext
  folder: string
  ownerId: string | undefined
  lost: string[]
}

type PostFile = {
  /** `posts/2026-05-01-words`, without the end of the file's name. */
  path: string
  /** The names of its pictures, by the id of the file; empty for a lost one. */
  pictures: Map<string, string>
}

export const exportMarkdown: WritePart = async (context, { folder, ownerId }, options) => {
  const markdownFolder = join(folder, MARKDOWN_FOLDER)
  await rm(markdownFolder, { recursive: true, force: true })
  await mkdir(markdownFolder)
  const total = await store.countMarkdownPosts(context.db, ownerId)
  let done = 0
  let pictures = 0
  const task: Task = { context, folder: markdownFolder, ownerId, lost: [] }
  for await (const batch of readBatches<store.MarkdownPost>(BATCH, (page) =>
    store.listMarkdownPosts(context.db, ownerId, page),
  ))
    for (const post of batch) {
      options.signal.throwIfAborted()
      pictures += await writePost(task, post)
      options.onProgress({ part: 'markdown', done: ++done, total: Math.max(done, total) })
    }
  return { counts: { posts: done, pictures }, lost: task.lost }
}

/** @returns how many pictures it has */
async function writePost(task: Task, post: store.MarkdownPost): Promise<number> {
  const { context, folder } = task
  const { db, postTexts } = context
  const file: PostFile = { path: chooseName(task, post), pictures: new Map() }
  await mkdir(join(folder, file.path, '..'), { recursive: true })
  const html = await postTexts.cleanPost(db, post.id, post.content)
  const text = toMarkdown(await localise(task, file, html))
  const cover = await copyPicture(task, file, post.featuredImage)
  const head = await frontMatter(task, post, cover && pictureAddress(file, cover))
  await writeFile(join(folder, `${file.path}.md`), `---\n${head}---\n\n${text}`)
  return [...file.pictures.values()].filter(Boolean).length
}

function chooseName({ folder }: Task, post: store.MarkdownPost): string {
  const { id, title, createdAt, isPage } = post
  const { addressWords } = parseDetails(post.details)
  const words = shortenName(addressSegment({ title, addressWords }))
  const start = isPage ? 'pages/' : `posts/${createdAt.slice(0, 10)}-`
  const name = start + (words || id)
  // The words of an address are in lower case.
  return words && existsSync(join(folder, `${name}.md`)) ? `${name}-${id}` : name
}

async function frontMatter(
  { context: { db, publicUrl } }: Task,
  post: store.MarkdownPost,
  image: string,
): Promise<string> {
  const { id, title, isPage, createdAt, updatedAt, publishedAt, publishAt, userName } = post
  const details = parseDetails(post.details)
  const { addressWords, excerpt, metaTitle, metaDescription, canonicalUrl } = details
  const isDraft = post.status !== 'active'
  const path = isPage
    ? pagePath({ title, addressWords })
    : postPath({ $id: id, title, addressWords })
  const tags = await store.listTagNames(db, post.seq)
  const status = post.isHidden
    ? 'hidden'
    : isDraft
      ? publishAt
        ? 'scheduled'
        : 'draft'
      : 'published'
  const fields: Record<string, unknown> = {
    title,
    date: publishAt || publishedAt || createdAt,
    updated: updatedAt,
    author: userName,
    tags: tags.length > 0 ? tags : undefined,
    status,
    draft: isDraft || post.isHidden ? true : undefined,
    type: isPage ? 'page' : undefined,
    slug: addressSegment({ title, addressWords }) || undefined,
    address: publicUrl + path,
    excerpt,
    image: image || undefined,
    metaTitle,
    metaDescription,
    canonicalUrl,
    id,
  }
  // Quotes what would be read as something else than a text.
  return new Document(fields, { keepUndefined: false }).toString({ lineWidth: 0 })
}

/** Pictures become relative, all other addresses of the blog absolute. */
async function localise(task: Task, file: PostFile, html: string): Promise<string> {
  const { publicUrl, contentBucketId } = task.context
  for (const [, , address = ''] of html.matchAll(ADDRESS)) {
    const [, bucketId, id] = FILE.exec(address) ?? []
    if (id && bucketId === contentBucketId) await copyPicture(task, file, id)
  }
  return html.replace(ADDRESS, (_all, start: string, address: string) => {
    const name = file.pictures.get(FILE.exec(address)?.[2] ?? '')
    const local = name ? pictureAddress(file, name) : undefined
    const absolute = address.startsWith('/') ? publicUrl + decodeEntities(address) : undefined
    return `${start}${local ?? (absolute === undefined ? address : escapeHtml(absolute))}"`
  })
}

/** Relative to the post, encoded so that it needs no brackets in Markdown. */
function pictureAddress({ path }: PostFile, name: string): string {
  const folder = path.slice(path.indexOf('/') + 1)
  return [folder, name].map((part) => encodeURIComponent(part).replace(/[()']/g, encode)).join('/')
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

/** A file that the export may have: of a person only own files, and those that everybody sees. */
async function findCopyable({ context, ownerId }: Task, id: string) {
  const row = await findRow(context, { bucketId: context.contentBucketId, id })
  if (!row?.isComplete || ownerId === undefined || row.userId === ownerId)
    return row?.isComplete ? row : undefined
  return canSee(row, GUEST) && !(await isWithheld(context, row)) ? row : undefined
}

/** Copies the file once. @returns its name; empty for none and for a lost one */
async function copyPicture(task: Task, { path, pictures }: PostFile, id: string): Promise<string> {
  const { context, folder, lost } = task
  const known = pictures.get(id)
  if (id === '' || known !== undefined) return known ?? ''
  const row = await findCopyable(task, id)
  pictures.set(id, '')
  if (!row) return ''
  const names = [...pictures.values()].map((name) => name.toLowerCase())
  const readable = row.name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  const shortName = readable.length > 100 ? readable.slice(-100) : readable
  const isFree = shortName !== '' && !names.includes(shortName.toLowerCase())
  const name = isFree ? shortName : `${id}-${shortName}`
  await mkdir(join(folder, path), { recursive: true })
  try {
    await pipeline(await openOriginal(context, row), createWriteStream(join(folder, path, name)))
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
    lost.push(row.storedName)
    return ''
  }
  pictures.set(id, name)
  return name
}
