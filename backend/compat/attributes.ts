// The attributes that posts may have besides the specified ones, by the settings and by the API
// key's declarations, and other names of the specified ones (api.md §3.6). In one piece: each write
// of a post needs all of it.

import { wireTime } from '#contract/ids.ts'
import { TITLE_MAX_CHARS } from '#contract/limits.ts'
import { isVisible, plainLine } from '#contract/visible-text.ts'
import {
  type Filter,
  type FindAttribute,
  type QuerySchema,
  readQueries,
  readSelect,
} from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import {
  type Attributes,
  invalidStructure,
  invalidType,
  type NamedData,
  OWN_STATUS,
  type OwnChanges,
  ownAttributeOf,
  type Scalar,
  type SentData,
  toOwnAttribute,
  type Value,
  YIELDING,
} from '../posts/attributes.ts'
import { POST_LIST_SCHEMA } from '../posts/structure.ts'
import { type Declared, type Definition, queryAttribute, readDeclared } from './declared.ts'
import { type DeclaredRow, listDeclared } from './store.ts'

/** The row with the words that make a post public. No attribute can have this name. */
export const STORED_STATUSES = '$publicStatuses'

/** As it is stored: a list, or an object while some posts are stored by other words. */
export function findStatuses(rows: DeclaredRow[]): string {
  return rows.find(({ key }) => key === STORED_STATUSES)?.definition ?? '["active"]'
}

function statusesIn(rows: DeclaredRow[]): readonly string[] {
  const stored: string[] | { now: string[] } = JSON.parse(findStatuses(rows))
  return Array.isArray(stored) ? stored : stored.now
}

type Settings = { hasExtraAttributes: boolean }

/** @returns reads the attributes that posts may have; inside a transaction it takes that */
export function makeReadAttributes({
  hasExtraAttributes: hasExtras,
}: Settings): (tx: Database) => Promise<Attributes> {
  let last: { rows: string; attributes: Attributes } | undefined
  return async (tx) => {
    const rows = await listDeclared(tx, 'declaredAttribute')
    const text = JSON.stringify(rows)
    if (last?.rows !== text) {
      const rules = { hasExtras, publicStatuses: statusesIn(rows), ...readDeclaredRows(rows) }
      last = { rows: text, attributes: makeAttributes(rules) }
    }
    return last.attributes
  }
}

function readDeclaredRows(rows: DeclaredRow[]) {
  const listed = rows
    .filter(({ isListed }) => isListed)
    .map(({ definition }): Definition => JSON.parse(definition))
  // A title is required unless the key declares otherwise.
  const isAsBuilt = !rows.some(({ key }) => key === 'title')
  const titles = listed.filter(({ key }) => findPostField(key, { hasOwn: true }) === 'title')
  const standard = titles.find((one) => one.default !== null)?.default
  return {
    declared: new Map(listed.map((one) => [one.key, one])),
    title: {
      isRequired: isAsBuilt || titles.some(({ required }) => required),
      standard: isTitle(standard) && isVisible(standard) ? plainLine(standard) : '',
    },
  }
}

/** Declared texts may be longer than a title. */
function isTitle(text: unknown): text is string {
  return typeof text === 'string' && text.length <= TITLE_MAX_CHARS && !/\p{Cc}/u.test(text)
}

type Rules = Pick<Attributes, 'hasExtras' | 'publicStatuses' | 'title'> & { declared: Declared }

