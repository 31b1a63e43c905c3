// The search for posts: what is asked for as a match of the index, and the posts that are found, by
// rank: all words in the title, some of them there, none; each the newest first. Phrases are looked
// for in the texts of what the index gives. Who may read comes in as a condition (decision 0044).
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RawBuilder, SqlBool } from 'kysely'
import { SEARCH_RESULTS_MAX } from '#contract/limits.ts'
import { plainText } from '#contract/plain-text.ts'
import type { Database } from '../database/schema.ts'
import { noSample } from '../database/tsvector-search.ts'
import { type Match, withinStatementTime } from '../database/word-index.ts'
import { makeTurns, type Turns } from '../process/turns.ts'
import { type AskedPart, needsReading } from './asked.ts'
import { holdsPart, SNIPPET_SEARCHED_MAX_CHARS } from './found-in-text.ts'
import * as store from './search-store.ts'
import { type Token, tokensInTurns, tokensOf } from './tokens.ts'

/** Posts whose texts are read through for the phrases of one search, and how long that may take. */
const SEARCH_PHRASE_POSTS_MAX = 1000
const SEARCH_PHRASE_MAX_MS = 250
/** Of those read at once: other requests go on in between. */
const SEARCH_PHRASE_POSTS_AT_ONCE = 20
/** How long PostgreSQL may look for words. Then: 503. */
const SEARCH_STATEMENT_MAX_MS = 2000

/** As many titles take as long as asking the index for each rank. */
const RANKED_BY_TITLE_MAX = 200

export type SearchNeeds = { db: Database; hasTextBodies?: boolean | undefined }

/** What is searched for; `visible` is a condition on `searchPost`. */
export type PostSearch = { parts: AskedPart[]; visible: RawBuilder<SqlBool> }

/** Posts by `seq`, the best first; `total` counts up to {@link SEARCH_RESULTS_MAX}. */
export type Found = { seqs: number[]; total: number }

/** The posts of one page. */
export function findPosts(
  needs: SearchNeeds,
  search: PostSearch,
  page: store.Page,
): Promise<Found> {
  const isRead = search.parts.some(needsReading)
  return withinStatementTime(needs.db, SEARCH_STATEMENT_MAX_MS, (db) =>
    isRead ? findRead({ ...needs, db }, search, page) : findIndexed(db, search, page),
  )
}

/** A body as readers see it: what the index is made from. */
export function searchedText({ hasTextBodies }: Pick<SearchNeeds, 'hasTextBodies'>, body: string) {
  return hasTextBodies ? body : plainText(body)
}

function matchesOf(parts: AskedPart[]): { all: Match; ranks: Match[] } {
  const words = parts.flatMap((part) => part.words)
  const inTitle = words.map((word): Match => ({ word: { ...word, place: 'title' } }))
  const inBody = words.map((word): Match => ({ word: { ...word, place: 'body' } }))
  const anywhere = inTitle.map((title, at): Match => {
    const body = inBody[at]
    return body ? { any: [title, body] } : title
  })
  const allInTitle = { all: inTitle }
  const noneInTitle = { all: inBody, but: { any: inTitle } }
  const someInTitle = { all: [{ any: inTitle }, ...anywhere], but: allInTitle }
  return {
    all: { all: anywhere },
    ranks: words.length === 1 ? [allInTitle, noneInTitle] : [allInTitle, someInTitle, noneInTitle],
  }
}

async function findIndexed(
  db: Database,
  search: PostSearch,
  { limit, offset }: store.Page,
): Promise<Found> {
  const { parts, visible } = search
  const { all, ranks } = matchesOf(parts)
  const known: store.Known = { terms: new Map(), sample: noSample() }
  const newest = await store.listMatching(db, { match: all, visible, known }, SEARCH_RESULTS_MAX)
  const isFew = newest.isWhole && newest.seqs.length <= RANKED_BY_TITLE_MAX
  const seqs = isFew
    ? await rankByTitle(db, newest.seqs, parts)
    : await listByRank(db, ranks, { visible, known, newest, wanted: offset + limit })
  return {
    seqs: seqs.slice(offset, offset + limit),
    total: Math.max(newest.seqs.length, seqs.length),
  }
}

