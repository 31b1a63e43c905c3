// The one database, its one collection and the two buckets as the API key reads them, and its
// declarations of the collection's attributes and indexes.

import Type, { type Static } from 'typebox'
import { invalidParam, missingParam, Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import {
  AVATAR_FILE_MAX_BYTES,
  CONTENT_FILE_MAX_BYTES,
  IMAGE_EXTENSIONS,
} from '#contract/limits.ts'
import { readStatusWords } from '#contract/permissions.ts'
import type { Database } from '../database/schema.ts'
import type { After } from '../database/transaction.ts'
import { readParams } from '../http/request-params.ts'
import {
  ATTRIBUTE_NAME_MAX_CHARS,
  findPostField,
  findStatuses,
  isOwnName,
  STORED_STATUSES,
} from './attributes.ts'
import { BUILT_IN, type Definition, type Kind, readDefinition } from './declared.ts'
import * as store from './store.ts'

const INDEX_TYPES = ['key', 'unique', 'fulltext']
const list = <Item extends Type.TSchema>(of: Item, minItems: number, what: string) =>
  Type.Array(of, { minItems, maxItems: 100, description: `Value must be a valid ${what}` })
const NewIndex = Type.Object({
  key: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$',
    description: 'Value must be a valid name of at most 36 chars',
  }),
  type: Type.String({
    pattern: `^(${INDEX_TYPES.join('|')})$`,
    description: `Value must be one of (${INDEX_TYPES.join(', ')})`,
  }),
  attributes: list(Type.String(), 1, 'list of names'),
  orders: Type.Optional(list(Type.String(), 0, 'list of ASC and DESC')),
  lengths: Type.Optional(list(Type.Unknown(), 0, 'list')),
})
type Index = Required<Static<typeof NewIndex>> & { lengths: number[] }

/** Attributes, and indexes, that the API key may declare. */
const DECLARED_MAX = 64
const PERMISSIONS = { $permissions: ['read("any")', 'create("users")'] }

export type CollectionNeeds = {
  db: Database
  now: () => Date
  hasExtraAttributes: boolean
  databaseId: string
  collectionId: string
  contentBucketId: string
  avatarBucketId: string
}
type Sent = Readonly<Record<string, unknown>>

/**
 * The words that make a post public, as posts are stored by them: a row that no attribute can have
 * the name of. They hold at once for what is written; `recode` does what is stored.
 */
export function makeStatuses(needs: CollectionNeeds, recode: () => Promise<void>) {
  const keep = (db: Database, definition: object) =>
    save({ ...needs, db }, 'declaredAttribute', STORED_STATUSES, definition, { isListed: false })
  /** Another change meanwhile is done by itself. */
  const finish = async (words: readonly string[]) => {
    await recode()
    const rows = await store.listDeclared(needs.db, 'declaredAttribute')
    if (findStatuses(rows) === JSON.stringify({ now: words })) await keep(needs.db, words)
  }
  return {
    /** At the start; goes on where it was interrupted. @param text the value of the blog */
    async keep(text: string): Promise<void> {
      const words = readStatusWords(text) ?? []
      const rows = await store.listDeclared(needs.db, 'declaredAttribute')
      const stored = findStatuses(rows)
      if (stored === JSON.stringify(words)) return
      const isSame = stored === JSON.stringify(words.toSorted())
      await keep(needs.db, isSame ? words : { now: words })
      if (!isSame) await finish(words)
    },
    /** @param text as {@link readStatusWords} takes it */
    async change(tx: Database, after: After, text: string): Promise<void> {
      const words = readStatusWords(text) ?? []
      await keep(tx, { now: words })
      after('words of status', () => finish(words))
    },
  }
}

export async function listDatabases({ databaseId }: CollectionNeeds) {
  return [{ ...named(databaseId), type: 'legacy' }]
}

export async function listCollections(needs: CollectionNeeds) {
  const { databaseId, collectionId } = needs
  return [
    {
      ...{ ...named(collectionId), ...PERMISSIONS, databaseId, documentSecurity: true },
      ...{ attributes: await listAttributes(needs), indexes: await listIndexes(needs) },
    },
  ]
}

export async function listBuckets({ contentBucketId, avatarBucketId }: CollectionNeeds) {
  return [...new Set([contentBucketId, avatarBucketId])].map((id) => ({
    ...{ ...named(id), ...PERMISSIONS, fileSecurity: true },
    maximumFileSize: id === contentBucketId ? CONTENT_FILE_MAX_BYTES : AVATAR_FILE_MAX_BYTES,
    allowedFileExtensions: [...IMAGE_EXTENSIONS],
    ...{ compression: 'none', encryption: false, antivirus: false },
  }))
}

// --- attributes

/** Those that every post has come first, unless something else is declared under their names. */
export async function listAttributes({ db }: CollectionNeeds): Promise<Listed[]> {
  const rows = await store.listDeclared(db, 'declaredAttribute')
  const builtIn = BUILT_IN.filter(({ key }) => !rows.some((row) => row.key === key))
  const listed = rows.filter(({ isListed }) => isListed)
  return [
    ...builtIn.map((one) => toAttribute(one, NO_TIMES)),
    ...listed.map((row) => toAttribute(JSON.parse(row.definition), timesOf(row))),
  ]
}

async function findAttribute(needs: CollectionNeeds, key: string): Promise<Listed> {
  const found = (await listAttributes(needs)).find((one) => one.key === key)
  if (!found) throw new Refusal('attribute_not_found')
  return found
}

