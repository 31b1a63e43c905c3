// What a list of posts costs the server, estimated before the work begins: how many posts may be
// gone through, times what each condition and order costs for one post. SQLite blocks all other
// requests meanwhile. Knows what was asked, not what for.

import { OWN_ATTRIBUTES_MAX_BYTES } from '#backend/collections/definitions.ts'
import { Refusal } from '#contract/errors.ts'
import { CONTENT_MAX_CHARS, TITLE_MAX_CHARS, TOTAL_MAX } from '#contract/limits.ts'
import { tagKey } from '#contract/tags.ts'
import {
  type Filter,
  type FilterValue,
  type ListQuery,
  type PlainFilter,
  plainFilters,
} from '../database/queries.ts'
import { askedTags } from './asked.ts'
import { type Cost, foundByIndex, foundRowsUs, indexedCost } from './indexed-cost.ts'
import { conditionsOnTheWay, rangesOf, type Walk, walkOf } from './list-walk.ts'
import { keptMeasure, LIST_PRICE_MAX_MS, MEASURED_POSTS_MAX, type Measures } from './measures.ts'
import { ownAttributeOf, TAGS } from './naming.ts'
import { LIST_LIKE_IDS_MAX } from './post-answers.ts'

// Microseconds of SQLite on a machine with two cores (decision 0022).
/** A call, whatever it asks for. */
const CALL_US = 200
/** A post of the answer. */
const SHOWN_US = 10
/** Going on to the next post. */
const STEP_US = 0.12
/** Comparing a column with one value; every further value of `equal` costs less. */
const COMPARE_US = 0.04
const FURTHER_VALUE_US = 0.005
/** Looking for a text, for each byte of it, and for each byte of the title it is looked for in. */
const SEARCH_US = 0.03
const SEARCH_BYTE_US = 0.005
const SEARCHED_BYTE_US = 0.0008
/** Finding the author's name. */
const NAME_US = 0.4
/** Looking up a like of a person whose likes are asked for. */
const LIKED_US = 1
/** Going on to the next post of a tag, and looking one up. */
const TAGGED_US = 1.2
/** Putting a post into order. */
const SORT_US = 0.2
/** Reading a row and its body: posts with long bodies are spread over many pages. */
const ROW_US = 1
const BODY_BYTE_US = 0.002
/** Finding the attributes that are no role, and each byte of their JSON. */
const OWN_US = 0.8
const OWN_BYTE_US = 0.01
/** Sending a byte of a body. */
const SENT_BYTE_US = 0.005

/**
 * Both databases compare the needle at every position; comparing this many bytes of it costs as
 * much as moving on by one.
 */
const NEEDLE_STEP_BYTES = 180
/** Of a title, and of a body. */
const SEARCH_BYTES_MAX = TITLE_MAX_CHARS / 2
const BODY_MAX_BYTES = 4 * CONTENT_MAX_CHARS
/** `search` makes the text lower case for each word. */
const PASSES_OF_SEARCH = 3
const OWN_MAX_BYTES = OWN_ATTRIBUTES_MAX_BYTES
/** Lengths in characters are counted by reading the text. */
const PASSES_OF_ENDS_WITH = 4
/** Of a title, as long as it takes to look for a text in it. */
const SEARCHES_OF_ENDS_WITH = 2
/** Bodies are read, moved and compared with each other. */
const PASSES_OF_ORDER = 4
/** A name or an id. */
const SHORT_TEXT_BYTES = 60
/** A list, and what its answer will hold. */
export type PricedList = {
  query: ListQuery
  hasTotal: boolean
  /** The posts in front of the page are counted, too. */
  hasBefore?: boolean
  hasLikeIds: boolean
  /** Who sees posts of their own that others do not. */
  ownerId?: string | undefined
}

/**
 * Estimates the milliseconds that a list takes.
 *
 * @throws Refusal `general_argument_invalid` when they are more than one call may take
 */
