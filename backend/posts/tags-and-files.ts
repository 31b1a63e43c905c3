// What a post names beside its text: its tags, which are sent or stand in the text's last line
// (api.md §15.14), and the files that it shows. Their SQL is in tags-store.ts.

import { FILES_PER_USER_MAX } from '#backend/files/file-access.ts'
import { isId } from '#contract/ids.ts'
import { TAG_MAX_CHARS, TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, mayBeginTag, tagKey, withoutSign } from '#contract/plain-text.ts'
import type { TagList } from '#contract/posts.ts'
import type { Database } from '../database/schema.ts'
import { findOwnFiles, isUsableImage } from '../files/files.ts'
import { readerGroups, type Viewer } from '../http/viewer.ts'
import { invalidFormat, invalidStructure, parseExtras, TAGS } from './attributes.ts'
import type { PostsContext } from './context.ts'
import { packTags, unpackTags } from './post-serialiser.ts'
import type { PostRow } from './store.ts'
import * as store from './tags-store.ts'
import { addTags, insertTags, keepTags, type StoredTag } from './tags-store.ts'

/** Tags of one answer to a question for tags. */
export const TAGS_ASKED_MAX = 25
/** `posts` of a tag counts no further. */
const TAG_POSTS_MAX = 1000
/** How many tags that the viewer finds, of the newest posts, tell which are often used. */
const NEWEST_TAGS_MAX = 2000
/** How many tags are looked at for them. */
const TAGS_WALKED_MAX = 20_000
/** Keys that begin as asked and are looked at, also those that the viewer does not find. */
const TAG_KEYS_WALKED_MAX = 200

/**
 * Tags as they are sent; null is none.
 *
 * @throws Refusal `document_invalid_structure`
 */
export function readSentTags(value: unknown): string[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw invalidStructure(`Attribute "${TAGS}" must be an array`)
  for (const [index, one] of value.entries())
    if (typeof one !== 'string' || !isTag(one))
      throw invalidFormat(
        `${TAGS}['${index}']`,
        `a word of 1 to ${TAG_MAX_CHARS} letters, numbers, hyphens and underscores`,
      )
  const tags = distinctTags(value)
  if (tags.length > TAGS_MAX) throw invalidFormat(TAGS, `a list of ${TAGS_MAX} tags at most`)
  return tags
}

/**
 * The tags of a post: those sent, then those of its last line, as many as fit. What is both counts
 * as the line's: it goes when the line goes.
 *
 * @param line words of the last line, also those that cannot be tags
 */
export function joinTags(sent: readonly string[], line: readonly string[]): StoredTag[] {
  const ofLine = distinctTags(line.filter(isTag))
  const keysOfLine = new Set(ofLine.map(tagKey))
  return distinctTags([...sent, ...ofLine])
    .slice(0, TAGS_MAX)
    .map((name) => ({
      name,
      key: tagKey(name),
      isFromText: Number(keysOfLine.has(tagKey(name))),
    }))
}

/** @returns those of a new post */
export async function saveNewTags(
  { postTexts }: PostsContext,
  tx: Database,
  post: { seq: number; content: string; createdAt: string },
  sent: readonly string[],
): Promise<StoredTag[]> {
  const tags = joinTags(sent, postTexts.tagLine(post.content))
  if (tags.length > 0) await insertTags(tx, post, tags)
  return tags
}

/**
 * A text that is written alone renews what its last line gave, and keeps what was sent.
 *
 * @param row the post before the change
 * @returns the new ones, if anything changed
 */
export async function changeTags(
  { postTexts }: PostsContext,
  tx: Database,
  row: PostRow,
  { content, tags: sent }: { content: string | undefined; tags: string[] | undefined },
): Promise<StoredTag[] | undefined> {
  if (content === undefined && sent === undefined) return undefined
  const before = unpackTags(row.tags)
  const kept = before.flatMap(({ name, isFromText }) => (isFromText ? [] : [name]))
  const tags = joinTags(sent ?? kept, postTexts.tagLine(content ?? row.content))
  if (packTags(tags) === packTags(before)) return undefined
  await keepTags(tx, row.id, tags)
  return tags
}

/** Gives a post that was written before there were tags those of its last line. */
export async function addLineTags(
  { postTexts }: PostsContext,
  tx: Database,
  { seq, content }: { seq: number; content: string },
): Promise<void> {
  const tags = joinTags([], postTexts.tagLine(content))
  if (tags.length > 0) await addTags(tx, seq, tags)
}

