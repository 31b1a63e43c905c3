// The one database, its one collection and the two buckets as the API key reads them, and what it
// declares of the collection's attributes and indexes. Knows no HTTP; SQL is in store.ts.

import Type, { type Static } from 'typebox'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import {
  AVATAR_FILE_MAX_BYTES,
  CONTENT_FILE_MAX_BYTES,
  IMAGE_EXTENSIONS,
} from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import { readParams } from '../http/request-params.ts'
import type { Definition, Kind } from './declared.ts'
import { BUILT_IN, readDefinition, readKey } from './definitions.ts'
import * as store from './store.ts'

const INDEX_TYPES = ['key', 'unique', 'fulltext']
const texts = (minItems: number, what: string) =>
  Type.Array(Type.String(), {
    minItems,
    maxItems: 100,
    description: `Value must be a valid ${what}`,
  })
const NewIndex = Type.Object({
  key: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$',
    description: 'Value must be a valid name of at most 36 chars',
  }),
  type: Type.String({
    pattern: `^(${INDEX_TYPES.join('|')})$`,
    description: `Value must be one of (${INDEX_TYPES.join(', ')})`,
  }),
  attributes: texts(1, 'list of names'),
  orders: Type.Optional(texts(0, 'list of ASC and DESC')),
  lengths: Type.Optional(
    Type.Array(Type.Unknown(), { maxItems: 100, description: 'Value must be a valid list' }),
  ),
})

/** Attributes and indexes that the API key may declare. */
const DECLARED_ATTRIBUTES_MAX = 64
const DECLARED_INDEXES_MAX = 64

export type CollectionNeeds = {
  db: Database
  now: () => Date
  hasExtraAttributes: boolean
  publicStatuses: readonly string[]
  databaseId: string
  collectionId: string
  contentBucketId: string
  avatarBucketId: string
}

/** When what the settings name began is not known. */
const EPOCH = wireTime(new Date(0))
const NO_TIMES = { $createdAt: EPOCH, $updatedAt: EPOCH }

/** What posts are stored by, beside what is declared: no attribute can have this name. */
const STORED_STATUSES = '$publicStatuses'

export type Collections = ReturnType<typeof makeCollections>

export function makeCollections(needs: CollectionNeeds) {
  return {
    attributes: store.makeAttributes(needs),
    /**
     * Has `recode` done once where posts are stored by other words of public posts than the
     * setting's; again at the next start if it did not come to its end.
     */
    async keepStatuses(recode: (words: readonly string[]) => Promise<void>): Promise<void> {
      const words = needs.publicStatuses.toSorted()
      const rows = await store.listDeclared(needs.db, 'declaredAttribute')
      const stored = rows.find(({ key }) => key === STORED_STATUSES)?.definition
      if ((stored ?? '["active"]') === JSON.stringify(words)) return
      const note = (definition: string[]) =>
        save(needs, { key: STORED_STATUSES, definition, isListed: false })
      // Cut off, some posts are stored by these words and some by others.
      await note([])
      await recode(needs.publicStatuses)
      await note(words)
    },
    database: () => ({ ...named(needs.databaseId), type: 'legacy' }),
    collection: () => toCollection(needs),
    buckets: () => [...new Set([needs.contentBucketId, needs.avatarBucketId])].map(toBucket(needs)),
    /** @throws Refusal `database_not_found`, `collection_not_found` */
    check({ databaseId, collectionId }: { databaseId: string; collectionId?: string }): void {
      if (databaseId !== needs.databaseId) throw new Refusal('database_not_found')
      if (collectionId !== undefined && collectionId !== needs.collectionId)
        throw new Refusal('collection_not_found')
    },
    listAttributes: listAttributes.bind(undefined, needs),
    declare: declareAttribute.bind(undefined, needs),
    change: changeAttribute.bind(undefined, needs),
    remove: removeAttribute.bind(undefined, needs),
    listIndexes: listIndexes.bind(undefined, needs),
    addIndex: addIndex.bind(undefined, needs),
    removeIndex: removeIndex.bind(undefined, needs),
  }
}

/** Named by the settings. */
const named = (id: string) => ({ $id: id, name: id, ...NO_TIMES, enabled: true })
const PERMISSIONS = { $permissions: ['read("any")', 'create("users")'] }

async function toCollection(needs: CollectionNeeds) {
  const { databaseId, collectionId } = needs
  return {
    ...named(collectionId),
    ...PERMISSIONS,
    ...{ databaseId, documentSecurity: true },
    attributes: await listAttributes(needs),
    indexes: await listIndexes(needs),
  }
}

function toBucket({ contentBucketId }: CollectionNeeds) {
  return (id: string) => ({
    ...named(id),
    ...PERMISSIONS,
    fileSecurity: true,
    maximumFileSize: id === contentBucketId ? CONTENT_FILE_MAX_BYTES : AVATAR_FILE_MAX_BYTES,
    allowedFileExtensions: [...IMAGE_EXTENSIONS],
    ...{ compression: 'none', encryption: false, antivirus: false },
  })
}

type Listed = ReturnType<typeof toAttribute>

/**
 * Texts with a format have no size in answers, and times an empty format: tools that push a project
 * compare both with what they keep, and make anew what differs.
 */
