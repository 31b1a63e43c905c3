// What is made of the text of a post before the transaction that saves it: its words for the index,
// how many came and went, and what is stored of it in a version. Knows no SQL.
import type { IndexedWord } from '../search/tokens.ts'
import type { PostTexts } from './post-texts.ts'
import type { Sanitise } from './sanitise.ts'
import { compareWords, type DerivedText, isForThread } from './text-work.ts'
import { type PackedText, packText } from './versions-text.ts'

export type ReadyNeeds = {
  bodies: Pick<PostTexts, 'work'>
  hasTextBodies?: boolean | undefined
}
/** The text, what it is compared with, and whose it is. */
export type TextToReady = { text: string; base: string; userId: string }
export type ReadyText = Omit<TextToReady, 'userId'> & { derived: DerivedText; packed: PackedText }

/** @throws Refusal `general_service_disabled` when too many long texts wait */
export async function makeReady(
  { bodies, hasTextBodies = false }: ReadyNeeds,
  { text, base, userId }: TextToReady,
): Promise<ReadyText> {
  const derived = await bodies.work.derive({ text, base, isText: hasTextBodies }, userId)
  return { text, base, derived, packed: await packText(text) }
}

/** What the index asks for the words of a body. */
export function searchNeeds(
  { bodies, hasTextBodies: isText = false }: ReadyNeeds,
  userId: string,
  ready?: { text: string; words: IndexedWord[] },
): { splitBody: (text: string) => Promise<IndexedWord[]> } {
  return {
    splitBody: async (text) =>
      ready?.text === text ? ready.words : bodies.work.split({ text, isText }, userId),
  }
}

/** Of two saves at once the second finds another text before it: then it is compared anew. */
export async function readyFor(
  needs: ReadyNeeds,
  ready: ReadyText | undefined,
  wanted: TextToReady,
): Promise<ReadyText> {
  const { text, base } = wanted
  if (ready?.text !== text) return makeReady(needs, wanted)
  if (ready.base === base) return ready
  return { ...ready, base, derived: { ...ready.derived, numbers: compareWords(base, text) } }
}

/** `contents` as they were sent; `kept` are long texts that are stored and stay. */
type Ahead = { contents: unknown[]; kept: string[]; isText: boolean; key: string }

/**
 * Cleans and splits long bodies before the one transaction that writes them all.
 *
 * @returns what answers with that inside of it
 * @throws Refusal `general_service_disabled`
 */
export async function readyAhead(
  bodies: PostTexts,
  { contents, kept, isText, key }: Ahead,
): Promise<PostTexts> {
  const cleaned = new Map<unknown, Sanitise>()
  const texts = new Map<string, DerivedText & { base: string }>()
  const derive = async (text: string, base: string) =>
    void texts.set(text, { base, ...(await bodies.work.derive({ text, base, isText }, key)) })
  for (const content of contents) {
    if (typeof content !== 'string' || !isForThread(content) || cleaned.has(content)) continue
    const sanitise = await bodies.cleanAhead(content, key)
    cleaned.set(content, sanitise)
    const text = await Promise.try(sanitise, content).catch(() => undefined)
    if (text !== undefined) await derive(text, '')
  }
  for (const text of kept) await derive(text, text)
  const { cleanAhead, work } = bodies
  return {
    ...bodies,
    cleanAhead: async (content, of) => cleaned.get(content) ?? cleanAhead(content, of),
    work: {
      ...work,
      async derive(asked, of) {
        const known = texts.get(asked.text)
        if (!known) return work.derive(asked, of)
        if (known.base === asked.base) return known
        return { words: known.words, numbers: compareWords(asked.base, asked.text) }
      },
    },
  }
}
