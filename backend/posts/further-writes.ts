// Further changes of posts: upsert, counting up and down, bringing a version back, hiding, and many
// posts in one call for the API key. Each is made of the rules of change-posts.ts. Knows no HTTP
// and no SQL.

import { Refusal } from '#contract/errors.ts'
import { isId, UNIQUE_ID } from '#contract/ids.ts'
import { type PostDocument, ruledStatus } from '#contract/posts.ts'
import { invalidStructure, invalidType, readDeclared } from '../collections/declared.ts'
import { isReversed } from '../database/list-query.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction, makeTurns } from '../database/transaction.ts'
import { requireScope, type Viewer } from '../http/viewer.ts'
import type { Background } from '../process/background.ts'
import { can, lockVisible } from './access.ts'
import { readAskedList } from './asked.ts'
import { createPost, saveChanges, updatePost } from './change-posts.ts'
import { removePost } from './deleted-posts.ts'
import { findSeqs, readFound } from './found-posts-store.ts'
import {
  asSent,
  isOwnAttribute,
  nameRoles,
  type OwnChanges,
  parseOwn,
  type SentData,
  TAGS,
  titleFrom,
  withSentStatus,
} from './naming.ts'
import type { PostNeeds } from './needs.ts'
import { announceDocument, readDocument } from './post-answers.ts'
import { readyAhead } from './post-texts.ts'
import * as store from './store.ts'
import { POST_LIST_SCHEMA } from './structure.ts'
import { unpackTags } from './tags-and-files.ts'
import { readEditable, readVersion, requireVersion } from './versions.ts'

/** Posts that the API key may change by queries in one call. */
const BULK_POSTS_MAX = 1000

export type Upsert = { id: string; data: SentData | undefined; permissions: unknown }

/**
 * Changes the post if there is one, else creates it. Of two at once the second changes what the
 * first has made.
 *
 * @throws Refusals of both
 */
export async function upsertPost(
  needs: PostNeeds,
  viewer: Viewer,
  upsert: Upsert,
): Promise<PostDocument> {
  return upsertOnce(needs, viewer, upsert).catch((error: unknown) => {
    const isTaken = error instanceof Refusal && error.type === 'document_already_exists'
    if (isTaken) return upsertOnce(needs, viewer, upsert)
    throw error
  })
}

async function upsertOnce(
  needs: PostNeeds,
  viewer: Viewer,
  { id, data, permissions }: Upsert,
): Promise<PostDocument> {
  const row = await store.findPost(needs.db, id, { hasContent: false })
  if (row && can(viewer, 'read', row))
    return updatePost(needs, viewer, id, { data, permissions, unlessNewerThan: undefined })
  if (!data || Object.keys(data).length === 0) throw new Refusal('document_missing_data')
  return createPost(needs, viewer, { documentId: id, data, permissions })
}

/** Adds `by`, which is negative to count down; the result stays within the bounds. */
export type Counting = {
  attribute: string
  by: number
  min?: number | undefined
  max?: number | undefined
}

/**
 * Counts an attribute that is no role up or down, one call after the other. What is absent counts
 * as 0.
 *
 * @throws Refusal `document_not_found`, `user_unauthorized`, `attribute_not_found`,
 *   `attribute_type_invalid` for what the server computes or what is no number,
 *   `attribute_limit_exceeded`
 */
