// Writes of posts that only other programs use: upsert, counting up and down, and many posts in one
// call for the API key. Each is composed of the rules of posts.
import { Refusal, unlessRefused } from '#contract/errors.ts'
import { isId, UNIQUE_ID } from '#contract/ids.ts'
import type { PostDocument } from '#contract/posts.ts'
import { inTransaction, makeTurns } from '../database/transaction.ts'
import { requireScope, type Viewer } from '../http/viewer.ts'
import { readVisible } from '../posts/access.ts'
import {
  invalidStructure,
  invalidType,
  type OwnChanges,
  type SentData,
  TAGS,
} from '../posts/attributes.ts'
import { createPost, saveChanges, updatePost } from '../posts/change-posts.ts'
import { removePost } from '../posts/deleted-posts.ts'
import type { PostNeeds } from '../posts/needs.ts'
import { parseOwn, readDocument, unpackTags } from '../posts/post-serialiser.ts'
import { readyAhead } from '../posts/post-texts.ts'
import { listIds } from '../posts/read-posts.ts'
import { POST_LIST_SCHEMA } from '../posts/structure.ts'
import { readEditable } from '../posts/versions.ts'

/** Posts that the API key may change by queries in one call. */
const BULK_POSTS_MAX = 1000

export type Upsert = { id: string; data: SentData | undefined; permissions: unknown }

/**
 * Changes the post if there is one, else creates it. The second of two calls at once
 * changes what the first has made.
 *
 * @throws Refusals of both
 */
export async function upsertPost(needs: PostNeeds, viewer: Viewer, upsert: Upsert) {
  const made = await upsertOnce(needs, viewer, upsert).catch(
    unlessRefused('document_already_exists'),
  )
  return made ?? upsertOnce(needs, viewer, upsert)
}

async function upsertOnce(needs: PostNeeds, viewer: Viewer, { id, data, permissions }: Upsert) {
  const visible = readVisible(needs.db, viewer, id, { hasContent: false })
  if (await visible.catch(unlessRefused('document_not_found')))
    return updatePost(needs, viewer, id, { data, permissions, unlessNewerThan: undefined })
  if (!data || Object.keys(data).length === 0) throw new Refusal('document_missing_data')
  return createPost(needs, viewer, { documentId: id, data, permissions })
}

/** Adds `by`, which is negative to count down; the result stays within the bounds. */
export type Increment = {
  attribute: string
  by: number
  min?: number | undefined
  max?: number | undefined
}

/**
 * Counts an attribute of a program up or down, one call after the other. An absent one counts as 0.
 *
 * @throws Refusal `document_not_found`, `user_unauthorized`, `attribute_not_found`,
 *   `attribute_type_invalid` for a computed attribute or a value but a number,
 *   `attribute_limit_exceeded`
 */
export async function incrementAttribute(
  needs: PostNeeds,
  viewer: Viewer,
  id: string,
  counting: Increment,
): Promise<PostDocument> {
  const { attribute } = counting
  const before = await readEditable(needs.db, viewer, id)
  const { isOwn, readOwn } = await needs.attributes(needs.db)
  if (!isOwn(attribute))
    throw new Refusal(
      Object.hasOwn(POST_LIST_SCHEMA, attribute) ? 'attribute_type_invalid' : 'attribute_not_found',
    )
  if (attribute === TAGS && unpackTags(before.tags).length > 0)
    throw new Refusal('attribute_type_invalid')
  const own = (row: { attributes: string }): OwnChanges => {
    const present = parseOwn(row.attributes)
    const value = count(Object.hasOwn(present, attribute) ? present[attribute] : 0, counting)
    return new Map([[attribute, readOwn(attribute, value)]])
  }
  // Not an edit by the author: no version ends with it.
  const saving = { isAutosave: true }
  return saveChanges(needs, viewer, before, {
    ...{ changes: {}, own, saving, unlessNewerThan: undefined },
  })
}

