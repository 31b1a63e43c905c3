// The one reader of query strings: of a repeated parameter the last value counts, `name[0]` and
// `name[]` are lists (api.md §1.2).
import { QUERY_LIST_INDEX_MAX, QUERY_PARAMS_MAX } from '#contract/request-limits.ts'

/** Texts as sent; a parameter with brackets is a list. Has no prototype. */
export type QueryParams = Record<string, string | string[]>

/** `name[]` and `name[7]`. */
const LIST_ITEM = /^([^[\]]+)\[(\d{0,4})\]$/

/**
 * Never throws. What is beyond `QUERY_PARAMS_MAX` is not read, and names of the prototype of
 * objects are left out, so that no reader can take one of those for a parameter.
 */
export function readQueryString(text: string): QueryParams {
  const params: QueryParams = Object.create(null)
  if (text === '') return params
  const lists = new Map<string, Map<number, string>>()
  let count = 0
  for (const [key, value] of new URLSearchParams(text)) {
    if (++count > QUERY_PARAMS_MAX) break
    const [, name = key, index] = LIST_ITEM.exec(key) ?? []
    if (name === '' || name in Object.prototype) continue
    if (index === undefined) {
      lists.delete(name)
      params[name] = value
    } else {
      delete params[name]
      addItem(lists, { name, index, value })
    }
  }
  for (const [name, items] of lists)
    params[name] = [...items].sort(([a], [b]) => a - b).map(([, value]) => value)
  return params
}

/** An item without a number comes after those that are there. */
function addItem(
  lists: Map<string, Map<number, string>>,
  { name, index, value }: { name: string; index: string; value: string },
): void {
  const items = lists.get(name) ?? new Map<number, string>()
  lists.set(name, items)
  const at = index === '' ? Math.max(-1, ...items.keys()) + 1 : Number(index)
  if (at <= QUERY_LIST_INDEX_MAX) items.set(at, value)
}
