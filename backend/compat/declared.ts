// What the API key declares of an attribute, and what a value of it must be. Knows no HTTP and no
// SQL.
import { isIP } from 'node:net'
import { EMAIL_MAX_CHARS } from '#backend/accounts/personal-details.ts'
import { parseTime, wireTime } from '#contract/ids.ts'
import { hasMoreCharacters } from '#contract/posts.ts'
import type { QuerySchema } from '../database/queries.ts'
import {
  invalidFormat,
  invalidStructure,
  invalidType,
  type Scalar,
  type Value,
} from '../posts/attributes.ts'

/** The kinds of the addresses `…/attributes/<kind>`. */
export const KINDS = [
  'string',
  'integer',
  'float',
  'boolean',
  'email',
  'url',
  'enum',
  'datetime',
  'ip',
  'varchar',
  'text',
  'mediumtext',
  'longtext',
] as const
export type Kind = (typeof KINDS)[number]

/** In the shape of the answers, without its times and state (api.md §3.7). */
export type Definition = {
  key: string
  type: 'string' | 'integer' | 'double' | 'boolean' | 'datetime'
  required: boolean
  array: boolean
  default: Value | null
  /** Of texts that have one: `email`, `url`, `enum`, `ip`; of a datetime `datetime`. */
  format?: string
  size?: number
  min?: number
  max?: number
  elements?: string[]
}

/** The declared attributes by name. */
export type Declared = ReadonlyMap<string, Definition>

/**
 * Checks a value of a declared attribute.
 *
 * @returns the value to store; undefined for none
 * @throws Refusal `document_invalid_structure`
 */
export function readDeclared(definition: Definition, value: unknown): Value | undefined {
  const { key, array, required } = definition
  if (value === null || value === undefined) {
    if (required) throw invalidStructure(`Missing required attribute "${key}"`)
    return undefined
  }
  if (!array) return readOne(definition, key, value)
  if (!Array.isArray(value)) throw invalidStructure(`Attribute "${key}" must be an array`)
  return value.map((one, index) => readOne(definition, `${key}['${index}']`, one))
}

function readOne(definition: Definition, name: string, value: unknown): Scalar {
  switch (definition.type) {
    case 'string':
      return readText(definition, name, value)
    case 'boolean':
      if (typeof value !== 'boolean') throw invalidType(name, 'Value must be a valid boolean')
      return value
    case 'datetime': {
      const time = parseTime(value)
      if (time === undefined) throw invalidType(name, 'Value must be a valid date')
      return wireTime(time)
    }
    default:
      return readNumber(definition, name, value)
  }
}

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u

function readText({ size = 0, format, elements = [] }: Definition, name: string, value: unknown) {
  if (typeof value !== 'string' || hasMoreCharacters(value, size) || value.includes('\0'))
    throw invalidType(name, `Value must be a valid string and no longer than ${size} chars`)
  if (format === 'enum' && !elements.includes(value))
    throw invalidFormat(name, `one of (${elements.join(', ')})`)
  if (format === 'email' && (value.length > EMAIL_MAX_CHARS || !EMAIL.test(value)))
    throw invalidFormat(name, 'a valid email address')
  if (format === 'url' && (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)))
    throw invalidFormat(name, 'a valid URL')
  if (format === 'ip' && isIP(value) === 0) throw invalidFormat(name, 'a valid IP address')
  return value.toWellFormed()
}

function readNumber({ type, min, max }: Definition, name: string, value: unknown): number {
  const isFit = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (!isFit)
    throw invalidType(name, `Value must be a valid ${type === 'integer' ? 'integer' : 'float'}`)
  const number = Number(value)
  const [low, high] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY]
  if (number < low || number > high)
    throw invalidFormat(name, `a valid range between ${low} and ${high}`)
  return number
}

/** What a list may be asked about it. */
export function queryAttribute({ type, array }: Definition): QuerySchema[string] {
  const known = type === 'double' ? 'number' : type
  return array ? { type: known, isArray: true } : { type: known }
}