export async function declareAttribute(
  needs: CollectionNeeds,
  kind: Kind,
  sent: Sent,
): Promise<Listed> {
  if ((sent.key ?? undefined) === undefined) throw missingParam('key')
  const key = readKey(sent.key)
  const definition = readDefinition(kind, key, sent)
  const present = await listAttributes(needs)
  if (present.some((one) => one.key === key)) throw new Refusal('attribute_already_exists')
  if (present.length >= DECLARED_MAX) throw new Refusal('attribute_limit_exceeded')
  await save(needs, 'declaredAttribute', key, definition)
  return { ...(await findAttribute(needs, key)), status: 'processing' }
}

/**
 * The name of a new attribute. A name of a specified attribute is fine: it means that one.
 *
 * @throws Refusal `general_argument_invalid`, also for names that no attribute may have
 */
export function readKey(key: unknown): string {
  const isKnown = (name: string) =>
    isOwnName(name) ||
    findPostField(name, { hasOwn: true }) !== undefined ||
    BUILT_IN.some((one) => one.key === name)
  if (typeof key === 'string' && isKnown(key)) return key
  throw invalidParam(
    'key',
    `Value must be a valid name of at most ${ATTRIBUTE_NAME_MAX_CHARS} chars that the server does not use itself`,
  )
}

/** Existing values stay unchanged. */
export async function changeAttribute(
  needs: CollectionNeeds,
  { kind, key }: { kind: Kind; key: string },
  sent: Sent,
): Promise<Listed> {
  const { array, ...before } = await findAttribute(needs, key)
  const definition = readDefinition(kind, key, { ...before, ...sent, array })
  if ((sent.newKey ?? key) !== key) throw invalidParam('newKey', 'Attributes keep their names here')
  const { format } = toAttribute(definition, NO_TIMES)
  if (definition.type !== before.type || format !== before.format)
    throw new Refusal('attribute_type_invalid')
  await save(needs, 'declaredAttribute', key, definition)
  return findAttribute(needs, key)
}

/** Existing values stay. An attribute that every post has is only no longer listed. */
export async function removeAttribute(needs: CollectionNeeds, key: string): Promise<void> {
  await findAttribute(needs, key)
  const definition = BUILT_IN.find((one) => one.key === key)
  if (definition) await save(needs, 'declaredAttribute', key, definition, { isListed: false })
  else await store.deleteDeclared(needs.db, 'declaredAttribute', key)
}

function save(
  { db, now }: CollectionNeeds,
  table: store.Table,
  key: string,
  definition: object,
  { isListed = true } = {},
): Promise<void> {
  return store.saveDeclared(db, table, { key, definition, isListed }, now().toISOString())
}

// --- indexes

export async function listIndexes({ db }: CollectionNeeds) {
  const rows = await store.listDeclared(db, 'declaredIndex')
  return rows.map(({ definition, ...row }) => ({
    ...(JSON.parse(definition) as Index),
    ...{ status: 'available', error: '', ...timesOf(row) },
  }))
}

/** Only stored, for programs that require it; posts have the indexes that lists need. */
export async function addIndex(needs: CollectionNeeds, sent: unknown) {
  const { orders = [], lengths = [], ...rest } = readParams(NewIndex, sent)
  const index: Index = { ...rest, orders, lengths: lengths.map(Number).filter(Number.isFinite) }
  const present = await listIndexes(needs)
  if (present.some(({ key }) => key === index.key)) throw new Refusal('index_already_exists')
  if (present.length >= DECLARED_MAX) throw new Refusal('index_limit_exceeded')
  const names = (await listAttributes(needs)).map(({ key }) => key)
  const unknown = index.attributes.find((one) => !one.startsWith('$') && !names.includes(one))
  if (unknown !== undefined)
    throw new Refusal('attribute_unknown', `The attribute "${unknown}" is not declared.`)
  await save(needs, 'declaredIndex', index.key, index)
  const made = (await listIndexes(needs)).find(({ key }) => key === index.key)
  return { ...made, status: 'processing' }
}

export async function removeIndex(needs: CollectionNeeds, key: string): Promise<void> {
  if (!(await listIndexes(needs)).some((one) => one.key === key))
    throw new Refusal('index_not_found')
  await store.deleteDeclared(needs.db, 'declaredIndex', key)
}

// --- their forms

type Times = { $createdAt: string; $updatedAt: string }
/** The creation time of what the settings name is unknown. */
const EPOCH = wireTime(new Date(0))
const NO_TIMES: Times = { $createdAt: EPOCH, $updatedAt: EPOCH }

function timesOf(row: { createdAt: string; updatedAt: string }): Times {
  return { $createdAt: wireTime(row.createdAt), $updatedAt: wireTime(row.updatedAt) }
}

/** A database, collection or bucket of the settings. */
function named(id: string) {
  return { $id: id, name: id, ...NO_TIMES, enabled: true }
}

type Listed = ReturnType<typeof toAttribute>

/**
 * In responses, texts with a format have no size, and times an empty format: tools that push a
 * project compare both with their own copy, and recreate what differs.
 */
function toAttribute(definition: Definition, times: Times) {
  const { key, type, required, array, default: standard, format, size, ...rest } = definition
  return {
    ...{ key, type, status: 'available', error: '', required, array, ...times },
    ...(format === undefined ? {} : { format: type === 'datetime' ? '' : format }),
    ...(size === undefined || format !== undefined ? {} : { size }),
    ...{ ...rest, default: standard },
  }
}