export async function countPost(
  needs: PostNeeds,
  viewer: Viewer,
  id: string,
  counting: Counting,
): Promise<PostDocument> {
  const { attribute } = counting
  const before = await readEditable(needs.db, viewer, id)
  const attributes = await needs.attributes(needs.db)
  if (!isOwnAttribute(attributes, attribute))
    throw new Refusal(
      Object.hasOwn(POST_LIST_SCHEMA, attribute) ? 'attribute_type_invalid' : 'attribute_not_found',
    )
  if (attribute === TAGS && unpackTags(before.tags).length > 0)
    throw new Refusal('attribute_type_invalid')
  const own = (row: store.PostRow): OwnChanges => {
    const present = parseOwn(row.attributes)
    const value = count(Object.hasOwn(present, attribute) ? present[attribute] : 0, counting)
    const definition = attributes.declared.get(attribute)
    return new Map([[attribute, definition ? readDeclared(definition, value) : value]])
  }
  // Not asked for by the person who writes: no version ends by it.
  const saving = { isAutosave: true }
  return saveChanges(needs, viewer, before, {
    ...{ changes: {}, own, saving, unlessNewerThan: undefined },
  })
}

function count(present: unknown, { attribute, by, min, max }: Counting): number {
  if (typeof present !== 'number') throw new Refusal('attribute_type_invalid')
  const value = present + by
  if (!Number.isFinite(value)) throw invalidType(attribute, 'Value must be a valid float')
  const [low, high] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY]
  if (value < low || value > high)
    throw new Refusal(
      'attribute_limit_exceeded',
      `The value would be beyond ${value < low ? low : high}.`,
    )
  return value
}

export type VersionToRestore = {
  versionId: string
  unlessNewerThan: string | undefined
  pay?: ((ms: number) => void) | undefined
}

/**
 * Makes title and text of a version the present ones. What they were stays as the version before.
 *
 * @returns the post as it now is
 * @throws Refusal `document_not_found`, `user_unauthorized`, `document_update_conflict`
 */
export async function restoreVersion(
  needs: PostNeeds,
  viewer: Viewer,
  id: string,
  { versionId, unlessNewerThan, pay }: VersionToRestore,
): Promise<PostDocument> {
  const before = await readEditable(needs.db, viewer, id)
  const attributes = await needs.attributes(needs.db)
  const { title, content } = await readVersion(needs, viewer, id, { id: versionId, pay })
  const { savedAt } = await requireVersion(needs.db, before, versionId)
  const canLackTitle = !attributes.title.isRequired
  const saving = { isAutosave: false, restoredFrom: savedAt }
  return saveChanges(needs, viewer, before, {
    changes: { title, content },
    // What stands there as its title may be the first words of its text.
    own: new Map([['title', canLackTitle && title === titleFrom(needs, content) ? '' : undefined]]),
    saving,
    unlessNewerThan,
  })
}

/**
 * Hides a post from everybody but its author, or shows it again. Nothing else of it changes, so it
 * comes back as it was. For the API key alone.
 *
 * @returns the post, with `hidden`
 * @throws Refusal `general_unauthorized_scope`, `document_not_found`
 */
export async function hidePost(
  needs: PostNeeds,
  viewer: Viewer,
  id: string,
  isHidden: boolean,
): Promise<PostDocument> {
  requireScope(viewer, 'documents.write')
  return inTransaction(needs.db, needs.background, async (tx) => {
    const row = await lockVisible(tx, viewer, id, undefined)
    await store.updatePost(tx, { isHidden: Number(isHidden), id })
    const shown = await announceDocument(needs, tx, viewer, { id, action: 'update', before: row })
    return { ...shown, hidden: isHidden }
  })
}

/** Many posts, all of them or none. @param sent the data whose texts are made ready before */
async function allOrNone<Result>(
  needs: PostNeeds,
  viewer: Viewer,
  sent: SentData[],
  work: (inside: PostNeeds) => Promise<Result[]>,
): Promise<Result[]> {
  requireScope(viewer, 'documents.write')
  const attributes = await needs.attributes(needs.db)
  const contents = sent.map((one) => nameRoles(attributes, one).data.content)
  const bodies = await readyAhead(needs.bodies, contents)
  return inTransaction(needs.db, needs.background, (tx) => work({ ...needs, bodies, db: tx }))
}

