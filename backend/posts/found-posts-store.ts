// Which posts a list finds, by their `seq`, and how many, in SQL. Knows no rule: who may read comes
// in as a scope. Not yet executed where a test asks the databases for their plans.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListQuery } from '#contract/queries.ts'
import {
  countBefore,
  countRows,
  type ListSource,
  selectBefore,
  selectCount,
  selectPage,
} from '../database/list-query.ts'
import type { Database } from '../database/schema.ts'
import type { PostScope } from './access.ts'
import { listFor } from './post-columns-store.ts'
import { lanesFor } from './post-lanes-store.ts'
import { inScope } from './post-scope-store.ts'

/** A list within what somebody may read. */
export type ScopedQuery = { query: ListQuery; scope: PostScope }

function sourceOf(db: Database, { query, scope }: ScopedQuery): ListSource {
  return { ...listFor(query), lanes: lanesFor(db, query, scope) }
}

/**
 * The posts of a page in the order asked for; before a cursor the other way round, beginning with
 * the one next to it.
 *
 * @param options `hasAnyCursor`: the post of the cursor need not be in the scope
 * @throws Refusal `general_cursor_not_found`
 */
export async function findSeqs(
  db: Database,
  list: ScopedQuery,
  options: { hasAnyCursor?: boolean } = {},
): Promise<number[]> {
  const { rows } = await (await selectSeqs(db, list, options)).execute(db)
  return rows.map(({ seq }) => Number(seq))
}

export async function selectSeqs(
  db: Database,
  list: ScopedQuery,
  { hasAnyCursor = false }: { hasAnyCursor?: boolean } = {},
): Promise<RawBuilder<{ seq: number }>> {
  const scope = hasAnyCursor ? sql<SqlBool>`1 = 1` : inScope(list.scope)
  return selectPage(db, sourceOf(db, list), list.query, scope)
}

/** How many posts a list holds on all its pages, counted up to `TOTAL_MAX`. */
export function countFound(db: Database, list: ScopedQuery): Promise<number> {
  return countRows(db, sourceOf(db, list), list.query, inScope(list.scope))
}

export function selectFoundCount(db: Database, list: ScopedQuery): RawBuilder<{ total: number }> {
  return selectCount(db, sourceOf(db, list), list.query, inScope(list.scope))
}

/**
 * How many posts are in front of the page behind a cursor, counted as far.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export function countInFront(db: Database, list: ScopedQuery): Promise<number> {
  return countBefore(db, sourceOf(db, list), list.query, inScope(list.scope))
}

export function selectCountInFront(
  db: Database,
  list: ScopedQuery,
): Promise<RawBuilder<{ total: number }>> {
  return selectBefore(db, sourceOf(db, list), list.query, inScope(list.scope))
}

/** A list of the newest posts first, as rules ask for it. */
export function newestFirst({
  filters = [],
  limit,
  cursor,
}: Pick<ListQuery, 'limit'> & Partial<Pick<ListQuery, 'filters' | 'cursor'>>): ListQuery {
  return {
    ...{ filters, limit, cursor, offset: 0, isRandom: false, select: undefined },
    order: [{ attribute: '$createdAt', direction: 'desc' }],
  }
}