export function makeAttributes(rules: Rules): Attributes {
  const { hasExtras, publicStatuses, declared, title } = rules
  const mayHave = (name: string) => hasExtras || declared.has(name)
  const postFieldOf = (name: string) => findPostField(name, { hasOwn: mayHave(name) })
  const isOwn = (name: string) => mayHave(name) && isOwnName(name)
  const find = (schema: QuerySchema): FindAttribute => {
    return (name) => {
      const as = resolveQueryName(schema, name)
      const own = ownAttributeOf(as)
      if (own === undefined) return schema[as] && { ...schema[as], as }
      if (!isOwn(own)) return undefined
      const definition = declared.get(own)
      if (!definition) return { type: 'any', as }
      // Times of attributes are stored as answers have them.
      const isTime = definition.type === 'datetime'
      const toStored = isTime ? { toStored: (time: unknown) => wireTime(String(time)) } : {}
      return { ...queryAttribute(definition), as, ...toStored }
    }
  }
  const resolveQueryName = (schema: QuerySchema, name: string) => {
    if (YIELDING.includes(name) && isOwn(name)) return toOwnAttribute(name)
    return Object.hasOwn(schema, name) ? name : (postFieldOf(name) ?? toOwnAttribute(name))
  }
  const inQuery = (schema: QuerySchema, names: string[] | undefined) =>
    names?.map((name) => find(schema)(name)?.as ?? name)
  const listed = [...declared.values()].filter(({ key }) => isOwnName(key))
  return {
    ...{ hasExtras, publicStatuses, title, postFieldOf, isOwn },
    absent: Object.fromEntries(listed.map(({ key }) => [key, null])),
    nameData: (sent) => nameData(postFieldOf, sent),
    readOwn(name, value) {
      if (!isOwn(name)) throw unknownAttribute(name)
      const definition = declared.get(name)
      return definition ? readDeclared(definition, value) : readUndeclared(name, value)
    },
    newOwn(sent, { isIncomplete }) {
      const all: Map<string, Value | undefined> = new Map(sent)
      for (const { key, required, default: standard } of listed) {
        if (all.get(key) !== undefined) continue
        if (required && !isIncomplete) throw invalidStructure(`Missing required attribute "${key}"`)
        if (standard !== null) all.set(key, standard)
      }
      return all satisfies OwnChanges
    },
    readList(texts, role) {
      const query = readQueries(texts, find(POST_LIST_SCHEMA), { role })
      const { select: names } = query
      const order = query.order.map((one) =>
        one.attribute === STATUS && !isUsual(publicStatuses)
          ? { ...one, attribute: OWN_STATUS }
          : one,
      )
      const filters = ruledFilters(publicStatuses, query.filters)
      return {
        query: { ...query, filters, order, select: inQuery(POST_LIST_SCHEMA, names) },
        names,
      }
    },
    readOne(schema, texts) {
      const names = readSelect(texts, find(schema))
      return { query: inQuery(schema, names), names }
    },
  }
}

function nameData(postFieldOf: Attributes['postFieldOf'], sent: SentData): NamedData {
  const named = new Map<string, { name: string; value: unknown }>()
  const spellings: string[] = []
  let twice: string[] | undefined
  for (const [name, value] of Object.entries(sent)) {
    if (name.startsWith('$')) continue
    const role = postFieldOf(name)
    const before = named.get(role ?? name)
    if (!before) named.set(role ?? name, { name, value })
    else if (JSON.stringify(before.value) !== JSON.stringify(value)) twice ??= [before.name, name]
    // Every answer has the author under this name.
    if (role && name !== role && name !== 'userId') spellings.push(name)
  }
  return {
    data: Object.fromEntries([...named].map(([name, { value }]) => [name, value])),
    spellings,
    refuseTwice() {
      if (!twice) return
      const names = twice.map((name) => `"${name}"`).join(' and ')
      throw invalidStructure(`Attributes ${names} are the same and have different values`)
    },
  }
}

function unknownAttribute(name: string) {
  const text = `Unknown attribute: "${name}"`
  if (!isOwnName(name)) return invalidStructure(text)
  const setting = 'BLOG_EXTRA_ATTRIBUTES'
  return invalidStructure(`${text}. The setting ${setting}=on allows it`, { setting })
}

function readUndeclared(name: string, value: unknown): Value | undefined {
  if (value === null) return undefined
  if (!Array.isArray(value)) return readScalar(name, value)
  return value.map((one, index) => {
    const element = `${name}['${index}']`
    if (typeof one !== 'string') throw invalidType(element, 'Value must be a valid string')
    return readScalar(element, one)
  })
}

function readScalar(name: string, value: unknown): Scalar {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  if (typeof value === 'string' && !value.includes('\0')) return value.toWellFormed()
  throw invalidType(name, 'Value must be a text, a number, a boolean or a list of texts')
}

// --- the words of the status

const STATUS = 'status'

/** Whether only `active` is public, so that the stored status is the sent one. */
function isUsual(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === 'active'
}

/**
 * Translates conditions on the words of `status` to the stored status, which rules and indexes use,
 * if they ask for all public posts or for none; otherwise to the words themselves.
 *
 * @param words that are public
 */