/** Looks at each title: for few posts that is less work than to ask the index for each rank. */
async function rankByTitle(db: Database, seqs: number[], parts: AskedPart[]): Promise<number[]> {
  const ranks = new Map<number, Rank>()
  for (const { seq, title } of await store.readTitles(db, seqs))
    ranks.set(Number(seq), titleRank([...tokensOf(title)], parts))
  return seqs.toSorted((a, b) => (ranks.get(a) ?? 2) - (ranks.get(b) ?? 2))
}

/** @param by `newest` are those of all ranks */
async function listByRank(
  db: Database,
  ranks: Match[],
  {
    newest,
    wanted,
    ...asked
  }: Omit<store.Asked, 'match'> & { newest: store.Matching; wanted: number },
): Promise<number[]> {
  const seqs: number[] = []
  for (const [at, rank] of ranks.entries()) {
    await nextTurn()
    const left = wanted - seqs.length
    if (left <= 0) break
    if (newest.isWhole && at === ranks.length - 1) {
      const listed = new Set(seqs)
      seqs.push(...newest.seqs.filter((seq) => !listed.has(seq)))
      break
    }
    seqs.push(...(await store.listMatching(db, { match: rank, ...asked }, left)).seqs)
  }
  return seqs
}

/**
 * Reads the texts of what the index gives, those with all words in the title first, until as many
 * are read as may be, or the time is over.
 */
async function findRead(
  needs: SearchNeeds,
  { parts, visible }: PostSearch,
  { limit, offset }: store.Page,
): Promise<Found> {
  const { db } = needs
  const endAtMs = performance.now() + SEARCH_PHRASE_MAX_MS
  const found: { seq: number; rank: number }[] = []
  const seen = new Set<number>()
  const { all, ranks } = matchesOf(parts)
  const known: store.Known = { terms: new Map(), sample: noSample() }
  for (const match of [ranks[0] ?? all, all]) {
    const max = SEARCH_PHRASE_POSTS_MAX - seen.size
    const listed = await store.listMatching(db, { match, visible, known }, max)
    const seqs = listed.seqs.filter((seq) => !seen.has(seq))
    const turns = makeTurns()
    for (let at = 0; at < seqs.length && performance.now() < endAtMs; ) {
      const some = seqs.slice(at, at + SEARCH_PHRASE_POSTS_AT_ONCE)
      for (const post of await store.readTexts(db, some, SNIPPET_SEARCHED_MAX_CHARS)) {
        seen.add(post.seq)
        const rank = await rankOf(needs, post, { parts, turns })
        if (rank !== undefined) found.push({ seq: Number(post.seq), rank })
      }
      at += some.length
    }
  }
  const ordered = found.toSorted((a, b) => a.rank - b.rank || b.seq - a.seq)
  return {
    seqs: ordered.slice(offset, offset + limit).map(({ seq }) => seq),
    total: Math.min(ordered.length, SEARCH_RESULTS_MAX),
  }
}

/** Undefined if a part is missing. */
async function rankOf(
  needs: SearchNeeds,
  { title, content }: store.SearchedPost,
  { parts, turns }: { parts: AskedPart[]; turns: Turns },
): Promise<Rank | undefined> {
  const titleTokens = [...tokensOf(title)]
  const rank = titleRank(titleTokens, parts)
  if (rank === 0) return rank
  const bodyTokens = await tokensInTurns(searchedText(needs, content), turns)
  await turns()
  const isWhole = parts.every((part) => holdsPart(titleTokens, part) || holdsPart(bodyTokens, part))
  return isWhole ? rank : undefined
}

/** 0 with all parts in the title, 1 with some, 2 with none. */
type Rank = 0 | 1 | 2

function titleRank(titleTokens: Token[], parts: AskedPart[]): Rank {
  const inTitle = parts.filter((part) => holdsPart(titleTokens, part)).length
  if (inTitle === parts.length) return 0
  return inTitle > 0 ? 1 : 2
}