function count(present: unknown, { attribute, by, min, max }: Increment): number {
  if (typeof present !== 'number') throw new Refusal('attribute_type_invalid')
  const value = present + by
  if (!Number.isFinite(value)) throw invalidType(attribute, 'Value must be a valid float')
  const [low, high] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY]
  if (value >= low && value <= high) return value
  const bound = value < low ? low : high
  throw new Refusal('attribute_limit_exceeded', `The value would be beyond ${bound}.`)
}

// --- many posts, all of them or none

/**
 * Changes posts in one transaction, one after the other, letting other requests run in between.
 *
 * @param list the changes, read in the transaction
 * @param sent the data whose texts are prepared before it
 */
async function eachOrNone<One>(
  { needs, viewer, sent }: { needs: PostNeeds; viewer: Viewer; sent: SentData[] },
  list: (inside: PostNeeds) => One[] | Promise<One[]>,
  change: (inside: PostNeeds, one: One) => Promise<PostDocument>,
): Promise<PostDocument[]> {
  requireScope(viewer, 'documents.write')
  const { nameData } = await needs.attributes(needs.db)
  const contents = sent.map((one) => nameData(one).data.content)
  const bodies = await readyAhead(needs.bodies, contents)
  return inTransaction(needs.db, needs.background, async (tx) => {
    const inside = { ...needs, bodies, db: tx }
    const results: PostDocument[] = []
    const turns = makeTurns()
    for (const one of await list(inside)) {
      results.push(await change(inside, one))
      await turns()
    }
    return results
  })
}

/** `$id` and `$permissions` are in the documents themselves. */
function fromDocument({ $id: id = UNIQUE_ID, $permissions: permissions, ...data }: SentData) {
  if (id === UNIQUE_ID || isId(id)) return { id, data, permissions }
  throw invalidStructure('"$id" is no valid id')
}

/** Makes a post of each document; with `isUpsert` it changes the one that is there. */
export function writePosts(
  needs: PostNeeds,
  viewer: Viewer,
  sent: SentData[],
  { isUpsert }: { isUpsert: boolean },
): Promise<PostDocument[]> {
  return eachOrNone(
    { needs, viewer, sent },
    () => sent,
    (inside, document) => {
      const { id, ...post } = fromDocument(document)
      // Tried once: after a conflict the transaction cannot go on.
      if (isUpsert && id !== UNIQUE_ID) return upsertOnce(inside, viewer, { id, ...post })
      return createPost(inside, viewer, { documentId: id, ...post })
    },
  )
}

async function findAsked(needs: PostNeeds, viewer: Viewer, queries: string[] = []) {
  const { readList } = await needs.attributes(needs.db)
  // The first of several limits counts: without one, as many as one call may change.
  const { query } = readList([...queries, `limit(${BULK_POSTS_MAX})`], viewer.role)
  return listIds(needs.db, { ...query, limit: Math.min(query.limit, BULK_POSTS_MAX) })
}

/** Makes one change to each post that the queries find. */
export function updatePosts(
  needs: PostNeeds,
  viewer: Viewer,
  { queries, data: sent }: { queries: string[] | undefined; data: SentData },
): Promise<PostDocument[]> {
  const { $permissions: permissions, ...data } = sent
  const update = { data, permissions, unlessNewerThan: undefined }
  return eachOrNone(
    { needs, viewer, sent: [data] },
    (inside) => findAsked(inside, viewer, queries),
    (inside, id) => updatePost(inside, viewer, id, update),
  )
}

/** Moves each post that the queries find to the deleted ones. @returns what they were */
export function removePosts(needs: PostNeeds, viewer: Viewer, queries: string[] | undefined) {
  return eachOrNone(
    { needs, viewer, sent: [] },
    (inside) => findAsked(inside, viewer, queries),
    async (inside, id) => {
      const before = await readDocument(inside, inside.db, viewer, id)
      await removePost(inside, viewer, id, { unlessNewerThan: undefined })
      return before
    },
  )
}
