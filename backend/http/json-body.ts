// JSON bodies: limits on depth, keys and values, no prototype keys. A broken body counts as `{}`
// (api.md §1.2).
import { Refusal } from '#contract/errors.ts'
import {
  JSON_MAX_DEPTH,
  JSON_MAX_DIGITS,
  JSON_MAX_KEYS,
  JSON_MAX_VALUES,
} from '#contract/request-limits.ts'

/** Objects that came with a key `__proto__`, which was left out. */
const withPrototype = new WeakSet<object>()

/** Whether an object of a body came with a key `__proto__`, which is never kept. */
export function cameWithPrototype(value: object): boolean {
  return withPrototype.has(value)
}

/** As it stands, or with escapes. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u/

/** @throws Refusal `general_argument_invalid` for a body with more in it than any call needs */
export function readJsonBody(text: string): unknown {
  return parseJson(text) ?? {}
}

/** @returns undefined for what is no JSON */
export function parseJson(text: string): unknown {
  checkBounds(text)
  try {
    const value: unknown = JSON.parse(text)
    if (MAY_NAME_PROTOTYPE.test(text)) dropPrototypes(value)
    return value
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const ESCAPE = 0x5c
/** With this bit a bracket is a brace. */
const BRACE_BIT = 0x20
const BEGINNING = 0x7b
const END = 0x7d

/** Before anything is made of the text: what is parsed costs many times what is read here. */
function checkBounds(text: string): void {
  let [depth, keys, values, digits] = [0, 0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    digits = sign >= ZERO && sign <= NINE ? digits + 1 : 0
    if (sign === QUOTE) at = endOfString(text, at)
    else if (sign === COLON) keys++
    else if (sign === COMMA) values++
    else if ((sign | BRACE_BIT) === BEGINNING) {
      depth++
      values++
    } else if ((sign | BRACE_BIT) === END) depth--
    if (depth > JSON_MAX_DEPTH) throw tooMuch(`is nested deeper than ${JSON_MAX_DEPTH} levels`)
    if (keys > JSON_MAX_KEYS) throw tooMuch(`has more than ${JSON_MAX_KEYS} keys`)
    if (digits > JSON_MAX_DIGITS)
      throw tooMuch(`has a number of more than ${JSON_MAX_DIGITS} digits`)
    if (values > JSON_MAX_VALUES) throw tooMuch(`has more than ${JSON_MAX_VALUES} values`)
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) break
    if (sign === ESCAPE) at++
  }
  return at
}

function tooMuch(what: string): Refusal {
  return new Refusal('general_argument_invalid', `The body ${what}.`)
}

function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) {
    Reflect.deleteProperty(value, '__proto__')
    withPrototype.add(value)
  }
  for (const member of Object.values(value)) dropPrototypes(member)
}
