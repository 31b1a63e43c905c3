// Reads the parameters of a call in their declared order, with the texts of api.md §1.4. Unknown
// ones are ignored.
import type { Static, TObject, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { invalidParam, Refusal } from '#contract/errors.ts'

/**
 * Picks the schema's own keys from a body or a query.
 *
 * @param source as sent; anything but an object counts as empty. `null` counts as absent
 * @throws Refusal `general_argument_invalid`: ``Param "x" is not optional.`` or ``Invalid `x`
 *   param: <the schema's description>``
 */
export function readParams<Schema extends TObject>(
  schema: Schema,
  source: unknown,
): Static<Schema> {
  const from = isRecord(source) ? source : {}
  const required: readonly string[] = schema.required ?? []
  const found: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined
    if (value === undefined || value === null) {
      if (required.includes(name))
        throw new Refusal('general_argument_invalid', `Param "${name}" is not optional.`)
      continue
    }
    if (!Check(part, value))
      throw invalidParam(
        name,
        'description' in part ? String(part.description) : 'Value is not valid',
      )
    found[name] = value
  }
  return found as Static<Schema>
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A list in a query string, as query-string.ts reads it; a parameter without brackets is a list of
 * one (api.md §1.2).
 *
 * @returns undefined when the name is absent. Values are texts as sent
 */
export function findQueryList(query: unknown, name: string): string[] | undefined {
  const found = isRecord(query) && Object.hasOwn(query, name) ? query[name] : undefined
  if (found === undefined) return undefined
  return Array.isArray(found) ? found.map(String) : [String(found)]
}