function toAttribute(definition: Definition, times: { createdAt: string; updatedAt: string }) {
  const { key, type, required, array, default: standard, format, size, ...rest } = definition
  return {
    ...{ key, type, status: 'available', error: '', required, array },
    $createdAt: times.createdAt,
    $updatedAt: times.updatedAt,
    ...(format === undefined ? {} : { format: type === 'datetime' ? '' : format }),
    ...(size === undefined || format !== undefined ? {} : { size }),
    ...rest,
    default: standard,
  }
}

/** Those that every post has come first, as long as nothing else is declared under their names. */
async function listAttributes({ db }: CollectionNeeds): Promise<Listed[]> {
  const rows = await store.listDeclared(db, 'declaredAttribute')
  const builtIn = BUILT_IN.filter(({ key }) => !rows.some((row) => row.key === key))
  return [
    ...builtIn.map((one) => toAttribute(one, { createdAt: EPOCH, updatedAt: EPOCH })),
    ...rows.flatMap((row) => (row.isListed ? [listed(row)] : [])),
  ]
}

function listed({ definition, createdAt, updatedAt }: store.DeclaredRow): Listed {
  return toAttribute(JSON.parse(definition) as Definition, {
    createdAt: wireTime(createdAt),
    updatedAt: wireTime(updatedAt),
  })
}

async function findAttribute(needs: CollectionNeeds, key: string): Promise<Listed> {
  const found = (await listAttributes(needs)).find((one) => one.key === key)
  if (!found) throw new Refusal('attribute_not_found')
  return found
}

async function declareAttribute(
  needs: CollectionNeeds,
  kind: Kind,
  sent: Readonly<Record<string, unknown>>,
): Promise<Listed> {
  if (sent.key === undefined || sent.key === null)
    throw new Refusal('general_argument_invalid', 'Param "key" is not optional.')
  const key = readKey(sent.key)
  const definition = readDefinition(kind, key, sent)
  const present = await listAttributes(needs)
  if (present.some((one) => one.key === key)) throw new Refusal('attribute_already_exists')
  if (present.length >= DECLARED_ATTRIBUTES_MAX) throw new Refusal('attribute_limit_exceeded')
  await save(needs, { key, definition, isListed: true })
  return { ...(await findAttribute(needs, key)), status: 'processing' }
}

/** Values that posts hold already stay as they are. */
async function changeAttribute(
  needs: CollectionNeeds,
  { kind, key }: { kind: Kind; key: string },
  sent: Readonly<Record<string, unknown>>,
): Promise<Listed> {
  const { array, ...before } = await findAttribute(needs, key)
  const definition = readDefinition(kind, key, { ...before, ...sent, array })
  if (sent.newKey !== undefined && sent.newKey !== null && sent.newKey !== key)
    throw invalidParam('newKey', 'Attributes keep their names here')
  const { format } = toAttribute(definition, { createdAt: EPOCH, updatedAt: EPOCH })
  if (definition.type !== before.type || format !== before.format)
    throw new Refusal('attribute_type_invalid')
  await save(needs, { key, definition, isListed: true })
  return findAttribute(needs, key)
}

/** What posts hold stays. One that every post has is only listed no longer. */
async function removeAttribute(needs: CollectionNeeds, key: string): Promise<void> {
  await findAttribute(needs, key)
  const definition = BUILT_IN.find((one) => one.key === key)
  if (definition) await save(needs, { key, definition, isListed: false })
  else await store.deleteDeclared(needs.db, 'declaredAttribute', key)
}

function save(
  { db, now }: CollectionNeeds,
  row: { key: string; definition: object; isListed: boolean },
): Promise<void> {
  return store.saveDeclared(db, 'declaredAttribute', row, now().toISOString())
}

type Index = Required<Static<typeof NewIndex>> & { lengths: number[] }

async function listIndexes({ db }: CollectionNeeds) {
  return (await store.listDeclared(db, 'declaredIndex')).map(({ definition, ...row }) => ({
    ...(JSON.parse(definition) as Index),
    ...{ status: 'available', error: '' },
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
  }))
}

/** Accepted, so that programs that need one go on; posts have the indexes that lists need. */
async function addIndex(needs: CollectionNeeds, sent: unknown) {
  const { db, now } = needs
  const { orders = [], lengths = [], ...rest } = readParams(NewIndex, sent)
  const index: Index = { ...rest, orders, lengths: lengths.map(Number).filter(Number.isFinite) }
  const present = await listIndexes(needs)
  if (present.some(({ key }) => key === index.key)) throw new Refusal('index_already_exists')
  if (present.length >= DECLARED_INDEXES_MAX) throw new Refusal('index_limit_exceeded')
  const names = (await listAttributes(needs)).map(({ key }) => key)
  const unknown = index.attributes.find((name) => !name.startsWith('$') && !names.includes(name))
  if (unknown !== undefined)
    throw new Refusal('attribute_unknown', `The attribute "${unknown}" is not declared.`)
  const time = now().toISOString()
  const row = { key: index.key, definition: index, isListed: true }
  await store.saveDeclared(db, 'declaredIndex', row, time)
  const times = { $createdAt: wireTime(time), $updatedAt: wireTime(time) }
  return { ...index, status: 'processing', error: '', ...times }
}

async function removeIndex(needs: CollectionNeeds, key: string): Promise<void> {
  if (!(await listIndexes(needs)).some((one) => one.key === key))
    throw new Refusal('index_not_found')
  await store.deleteDeclared(needs.db, 'declaredIndex', key)
}
