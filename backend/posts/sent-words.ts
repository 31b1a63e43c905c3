// What a program sent as the status or the title of a post, where its row holds something else: the
// status that rules and indexes go by, the first words of a text without a title. Kept among the
// attributes of its own, none of which can have these names.
import { firstWords } from '#contract/plain-text.ts'
import { parseOwn } from './own-attributes.ts'

type SentName = 'status' | 'title'
type Stored = { attributes: string }

export function asSent<Name extends SentName>(
  row: Record<Name, string> & Stored,
  name: Name,
): string {
  return findSent(row, name) ?? row[name]
}

export function isUntitled(row: Stored): boolean {
  return findSent(row, 'title') === ''
}

export type TitleNeeds = { hasTextBodies?: boolean | undefined }

/** The title in the row of a post that has none. */
export function titleFrom({ hasTextBodies = false }: TitleNeeds, content: string): string {
  return firstWords(content, { isText: hasTextBodies })
}

export function findSent({ attributes }: Stored, name: SentName): string | undefined {
  const found = attributes.includes(`"${name}":`) ? parseOwn(attributes)[name] : undefined
  return typeof found === 'string' ? found : undefined
}

/** The stored attributes with another word of the status, which is not counted among them. */
export function withSentStatus(attributes: string, word: string | undefined): string {
  const { status: _, ...others } = parseOwn(attributes)
  const all = word === undefined ? others : { ...others, status: word }
  return Object.keys(all).length === 0 ? '' : JSON.stringify(all)
}
