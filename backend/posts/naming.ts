// The names under which attributes of a post are sent and asked for -> the specified names, and
// what a post is remembered to be written with. Knows no SQL and no viewer.
import { SPELLINGS_MAX } from '#contract/limits.ts'
import { AUTHOR_BESIDE, findRole, isOwnName, type RoleName } from '#contract/roles.ts'
import { type Declared, invalidStructure } from '../collections/declared.ts'

/** The `data` of a call, nothing checked but that it is an object. */
export type SentData = Readonly<Record<string, unknown>>

/** What is known of the attributes that posts may have. */
export type Attributes = {
  /** Attributes that nobody declared are kept, too (`BLOG_EXTRA_ATTRIBUTES`). */
  hasExtras: boolean
  declared: Declared
  /** The words of `status` that mean a public post (`BLOG_PUBLIC_STATUSES`). */
  publicStatuses: readonly string[]
  title: TitleRule
}

/** What the key has declared of the title: what a post is called that is sent without one. */
export type TitleRule = { isRequired: boolean; standard: string }

type Named = Pick<Attributes, 'hasExtras' | 'declared'>

/** The name of a post's tags. */
export const TAGS = 'tags'

/** The role that a name means here; a declared attribute wins over a loose name of a role. */
export function roleOf({ hasExtras, declared }: Named, name: string): RoleName | undefined {
  return findRole(name, { hasOwn: hasExtras || declared.has(name) })
}

/** Whether posts may have an attribute of this name beside those of the roles. */
export function isOwnAttribute({ hasExtras, declared }: Named, name: string): boolean {
  return (hasExtras || declared.has(name)) && isOwnName(name)
}

/**
 * Whether programs may keep anything under the name of tags: what is no list of tags is then an
 * attribute of their own.
 */
export function hasOwnTags(attributes: Attributes): boolean {
  return isOwnAttribute(attributes, TAGS)
}

/** The data of a call under the specified names. */
export type NamedData = {
  data: SentData
  /** Other names that roles were sent with. */
  spellings: string[]
  /** Refuses a role that was sent twice with different values. */
  refuseTwice(): void
}

/** Attributes that are no role keep their names. */
export function nameRoles(attributes: Attributes, sent: SentData): NamedData {
  const named = new Map<string, unknown>()
  const usedNames = new Map<string, string>()
  const spellings: string[] = []
  let twice: [string, string] | undefined
  for (const [name, value] of Object.entries(sent)) {
    const role = roleOf(attributes, name)
    const key = role ?? name
    const before = usedNames.get(key)
    if (before !== undefined && !isSame(named.get(key), value)) twice ??= [before, name]
    if (before === undefined) named.set(key, value)
    usedNames.set(key, before ?? name)
    if (role && name !== role && name !== AUTHOR_BESIDE) spellings.push(name)
  }
  return {
    data: Object.fromEntries(named),
    spellings,
    refuseTwice() {
      if (twice)
        throw invalidStructure(
          `Attributes "${twice[0]}" and "${twice[1]}" are the same and have different values`,
        )
    },
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The spellings of a post after it was written with some more; the oldest go first. */
export function joinSpellings(before: string[], more: string[]): string[] {
  return [...new Set([...before, ...more])].slice(-SPELLINGS_MAX)
}

/** What marks an attribute that is no role in a checked query: no role can have such a name. */
const OWN = 'own:'
/** The word of the status, as it was written (sent-words.ts). */
export const OWN_STATUS = `${OWN}status`

export function ownAttributeOf(attribute: string): string | undefined {
  return attribute.startsWith(OWN) ? attribute.slice(OWN.length) : undefined
}

/** The name of a queried attribute as rules, prices and SQL know it. */
export function queriedName(attributes: Attributes, known: object, name: string): string {
  if (name === TAGS && hasOwnTags(attributes)) return OWN + name
  if (Object.hasOwn(known, name)) return name
  return roleOf(attributes, name) ?? OWN + name
}
