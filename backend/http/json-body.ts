// JSON bodies: limits on depth and keys, no prototype keys. A broken body counts as `{}` (api.md
// §1.2).
import { Refusal } from '#contract/errors.ts'
import { JSON_MAX_DEPTH, JSON_MAX_KEYS } from '#contract/limits.ts'

/** Objects that came with a key `__proto__`, which was left out. */
const withPrototype = new WeakSet<object>()

/** Whether an object of a body came with a key `__proto__`, which is never kept. */
export function cameWithPrototype(value: object): boolean {
  return withPrototype.has(value)
}

/** As it stands, or with escapes. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u/

function parseWithoutPrototype(text: string): unknown {
  return JSON.parse(text, function (this: object, key, value) {
    if (key !== '__proto__') return value
    withPrototype.add(this)
    return undefined
  })
}

/** @throws Refusal `general_argument_invalid` for a body nested too deep or with too many keys */
export function readJsonBody(text: string): unknown {
  if (text === '') return {}
  let body: unknown
  try {
    body = MAY_NAME_PROTOTYPE.test(text) ? parseWithoutPrototype(text) : JSON.parse(text)
  } catch {
    return {}
  }
  let keys = 0
  function walk(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null) return
    if (depth > JSON_MAX_DEPTH)
      throw new Refusal(
        'general_argument_invalid',
        `The body is nested deeper than ${JSON_MAX_DEPTH} levels.`,
      )
    const members = Object.values(value)
    if (!Array.isArray(value)) keys += members.length
    if (keys > JSON_MAX_KEYS)
      throw new Refusal('general_argument_invalid', `The body has more than ${JSON_MAX_KEYS} keys.`)
    for (const member of members) walk(member, depth + 1)
  }
  walk(body, 1)
  return body
}