/** `$id` and `$permissions` stand in the documents themselves. */
function fromDocument({ $id: id = UNIQUE_ID, $permissions: permissions, ...data }: SentData) {
  if (id === UNIQUE_ID || isId(id)) return { id, data, permissions }
  throw invalidStructure('"$id" is no valid id')
}

export function createPosts(
  needs: PostNeeds,
  viewer: Viewer,
  documents: SentData[],
): Promise<PostDocument[]> {
  return allOrNone(needs, viewer, documents, (inside) =>
    oneByOne(documents, (document) => {
      const { id: documentId, ...sent } = fromDocument(document)
      return createPost(inside, viewer, { documentId, ...sent })
    }),
  )
}

export function upsertPosts(
  needs: PostNeeds,
  viewer: Viewer,
  documents: SentData[],
): Promise<PostDocument[]> {
  return allOrNone(needs, viewer, documents, (inside) =>
    oneByOne(documents, (document) => {
      const { id, ...sent } = fromDocument(document)
      if (id === UNIQUE_ID) return createPost(inside, viewer, { documentId: id, ...sent })
      // Nothing can follow a conflict within a transaction.
      return upsertOnce(inside, viewer, { id, ...sent })
    }),
  )
}

/** Makes one change to each post that the queries find. */
export function updatePosts(
  needs: PostNeeds,
  viewer: Viewer,
  { queries, data: sent }: { queries: string[] | undefined; data: SentData },
): Promise<PostDocument[]> {
  const { $permissions: permissions, ...data } = sent
  const update = { data, permissions, unlessNewerThan: undefined }
  return allOrNone(needs, viewer, [data], async (inside) =>
    oneByOne(await findIds(inside, viewer, queries), (id) =>
      updatePost(inside, viewer, id, update),
    ),
  )
}

/** Moves each post that the queries find to the deleted ones. @returns what they were */
export function removePosts(
  needs: PostNeeds,
  viewer: Viewer,
  queries: string[] | undefined,
): Promise<PostDocument[]> {
  return allOrNone(needs, viewer, [], async (inside) =>
    oneByOne(await findIds(inside, viewer, queries), async (id) => {
      const before = await readDocument(inside, inside.db, viewer, id)
      await removePost(inside, viewer, id, { unlessNewerThan: undefined })
      return before
    }),
  )
}

async function findIds(
  needs: PostNeeds,
  viewer: Viewer,
  queries: string[] = [],
): Promise<string[]> {
  const attributes = await needs.attributes(needs.db)
  // Of several limits the first counts: without one, as many as one call may change.
  const texts = [...queries, `limit(${BULK_POSTS_MAX})`]
  const { query } = readAskedList(attributes, texts, viewer.role)
  const limit = Math.min(query.limit, BULK_POSTS_MAX)
  const asked = { ...query, limit }
  const seqs = await findSeqs(needs.db, { query: asked, scope: 'all' })
  const ids = (await readFound(needs.db, seqs, { scope: 'all' })).map(({ id }) => id)
  return isReversed(asked) ? ids.toReversed() : ids
}

/** In one transaction, so never at once, and in turns with others. */
async function oneByOne<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const turns = makeTurns()
  for (const one of all) {
    results.push(await work(one))
    await turns()
  }
  return results
}

const AT_ONCE = 500

export async function recodeStatuses(
  { db, background }: { db: Database; background: Background },
  publicStatuses: readonly string[],
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    after = await inTransaction(db, background, async (tx) => {
      const rows = await store.listFrom(tx, { after: from, limit: AT_ONCE })
      for (const row of rows) {
        const { id, spellings } = row
        const word = asSent(row, 'status')
        const status = ruledStatus(publicStatuses, word)
        if (status === row.status) continue
        await store.updatePost(tx, { status, id })
        const attributes = withSentStatus(row.attributes, word === status ? undefined : word)
        await store.keepExtra(tx, id, { attributes, spellings })
      }
      return rows.at(-1)?.seq
    })
  }
}
