// The query plan of a database, line by line.
import type { CompiledQuery } from 'kysely'
import type { Database } from '#backend/database/schema.ts'

export async function planOf(
  db: Database,
  compiled: CompiledQuery<unknown>,
  name: string,
): Promise<string[]> {
  const explain = name === 'SQLite' ? 'explain query plan' : 'explain (costs off)'
  const { rows } = await db.executeQuery<Record<string, string>>({
    ...compiled,
    sql: `${explain} ${compiled.sql}`,
  } as CompiledQuery<Record<string, string>>)
  return rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '')
}

/** Whether the plan scans all posts, or all posts of a tag. */
export function hasFullScan(steps: string[]): boolean {
  return steps.some((step) => /SCAN (?:post|postTag)\b|Seq Scan on (?:post|"postTag")/.test(step))
}

/**
 * Whether the plan reads rows of posts although a covering index exists (SQLite). Doing so for the
 * few posts of one author is allowed.
 */
export function readsRows(steps: string[]): boolean {
  return steps.some((step) => /SEARCH post USING (?!COVERING|INDEX postOfUser)/.test(step))
}

/**
 * The indexes whose whole result is sorted. Sorting rows that are equal in the first term of the
 * order does not count, nor does merging pages.
 */
export function fullSorts(steps: string[]): string[] {
  return steps.flatMap((step, at) => {
    if (/TEMP B-TREE FOR ORDER BY/.test(step))
      return [indexIn(steps.slice(0, at).findLast((one) => /^(?:SEARCH|SCAN) post/.test(one)))]
    if (/^ *(?:-> {1,2})?Sort\b(?! Key| Method)/.test(step)) {
      const below = steps.slice(at + 1)
      const scan = below.findIndex((one) => /Scan/.test(one))
      // The sort merges several limited pages.
      const isOfPages = below.slice(0, scan).some((one) => /-> {1,2}Limit/.test(one))
      const isOfOneTime = /"(?:createdAt|updatedAt)" = '/.test(below[scan + 1] ?? '')
      return isOfPages || isOfOneTime || scan === -1 ? [] : [indexIn(below[scan])]
    }
    return []
  })
}

function indexIn(step = ''): string {
  return /INDEX (\w+)/.exec(step)?.[1] ?? /Scan(?: Backward)? using "?(\w+)/.exec(step)?.[1] ?? step
}