function ruledFilters(words: readonly string[], filters: Filter[]): Filter[] {
  if (isUsual(words)) return filters
  const excludes = (word: string) => (one: Filter) =>
    one.method === 'notEqual' && one.attribute === STATUS && one.values[0] === word
  const isPrivateAsked = words.every((word) => filters.some(excludes(word)))
  if (!isPrivateAsked) return filters.map((one) => ruled(words, one))
  const others = filters.filter((one) => !words.some((word) => excludes(word)(one)))
  const isPrivate: Filter = { method: 'notEqual', attribute: STATUS, values: ['active'] }
  return [...others.map((one) => ruled(words, one)), isPrivate]
}

function ruled(words: readonly string[], filter: Filter): Filter {
  if ('filters' in filter)
    return { ...filter, filters: filter.filters.map((one) => ruled(words, one)) } as Filter
  if (filter.attribute !== STATUS) return filter
  if (filter.method === 'equal') {
    const rest = filter.values.filter((one) => !words.includes(String(one)))
    const isAll = words.every((word) => filter.values.includes(word))
    const isNone = rest.length === filter.values.length
    // Where `active` is not public, `inactive` in a row stands for two words.
    const isExact = rest.length === 0 || words.includes('active')
    if (isExact && (isAll || isNone))
      return { ...filter, values: isAll ? ['active', ...rest] : rest }
  }
  return { ...filter, attribute: OWN_STATUS }
}

// --- names, which are compared without letter case and underscores

/** The longest name of an attribute. */
export const ATTRIBUTE_NAME_MAX_CHARS = 36
/** Names of attributes as the hosted API allows them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** The specified name of an attribute that every post has. */
export type PostFieldName = 'userid' | 'featuredImage' | 'status' | 'title' | 'content' | 'userName'

/** These always mean the specified attribute. */
const NAMES: Record<PostFieldName, string> = {
  userid: 'userid authorid ownerid creatorid',
  featuredImage:
    'featuredimage featuredimageid featureimage coverimage cover image featuredimg featureimg coverimg',
  status: 'status',
  // Required: if one of its names were an attribute of its own, nothing would be the title.
  title: 'title posttitle blogtitle heading headline',
  content: 'content body postcontent blogcontent postbody',
  // Computed: a value that is sent is ignored.
  userName: 'username',
}
/** These mean it only if posts have no attribute of this name. */
const LOOSE_NAMES: Partial<Record<PostFieldName, string>> = {
  userid: 'author owner creator createdby postedby user accountid writer writerid uid',
  featuredImage: `coverimageid coverid imageid thumbnail thumbnailid fileid img imgid photo photoid
    picture banner bannerimage bannerid headerimage heroimage postimage blogimage`,
  status: 'poststatus state',
  content: 'text html article markdown',
}
/** Names that are computed by the server or used by its rules; secrets; members of every object. */
const RESERVED = new Set([
  ...`like likeid useravatar imagecolor ownimage words showntitle highlightedcontent hidden ishidden
    isauthorblocked readers permissions autosave spellings seq sequence documentid databaseid
    collectionid tableid password passwordhash hash salt secret secrethash secretkey otp token
    authtoken apikey privatekey jwt cookie session sessionid sessionsecret clientsecret
    recoverysecret accesstoken refreshtoken provideraccesstoken providerrefreshtoken codeverifier
    nonce statehash browserhash prototype proto`.split(/\s+/),
  ...Object.getOwnPropertyNames(Object.prototype).map(plainName),
])

/** The form in which names are compared. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

const BY_NAME = byName(NAMES)
const BY_LOOSE_NAME = byName(LOOSE_NAMES)

function byName(names: Partial<Record<PostFieldName, string>>): ReadonlyMap<string, PostFieldName> {
  return new Map(
    Object.entries(names).flatMap(([role, all]) =>
      all.split(/\s+/).map((name) => [name, role as PostFieldName] as const),
    ),
  )
}

/**
 * The specified attribute that a name means.
 *
 * @param options `hasOwn` when posts may have an attribute of this name
 */
export function findPostField(
  name: string,
  { hasOwn }: { hasOwn: boolean },
): PostFieldName | undefined {
  if (name.length > ATTRIBUTE_NAME_MAX_CHARS || name.startsWith('$')) return undefined
  const plain = plainName(name)
  return BY_NAME.get(plain) ?? (hasOwn ? undefined : BY_LOOSE_NAME.get(plain))
}

/** Whether an attribute besides the specified ones may have this name. */
export function isOwnName(name: string): boolean {
  const plain = plainName(name)
  const isShort = name.length <= ATTRIBUTE_NAME_MAX_CHARS
  return isShort && NAME.test(name) && !RESERVED.has(plain) && !BY_NAME.has(plain)
}
