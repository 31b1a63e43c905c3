// The parameters of `…/attributes/<kind>` -> a checked definition. Knows no HTTP and no SQL.

import Type from 'typebox'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { readParams } from '../http/request-params.ts'
import { OWN_ATTRIBUTES_MAX_BYTES } from '../posts/attributes.ts'
import { type Definition, type Kind, readDeclared } from './declared.ts'
import { ATTRIBUTE_NAME_MAX_CHARS, findRole, isOwnName } from './names.ts'

type Sent = Readonly<Record<string, unknown>>

const TEXT_MAX_CHARS = 1_073_741_824
const ELEMENTS_MAX = 100
const SIZES = { email: 254, url: 2000, enum: 255, ip: 39 } as const
const LONG_TEXTS = { text: 16_383, mediumtext: 4_194_303, longtext: 1_073_741_823 } as const

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

/**
 * The name of a new attribute. One of a role is fine: it is another name of it.
 *
 * @throws Refusal `general_argument_invalid`, also for names that no attribute may have
 */
export function readKey(key: unknown): string {
  const isKnown = (name: string) =>
    isOwnName(name) ||
    findRole(name, { hasOwn: true }) !== undefined ||
    BUILT_IN.some((one) => one.key === name)
  if (typeof key === 'string' && isKnown(key)) return key
  throw invalidParam(
    'key',
    `Value must be a valid name of at most ${ATTRIBUTE_NAME_MAX_CHARS} chars that the server does not use itself`,
  )
}

const flag = () => Type.Optional(Type.Boolean({ description: 'Value must be a valid boolean' }))
const number = () => Type.Optional(Type.Number({ description: 'Value must be a valid number' }))
const RANGE = { min: number(), max: number() }
const SIZE = {
  size: Type.Integer({
    ...{ minimum: 1, maximum: TEXT_MAX_CHARS },
    description: `Value must be a valid range between 1 and ${TEXT_MAX_CHARS}`,
  }),
}
const ELEMENTS = {
  elements: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    ...{ minItems: 1, maxItems: ELEMENTS_MAX },
    description: `Value must be a list of 1 to ${ELEMENTS_MAX} texts`,
  }),
}

/** @throws Refusal `general_argument_invalid`, `attribute_default_unsupported`, … */
export function readDefinition(kind: Kind, key: string, sent: Sent): Definition {
  const flags = readParams(Type.Object({ array: flag(), required: flag() }), sent)
  const { array = false, required = false } = flags
  const definition: Definition = {
    ...{ key, type: 'string', required, array, default: null },
    ...shapeOf(kind, sent),
  }
  const standard = sent.default ?? null
  if (standard === null) return definition
  if (required || array) throw new Refusal('attribute_default_unsupported')
  return { ...definition, default: readDefault(definition, standard) }
}

function readDefault(definition: Definition, standard: unknown): Definition['default'] {
  // No post could ever be made with it.
  if (typeof standard === 'string' && Buffer.byteLength(standard) > OWN_ATTRIBUTES_MAX_BYTES)
    throw new Refusal('attribute_value_invalid')
  try {
    return readDeclared(definition, standard) ?? null
  } catch (cause) {
    throw new Refusal('attribute_value_invalid', undefined, { cause })
  }
}

function shapeOf(kind: Kind, sent: Sent): Partial<Definition> {
  switch (kind) {
    case 'string':
    case 'varchar':
      return readParams(Type.Object(SIZE), sent)
    case 'text':
    case 'mediumtext':
    case 'longtext':
      return { size: LONG_TEXTS[kind] }
    case 'enum': {
      const { elements } = readParams(Type.Object(ELEMENTS), sent)
      const texts = elements.map((one) => one.toWellFormed().replaceAll('\0', ''))
      return { format: 'enum', size: SIZES.enum, elements: texts }
    }
    case 'email':
    case 'url':
    case 'ip':
      return { format: kind, size: SIZES[kind] }
    case 'datetime':
      return { type: 'datetime', format: 'datetime' }
    case 'boolean':
      return { type: 'boolean' }
    default: {
      const range = readParams(Type.Object(RANGE), sent)
      if (range.min !== undefined && range.max !== undefined && range.min > range.max)
        throw new Refusal('attribute_value_invalid', 'The minimum is greater than the maximum.')
      return { type: kind === 'integer' ? 'integer' : 'double', ...range }
    }
  }
}
