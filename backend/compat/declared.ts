// Declarations of attributes by the API key: the parameters of `…/attributes/<kind>` -> a checked
// definition, and the check of its values.
import { isIP } from 'node:net'
import Type from 'typebox'
import { Refusal } from '#contract/errors.ts'
import { parseTime, wireTime } from '#contract/ids.ts'
import { hasMoreCharacters } from '#contract/plain-text.ts'
import type { QuerySchema } from '../database/queries.ts'
import { readParams } from '../http/request-params.ts'
import { EMAIL_MAX_CHARS } from '../mail/addresses.ts'
import {
  invalidFormat,
  invalidStructure,
  invalidType,
  OWN_ATTRIBUTES_MAX_BYTES,
  type Scalar,
  type Value,
} from '../posts/attributes.ts'

/** In the shape of the responses, without times and state (api.md §3.7). */
export type Definition = {
  key: string
  type: 'string' | 'integer' | 'double' | 'boolean' | 'datetime'
  required: boolean
  array: boolean
  default: Value | null
  /** `email`, `url`, `enum` or `ip` for some texts, `datetime` for a time. */
  format?: string
  size?: number
  min?: number
  max?: number
  elements?: string[]
}

/** The declared attributes by name. */
export type Declared = ReadonlyMap<string, Definition>

type Sent = Readonly<Record<string, unknown>>

/** Attributes that every post has (api.md §10.1): listed before anything is declared. */
export const BUILT_IN: readonly Definition[] = [
  builtIn('title', { size: 255, required: true }),
  builtIn('content', { size: 1_000_000, default: '' }),
  builtIn('featuredImage', { size: 255, default: '' }),
  builtIn('status', { size: 255, default: 'active' }),
  builtIn('userid', { size: 36 }),
  builtIn('like', { type: 'integer', default: 0 }),
  builtIn('likeId', { size: 36, array: true }),
  builtIn('userName', { size: 128 }),
]

function builtIn(key: string, rest: Partial<Definition>): Definition {
  return { key, type: 'string', required: false, array: false, default: null, ...rest }
}

const TEXT_MAX_CHARS = 1_073_741_824
const ELEMENTS_MAX = 100

const flag = () => Type.Optional(Type.Boolean({ description: 'Value must be a valid boolean' }))
const number = () => Type.Optional(Type.Number({ description: 'Value must be a valid number' }))
const Size = Type.Object({
  size: Type.Integer({
    ...{ minimum: 1, maximum: TEXT_MAX_CHARS },
    description: `Value must be a valid range between 1 and ${TEXT_MAX_CHARS}`,
  }),
})
const Elements = Type.Object({
  elements: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    ...{ minItems: 1, maxItems: ELEMENTS_MAX },
    description: `Value must be a list of 1 to ${ELEMENTS_MAX} texts`,
  }),
})
const Range = Type.Object({ min: number(), max: number() })
const Flags = Type.Object({ array: flag(), required: flag() })

type Shape = (sent: Sent) => Partial<Definition>
const sized: Shape = (sent) => readParams(Size, sent)
const ranged =
  (type: 'integer' | 'double'): Shape =>
  (sent) => {
    const range = readParams(Range, sent)
    if (range.min !== undefined && range.max !== undefined && range.min > range.max)
      throw new Refusal('attribute_value_invalid', 'The minimum is greater than the maximum.')
    return { type, ...range }
  }

/** The kinds of the addresses `…/attributes/<kind>`. */
export const KINDS = {
  ...{ string: sized, varchar: sized },
  text: () => ({ size: 16_383 }),
  mediumtext: () => ({ size: 4_194_303 }),
  longtext: () => ({ size: 1_073_741_823 }),
  email: () => ({ format: 'email', size: 254 }),
  url: () => ({ format: 'url', size: 2000 }),
  ip: () => ({ format: 'ip', size: 39 }),
  enum(sent) {
    const { elements } = readParams(Elements, sent)
    const texts = elements.map((one) => one.toWellFormed().replaceAll('\0', ''))
    return { format: 'enum', size: 255, elements: texts }
  },
  ...{ integer: ranged('integer'), float: ranged('double') },
  boolean: () => ({ type: 'boolean' }),
  datetime: () => ({ type: 'datetime', format: 'datetime' }),
} satisfies Record<string, Shape>
export type Kind = keyof typeof KINDS

/** @throws Refusal `general_argument_invalid`, `attribute_default_unsupported`, … */
export function readDefinition(kind: Kind, key: string, sent: Sent): Definition {
  const { array = false, required = false } = readParams(Flags, sent)
  const definition: Definition = {
    ...{ key, type: 'string', required, array, default: null },
    ...KINDS[kind](sent),
  }
  const standard = sent.default ?? null
  if (standard === null) return definition
  if (required || array) throw new Refusal('attribute_default_unsupported')
  return { ...definition, default: readDefault(definition, standard) }
}

function readDefault(definition: Definition, standard: unknown): Definition['default'] {
  // No post could be created with it.
  if (typeof standard === 'string' && Buffer.byteLength(standard) > OWN_ATTRIBUTES_MAX_BYTES)
    throw new Refusal('attribute_value_invalid')
  try {
    return readDeclared(definition, standard) ?? null
  } catch (cause) {
    throw new Refusal('attribute_value_invalid', undefined, { cause })
  }
}

// --- values

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

/** The type that queries know it by. */
export function queryAttribute({ type, array }: Definition): QuerySchema[string] {
  const known = type === 'double' ? 'number' : type
  return array ? { type: known, isArray: true } : { type: known }
}
