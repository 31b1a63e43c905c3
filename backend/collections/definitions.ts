// The parameters of `…/attributes/<kind>` -> a checked definition. Knows no HTTP and no SQL.
import { invalidParam, Refusal } from '#contract/errors.ts'
import { ATTRIBUTE_NAME_MAX_CHARS, findRole, isOwnName } from '#contract/roles.ts'
import { type Definition, type Kind, readDeclared } from './declared.ts'

/** Of all attributes of one post beside those of the roles, as JSON. */
export const OWN_ATTRIBUTES_MAX_BYTES = 16 * 1024

type Sent = Readonly<Record<string, unknown>>

const TEXT_MAX_CHARS = 1_073_741_824
const ELEMENTS_MAX = 100
const SIZES = { email: 254, url: 2000, enum: 255, ip: 39 } as const
const LONG_TEXTS = { text: 16_383, mediumtext: 4_194_303, longtext: 1_073_741_823 } as const
const TYPES = {
  integer: 'integer',
  float: 'double',
  boolean: 'boolean',
  datetime: 'datetime',
} as const

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

/** @throws Refusal `general_argument_invalid`, `attribute_default_unsupported`, … */
export function readDefinition(kind: Kind, key: string, sent: Sent): Definition {
  const array = readFlag(sent, 'array')
  const required = readFlag(sent, 'required')
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
      return { size: readWhole(sent, 'size', { min: 1, max: TEXT_MAX_CHARS }) }
    case 'text':
    case 'mediumtext':
    case 'longtext':
      return { size: LONG_TEXTS[kind] }
    case 'enum':
      return { format: 'enum', size: SIZES.enum, elements: readElements(sent.elements) }
    case 'email':
    case 'url':
    case 'ip':
      return { format: kind, size: SIZES[kind] }
    case 'datetime':
      return { type: 'datetime', format: 'datetime' }
    default:
      return { type: TYPES[kind], ...(kind === 'boolean' ? {} : readRange(sent)) }
  }
}

function readFlag(sent: Sent, name: string): boolean {
  const value = sent[name] ?? false
  if (typeof value !== 'boolean') throw invalidParam(name, 'Value must be a valid boolean')
  return value
}

function readWhole(sent: Sent, name: string, { min, max }: { min: number; max: number }): number {
  const value = sent[name]
  if (value === undefined || value === null)
    throw new Refusal('general_argument_invalid', `Param "${name}" is not optional.`)
  if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > max)
    throw invalidParam(name, `Value must be a valid range between ${min} and ${max}`)
  return Number(value)
}

function readElements(sent: unknown): string[] {
  const isList = Array.isArray(sent) && sent.length > 0 && sent.length <= ELEMENTS_MAX
  if (!isList || !sent.every((one) => typeof one === 'string' && one !== '' && one.length <= 255))
    throw invalidParam('elements', `Value must be a list of 1 to ${ELEMENTS_MAX} texts`)
  return sent.map((one: string) => one.toWellFormed().replaceAll('\0', ''))
}

function readRange(sent: Sent): Pick<Definition, 'min' | 'max'> {
  const [min, max] = ['min', 'max'].map((name) => {
    const value = sent[name] ?? undefined
    if (value !== undefined && !Number.isFinite(value))
      throw invalidParam(name, 'Value must be a valid number')
    return value as number | undefined
  })
  if (min !== undefined && max !== undefined && min > max)
    throw new Refusal('attribute_value_invalid', 'The minimum is greater than the maximum.')
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}
