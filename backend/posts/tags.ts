// The tags of a post: what is sent as such, those of the text's last line, and both together
// (api.md §15.14). Knows no SQL and no viewer.
import { TAG_MAX_CHARS, TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, tagKey } from '#contract/tags.ts'
import { invalidFormat, invalidStructure, type Value } from '../collections/declared.ts'
import type { PostTagRow } from '../database/schema.ts'
import { TAGS } from './naming.ts'

/** `isFromText`: 1 when the last line of the text holds it. */
export type StoredTag = Pick<PostTagRow, 'name' | 'key' | 'isFromText'>

/**
 * Tags as they are sent; null is none.
 *
 * @throws Refusal `document_invalid_structure`
 */
export function readSentTags(value: unknown): string[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw invalidStructure(`Attribute "${TAGS}" must be an array`)
  for (const [index, one] of value.entries())
    if (typeof one !== 'string' || !isTag(one))
      throw invalidFormat(
        `${TAGS}['${index}']`,
        `a word of 1 to ${TAG_MAX_CHARS} letters, numbers, hyphens and underscores`,
      )
  const tags = distinctTags(value)
  if (tags.length > TAGS_MAX) throw invalidFormat(TAGS, `a list of ${TAGS_MAX} tags at most`)
  return tags
}

/** The value of an attribute of a program's own, if it is a list of tags and nothing else. */
export function asTags(value: Value | undefined): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > TAGS_MAX) return undefined
  const tags = value.flatMap((one) => (typeof one === 'string' && isTag(one) ? [one] : []))
  return distinctTags(tags).length === value.length ? tags : undefined
}

/**
 * The tags of a post: those sent, then those of its last line, as many as fit. What is both counts
 * as the line's: it goes when the line goes.
 *
 * @param line words of the last line, also those that cannot be tags
 */
export function joinTags(sent: readonly string[], line: readonly string[]): StoredTag[] {
  const ofLine = distinctTags(line.filter(isTag))
  const keysOfLine = new Set(ofLine.map(tagKey))
  return distinctTags([...sent, ...ofLine])
    .slice(0, TAGS_MAX)
    .map((name) => ({
      name,
      key: tagKey(name),
      isFromText: Number(keysOfLine.has(tagKey(name))),
    }))
}

/** As the column of deleted posts has them. */
export function packTags(tags: readonly StoredTag[]): string {
  const packed = tags.map(({ name, isFromText }) => [name, isFromText])
  return packed.length === 0 ? '' : JSON.stringify(packed)
}

export function unpackTags(packed: string): StoredTag[] {
  if (packed === '') return []
  const tags = JSON.parse(packed) as [name: string, isFromText: number][]
  return tags.map(([name, isFromText]) => ({ name, key: tagKey(name), isFromText }))
}