export async function priceList(measures: Measures, list: PricedList): Promise<number> {
  const costs = await listCosts(await measuresFor(measures, list.query), list)
  const priceMs = costs.reduce((total, { us }) => total + us, 0) / 1000
  if (priceMs <= LIST_PRICE_MAX_MS) return priceMs
  const dearest = costs.reduce((most, cost) => (cost.us > most.us ? cost : most))
  throw new Refusal(
    'general_argument_invalid',
    `Invalid query: Query on attribute is not indexed: ${ownAttributeOf(dearest.attribute) ?? dearest.attribute}`,
  )
}

/** What sending the bodies of an answer costs, in milliseconds: known only once they are read. */
export function priceOfBodies(
  documents: readonly { content?: string; attributes?: string }[],
): number {
  const bytes = documents.reduce(
    (total, { content = '', attributes = '' }) => total + content.length + attributes.length,
    0,
  )
  return (bytes * SENT_BYTE_US) / 1000
}

/** The bodies of a few people's posts may be short, however long those of all others are. */
async function measuresFor(measures: Measures, { filters }: ListQuery): Promise<Measures> {
  const authors = authorsIn(filters)
  if (!authors || (await measures.postsOf(authors)) > MEASURED_POSTS_MAX) return measures
  return { ...measures, bodyBytes: keptMeasure(() => measures.bodyBytesOf(authors)) }
}

/** The people whose posts alone can be found. */
function authorsIn(filters: Filter[]): string[] | undefined {
  const one = filters.find((filter) => filter.method === 'equal' && filter.attribute === 'userid')
  return one && 'values' in one ? one.values.map(String) : undefined
}

async function listCosts(measures: Measures, list: PricedList): Promise<Cost[]> {
  const { query, hasTotal, hasBefore = false, hasLikeIds } = list
  const { limit } = query
  const posts = await measures.posts()
  const walk = walkOf(query)
  const { pageRows, totalRows, sortedRows } = await rowsOf(measures, list, { walk, posts })
  const conditions = plainFilters(conditionsOnTheWay(query, walk))
  const isTagged = walk.by === 'tag' || walk.by === 'tags'
  const taggedRows = isTagged ? pageRows + (hasTotal ? totalRows : 0) : 0
  const shownLikes = hasLikeIds ? await likesOfPage(measures, { posts, shown: limit }) : 0
  return [
    { attribute: '$createdAt', us: CALL_US + Math.min(limit, posts) * SHOWN_US },
    { attribute: 'likeId', us: shownLikes * LIKED_US },
    { attribute: TAGS, us: taggedRows * TAGGED_US },
    {
      attribute: '$createdAt',
      us: (await ownBytesOfPage(measures, { posts, shown: limit })) * OWN_BYTE_US,
    },
    { attribute: '$createdAt', us: foundRowsUs(query, pageRows) * (hasTotal ? 2 : 1) },
    ...(await scanCosts(measures, conditions, pageRows)),
    ...(hasTotal ? await scanCosts(measures, conditions, totalRows) : []),
    ...(hasBefore ? await scanCosts(measures, conditions, totalRows) : []),
    ...(await orderCosts(measures, query, sortedRows)),
    ...(await cursorCosts(measures, query, walk.isInOrder ? 0 : pageRows)),
  ]
}

/** How many posts are gone through for a page and for a total, and how many are put into order. */
type Rows = { pageRows: number; totalRows: number; sortedRows: number }

async function rowsOf(
  measures: Measures,
  { query, ownerId }: PricedList,
  { walk, posts }: { walk: Walk; posts: number },
): Promise<Rows> {
  const isEnding = walk.isInOrder && conditionsOnTheWay(query, walk).length === 0
  if (!isEnding) {
    const rows = Math.min(posts, await countCandidates(measures, query, walk))
    const hasOrder = walk.isInOrder
    // An order along the index ends a page early at best.
    return { pageRows: rows, totalRows: rows, sortedRows: hasOrder ? 0 : rows }
  }
  const own = await ownRows(measures, ownerId, walk)
  return {
    pageRows: Math.min(posts, query.offset + query.limit) + own,
    totalRows: Math.min(posts, TOTAL_MAX),
    sortedRows: own,
  }
}

