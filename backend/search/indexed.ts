// `search` in a list of posts, by the index of words: any of the words, of which the beginning is
// enough. Posts that the index does not hold yet are looked into. Values that are no words go
// through the texts as they did.

import type { SearchFilter } from '../database/list-conditions.ts'
import type { IndexedSearch } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { countMatching, type Match, writeMatch } from '../database/word-index.ts'
import { runsOf, wordsOf } from './asked.ts'
import { measureDue } from './search-store.ts'
import { tokensOf } from './tokens.ts'

/** Posts that `search` in a list finds in the index are counted up to this number for its price. */
const SEARCHED_IN_LIST_COUNTED_MAX = 20_000

/** Up to how many posts that the index does not hold are measured for the price of a list. */
const DUE_COUNTED_MAX = 5000
const WORD = /^[\p{L}\p{M}\p{N}_]+$/u

/** What a `search` is for the index; undefined where it has no part in it. */
export async function lookUp(
  db: Database,
  { attribute, values }: Pick<SearchFilter, 'attribute' | 'values'>,
  due: IndexedSearch['due'],
): Promise<IndexedSearch | undefined> {
  const place = attribute === 'title' ? 'title' : 'body'
  const all = values.map((value) => matchOf(value, place)).filter((one) => one !== undefined)
  if (values.length === 0 || all.length < values.length) return undefined
  const match = await writeMatch(db, { any: all })
  const found = await countMatching(db, match, SEARCHED_IN_LIST_COUNTED_MAX + 1)
  return {
    match,
    isExact: values.every((value) => WORD.test(value)),
    found: found > SEARCHED_IN_LIST_COUNTED_MAX ? undefined : found,
    due,
  }
}

/** Posts that no `search` finds by the index yet. */
export async function findDue(db: Database): Promise<IndexedSearch['due']> {
  const due = await measureDue(db, DUE_COUNTED_MAX)
  return due.posts < DUE_COUNTED_MAX ? due : undefined
}

/** All words of it, the last one by its beginning; undefined when it has none. */
function matchOf(value: string, place: 'title' | 'body'): Match | undefined {
  const runs = runsOf([...tokensOf(value)])
  const words = runs.flatMap((run, at) => {
    const isBeginning = at === runs.length - 1 && [...(run[0]?.word ?? '')].length > 1
    return wordsOf(run, { isBeginning })
  })
  return words.length === 0
    ? undefined
    : { all: words.map((word) => ({ word: { ...word, place } })) }
}
