// What posts may hold at this moment beside the specified attributes, and the names under which
// programs send and ask for it: by the settings, and by what the API key has declared.
import { wireTime } from '#contract/ids.ts'
import {
  type Filter,
  type FindAttribute,
  type QuerySchema,
  readQueries,
  readSelect,
} from '../database/queries.ts'
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
  TAGS,
  toOwnAttribute,
  type Value,
} from '../posts/attributes.ts'
import { POST_LIST_SCHEMA } from '../posts/structure.ts'
import { type Declared, queryAttribute, readDeclared } from './declared.ts'
import { findPostField, isOwnName } from './names.ts'

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
    if (name === TAGS && isOwn(TAGS)) return toOwnAttribute(name)
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

// --- words of the status

const STATUS = 'status'

/** Only `active` is public, and nothing is written beside a status. */
function isUsual(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === 'active'
}

/**
 * Conditions on the words of `status` -> those on the status that rules and indexes go by, as far
 * as they ask for all that is public, or for nothing that is; else on the words themselves.
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