/** A person's drafts stand in the order of creation and of time only, and apart from tags. */
async function ownRows(
  measures: Measures,
  ownerId: string | undefined,
  walk: Walk,
): Promise<number> {
  if (ownerId === undefined || (walk.by !== 'all' && walk.by !== 'tag')) return 0
  const isIndexed = walk.by === 'all' && (walk.along === '$sequence' || walk.along === '$createdAt')
  return isIndexed ? 0 : measures.unshownOf(ownerId)
}

/** How many posts an index leaves to go through. */
async function countCandidates(measures: Measures, query: ListQuery, walk: Walk): Promise<number> {
  let rows = Number.POSITIVE_INFINITY
  const { filters } = query
  const ids = filters.find((filter) => filter.method === 'equal' && filter.attribute === '$id')
  if (ids && 'values' in ids) rows = Math.min(rows, ids.values.length)
  for (const filter of filters) rows = Math.min(rows, foundByIndex(filter) ?? rows)
  if (walk.by === 'ids' || walk.by === 'found') return rows
  const authors = authorsIn(filters)
  const tags = askedTags(query)
  if (tags) return measures.tagged(tags)
  if (authors) return measures.postsOf(authors)
  const ranges = rangesOf(query, walk)
  return ranges.length === 0 ? rows : Math.min(rows, await measures.inRange(ranges))
}

/** Ids of likes in the answer. The likes of a few posts may be most of all. */
async function likesOfPage(
  measures: Measures,
  { posts, shown }: { posts: number; shown: number },
): Promise<number> {
  const likes = await measures.likes()
  const perPost = likes / Math.max(1, posts)
  return Math.min(likes, LIST_LIKE_IDS_MAX, perPost * shown)
}

/** Attributes that are no role are read with each post of the answer. */
async function ownBytesOfPage(
  measures: Measures,
  { posts, shown }: { posts: number; shown: number },
): Promise<number> {
  return (await measures.ownBytes()) * Math.min(1, shown / Math.max(1, posts))
}

/** Going through so many posts, and asking each for all conditions. */
async function scanCosts(
  measures: Measures,
  conditions: PlainFilter[],
  rows: number,
): Promise<Cost[]> {
  const costs: Cost[] = [{ attribute: '$createdAt', us: rows * STEP_US }]
  for (const filter of conditions) {
    const { attribute } = filter
    if (filter.method === 'search' && filter.indexed) {
      costs.push(await indexedCost(measures, scanCosts, filter, rows))
      continue
    }
    const textBytes = attribute === 'title' ? await measures.titleBytes() : SHORT_TEXT_BYTES
    const us = rows * compareUs(filter, textBytes)
    if (attribute === 'likeId') {
      const people = 'values' in filter ? filter.values.map(String) : []
      const likes = people.length === 0 ? 0 : await measures.likesOf(people)
      costs.push({ attribute, us: us + likes * LIKED_US })
    } else if (attribute === TAGS) {
      const keys = 'values' in filter ? filter.values.map((one) => tagKey(String(one))) : []
      const tagged = keys.length === 0 ? 0 : await measures.tagged(keys)
      costs.push({ attribute, us: us + tagged * TAGGED_US })
    } else {
      const valuesUs = await valuesCost(measures, attribute, rows)
      costs.push({ attribute, us: us + valuesUs * readingsOf(filter) })
    }
  }
  return costs
}

/** Looked up once for all posts. */
const SETS: readonly string[] = ['likeId', TAGS]

