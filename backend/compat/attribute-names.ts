// Aliases of the API's post attributes (api.md §3.6): translated in bodies and queries of requests,
// and added to answers. They are never stored.

import { type ParsedQuery, parseQuery } from '../database/query-text.ts'
import { invalidStructure } from '../posts/attributes.ts'

/**
 * The aliases of each attribute. Only attributes that never change have any: a program that changes
 * an attribute and sends the whole post back would otherwise send the old value under its aliases.
 */
const ALIASES = {
  userid: ['userId', 'user_id', 'authorId', 'author_id'],
  userName: ['username', 'user_name'],
} as const

const NAME_BY_ALIAS: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([name, aliases]) => aliases.map((alias) => [alias, name])),
)
const ANY_ALIAS = new RegExp(String.raw`\b(?:${[...NAME_BY_ALIAS.keys()].join('|')})\b`)

type Attributes = Readonly<Record<string, unknown>>

/**
 * Renames the attributes of a new or changed post in place.
 *
 * @throws Refusal `document_invalid_structure` for two names of one attribute with different values
 */
export function translateData(data: Record<string, unknown>): void {
  for (const alias of Object.keys(data)) {
    const name = NAME_BY_ALIAS.get(alias)
    if (name === undefined) continue
    const value = data[alias]
    if (Object.hasOwn(data, name) && JSON.stringify(data[name]) !== JSON.stringify(value))
      throw invalidStructure(
        `Attributes "${name}" and "${alias}" are the same and have different values`,
      )
    data[name] = value
    delete data[alias]
  }
}

/**
 * @param text a query in either notation
 * @returns the same query with the attributes' own names, and the aliases that it selects; a text
 *   that cannot be parsed is returned unchanged, and the route refuses it
 */
export function translateQuery(text: string): { text: string; selected: string[] } {
  if (!ANY_ALIAS.test(text)) return { text, selected: [] }
  try {
    const query = parseQuery(text)
    const isSelect = query.method === 'select'
    const selected = isSelect
      ? query.values.filter((value) => NAME_BY_ALIAS.has(String(value)))
      : []
    return { text: JSON.stringify(toJson(query)), selected: selected.map(String) }
  } catch {
    return { text, selected: [] }
  }
}

/** Methods whose values are names of attributes. */
const METHODS_WITH_NAMES = ['select', 'exists', 'notExists']

function toJson({ method, attribute, values, queries }: ParsedQuery): object {
  const translate = (value: unknown) => NAME_BY_ALIAS.get(String(value)) ?? value
  return {
    method,
    attribute: translate(attribute),
    values: [
      ...(METHODS_WITH_NAMES.includes(method) ? values.map(translate) : values),
      ...queries.map(toJson),
    ],
  }
}

/** Adds aliases to a post. An attribute that the post already has keeps its value. */
export function withAliases(post: Attributes): Record<string, unknown> {
  const added = Object.entries(ALIASES).flatMap(([name, aliases]) =>
    Object.hasOwn(post, name) ? aliases.map((alias) => [alias, post[name]]) : [],
  )
  return { ...Object.fromEntries(added), ...post }
}

/** Adds the attributes that a query selected by alias. */
export function withSelectedAliases(post: Attributes, selected: readonly string[]): Attributes {
  const added = selected.map((alias) => [alias, post[NAME_BY_ALIAS.get(alias) ?? '']])
  return { ...post, ...Object.fromEntries(added) }
}
