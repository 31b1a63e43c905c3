// Answers, and items of lists, that are the same objects for many requests: each is written as JSON
// once for each form. Knows no route.
import { isRecord } from './params.ts'

const written = new WeakMap<object, Map<string, Buffer>>()

/** From now on a change of it, or of a list in it, throws. */
export function shareAnswer(answer: object): void {
  if (written.has(answer)) return
  written.set(answer, new Map())
  for (const value of Object.values(answer)) if (Array.isArray(value)) Object.freeze(value)
  Object.freeze(answer)
}

/**
 * Writes a shared answer, or a list with shared documents.
 *
 * @param form names what `toForm` makes of an answer
 * @returns undefined for all other answers
 */
export function writeShared(
  answer: Readonly<Record<string, unknown>>,
  form: string,
  toForm: (item: unknown) => unknown,
): Buffer | undefined {
  const write = (item: unknown): Buffer => {
    const known = typeof item === 'object' && item !== null ? written.get(item) : undefined
    const there = known?.get(form)
    if (there) return there
    const bytes = Buffer.from(JSON.stringify(toForm(item)))
    known?.set(form, bytes)
    return bytes
  }
  if (written.has(answer)) return write(answer)
  const { documents, ...rest } = answer
  if (typeof rest.total !== 'number' || !Array.isArray(documents)) return undefined
  if (!documents.some((one) => isRecord(one) && written.has(one))) return undefined
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"documents":[`)]
  for (const [at, document] of documents.entries()) {
    if (at > 0) parts.push(COMMA)
    parts.push(write(document))
  }
  return Buffer.concat([...parts, END])
}

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')