/** What comparing the value of one post costs, once it has been read. */
function compareUs(filter: PlainFilter, textBytes: number): number {
  if (!('values' in filter)) return COMPARE_US
  const { values, attribute, method } = filter
  if (attribute === 'content') return 0
  const searchedUs = textBytes * SEARCHED_BYTE_US
  if (method === 'endsWith') return COMPARE_US + searchedUs * SEARCHES_OF_ENDS_WITH
  const passes = method === 'search' ? PASSES_OF_SEARCH : 1
  if (method === 'search' || (method === 'contains' && !SETS.includes(attribute)))
    return values.reduce<number>(
      (total, value) => total + searchedUs * passes + searchUs(String(value)),
      0,
    )
  return COMPARE_US + values.length * FURTHER_VALUE_US
}

/** A needle longer than the longest title is found nowhere, at once. */
function searchUs(needle: string): number {
  const bytes = Math.min(Buffer.byteLength(needle), SEARCH_BYTES_MAX)
  return SEARCH_US + bytes * SEARCH_BYTE_US
}

/** How many times a condition reads (or computes) the value of each post. */
function readingsOf(filter: PlainFilter): number {
  const isBody = filter.attribute === 'content'
  const isLong = isBody || ownAttributeOf(filter.attribute) !== undefined
  switch (filter.method) {
    case 'isNull':
    case 'isNotNull':
      return isBody ? 0 : 1
    case 'search':
    case 'contains':
      return (filter.values as FilterValue[]).reduce<number>(
        (total, value) =>
          total +
          (filter.method === 'search' ? PASSES_OF_SEARCH : 1) +
          (isLong ? Buffer.byteLength(String(value)) / NEEDLE_STEP_BYTES : 0),
        0,
      )
    case 'endsWith':
      return PASSES_OF_ENDS_WITH
    default:
      return isLong ? filter.values.length : 1
  }
}

/** What reading or computing an attribute of so many posts costs once. */
async function valuesCost(measures: Measures, attribute: string, rows: number): Promise<number> {
  if (rows === 0) return 0
  switch (attribute) {
    case 'userName':
      return rows * NAME_US
    // In no index of a filter: the row is read, past its body.
    case 'like':
      return rows * ROW_US
    case 'content': {
      const bytes = Math.min(await measures.bodyBytes(), rows * BODY_MAX_BYTES)
      return rows * ROW_US + bytes * BODY_BYTE_US
    }
    default:
      if (ownAttributeOf(attribute) === undefined) return 0
      return rows * OWN_US + Math.min(await measures.ownBytes(), rows * OWN_MAX_BYTES) * OWN_BYTE_US
  }
}

async function orderCosts(
  measures: Measures,
  { order, isRandom, limit }: ListQuery,
  rows: number,
): Promise<Cost[]> {
  const costs: Cost[] = [{ attribute: '$createdAt', us: rows * SORT_US }]
  for (const { attribute = '$createdAt' } of isRandom ? ([{}] as ListQuery['order']) : order) {
    const passes =
      attribute === 'content' || ownAttributeOf(attribute) !== undefined ? PASSES_OF_ORDER : 1
    // The page is put into order once more when its rows have been read.
    const valuesUs =
      (await valuesCost(measures, attribute, rows)) +
      (await valuesCost(measures, attribute, Math.min(rows, limit)))
    costs.push({ attribute, us: rows * SORT_US + valuesUs * passes })
  }
  return costs
}

/** Behind a cursor each post is compared by the first attribute, then by the next, and so on. */
async function cursorCosts(
  measures: Measures,
  { order, cursor }: ListQuery,
  rows: number,
): Promise<Cost[]> {
  if (!cursor) return []
  const costs: Cost[] = []
  for (const [at, { attribute = '$createdAt' }] of order.entries()) {
    const comparisons = order.length - at + (at === 0 ? 2 : 1)
    const valuesUs = await valuesCost(measures, attribute, rows)
    costs.push({ attribute, us: comparisons * (rows * COMPARE_US + valuesUs) })
  }
  return costs
}