export type TagQuestion = {
  /** In any spelling; empty for the tags that are used most. */
  startsWith: string
  limit: number
}

/** A tag as the newest of its posts has it; undefined when the viewer finds none in lists. */
export async function findTag(db: Database, viewer: Viewer, key: string) {
  return (await store.findUse(db, readerGroups(viewer), { key, most: 1 }))?.name
}

/** The tags with the most posts first. */
export async function listTags(
  db: Database,
  viewer: Viewer,
  { startsWith, limit }: TagQuestion,
): Promise<TagList> {
  const readers = readerGroups(viewer)
  const prefix = tagKey(withoutSign(startsWith))
  if (prefix !== '' && !mayBeginTag(prefix)) return { total: 0, tags: [] }
  const often = await store.findOftenUsed(db, readers, {
    among: TAGS_WALKED_MAX,
    visible: NEWEST_TAGS_MAX,
    limit: prefix === '' ? TAGS_ASKED_MAX : NEWEST_TAGS_MAX,
  })
  const next = prefix === '' ? [] : await store.findKeys(db, prefix, TAG_KEYS_WALKED_MAX)
  const fitting = often.filter((key) => key.startsWith(prefix)).slice(0, TAGS_ASKED_MAX)
  const uses: store.UsedTag[] = []
  for (const key of new Set([...fitting, ...next])) {
    const use = await store.findUse(db, readers, { key, most: TAG_POSTS_MAX })
    if (use) uses.push(use)
    if (uses.length === 2 * TAGS_ASKED_MAX) break
  }
  // Counts stop at a bound: among equal ones what the newest posts have most often comes first.
  const tags = uses
    .toSorted((one, other) => other.posts - one.posts)
    .slice(0, limit)
    .map(({ key, name, posts }) => ({ tag: key, name, posts }))
  return { total: tags.length, tags }
}

// --- files: in a body every own file whose address is in it, in an image, a player or a link;
// cleaned HTML has one spelling of such addresses. Programs keep addresses and ids of files in
// extra attributes, too.

/** Different files that one post body may show: as many as a person may keep. */
export const FILES_IN_BODY_MAX = FILES_PER_USER_MAX

const FILE_ADDRESS =
  /\/v1\/storage\/buckets\/([^/"'\s]+)\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)(?![\w.-])/g

/** Ids of files of the content bucket, each once. */
export function findShownFiles(content: string, contentBucketId: string): string[] {
  // Most texts show none, which is soon seen.
  if (!content.includes('/v1/storage/buckets/')) return []
  const ids = new Set<string>()
  for (const [, bucketId, id = ''] of content.matchAll(FILE_ADDRESS))
    if (bucketId === contentBucketId) ids.add(id)
  return [...ids]
}

type Showing = { userId: string; content: string; featuredImage: string; attributes: string }

/**
 * What a post shows in its body, and what its attributes and its cover name: any file by its
 * address, those of its author by their ids, too.
 *
 * @throws Refusal `document_invalid_structure` when there are too many
 */
export async function listShownFiles(
  context: PostsContext,
  tx: Database,
  { userId: ownerId, content, featuredImage, attributes }: Showing,
): Promise<string[]> {
  const shown = findShownFiles(
    [content, featuredImage, attributes].join('\n'),
    context.contentBucketId,
  )
  if (shown.length > FILES_IN_BODY_MAX)
    throw invalidStructure(
      `Attribute "content" has invalid format. It must show no more than ${FILES_IN_BODY_MAX} different files`,
    )
  if (attributes === '') return shown
  const values = Object.values(parseExtras(attributes)).flat()
  const ids = [...new Set(values.filter((value) => typeof value === 'string' && isId(value)))]
  const own =
    ids.length === 0 ? [] : await findOwnFiles(context, tx, { ownerId, ids: ids as string[] })
  return [...new Set([...shown, ...own])]
}

/**
 * The file that a post shows as its featured image; empty for none. The API key may use anybody's.
 *
 * @throws Refusal `document_invalid_structure` for what is no complete image of the owner
 */
export async function readFeaturedImage(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  { fileId, ownerId }: { fileId: string; ownerId: string },
): Promise<string> {
  if (fileId === '') return ''
  const uploader = viewer.role === 'key' ? undefined : ownerId
  if (isId(fileId) && (await isUsableImage(context, tx, fileId, uploader))) return fileId
  throw invalidFormat('featuredImage', 'the id of a complete image of the author')
}
