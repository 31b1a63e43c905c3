// Bodies with their code highlighted: made when a post is saved, at the latest when it is read, and
// kept in memory and beside the post under the digest of samples and rules (decision 0024). Only
// the samples are kept: the text around them is the body's own.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { HIGHLIGHT_WAIT_MS, HIGHLIGHTED_CODE_MAX_BYTES } from '#contract/server-limits.ts'
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import { within } from '../process/work-thread.ts'
import { keepLater } from './clean-again.ts'
import { type CodeSample, putSamples, readSamples } from './code-samples.ts'
import * as store from './derived-texts-store.ts'
import type { Highlighted } from './text-jobs.ts'
import type { Highlighter } from './text-work.ts'

export type HighlightNeeds = {
  db: Database
  background: Background
  highlight: Highlighter
  /** Names the rules; other rules have another name. */
  rules: string
}
export type BodyOwner = { postId: string; authorId: string }
export type HighlightedBodies = {
  /** Begins with a body that was just saved, beside the answer. */
  prepare(post: BodyOwner, html: string): void
  /** The body with its code highlighted; as it is where that takes too long. */
  show(post: BodyOwner, html: string): Promise<string>
  /** The same for a text that belongs to no post. */
  showUnsaved(authorId: string, html: string): Promise<string>
}

/** `samples` is empty for code that stays plain, whatever it cost to find out. */
type Kept = { samples: Highlighted }
type State = {
  known: LRUCache<string, Kept>
  /** Of many readers at once one has it made. */
  running: Map<string, Promise<Highlighted | undefined>>
}
type Source = { postId: string | undefined; authorId: string }
type Wanted = Source & { digest: string; samples: CodeSample[] }

/** @param waitMs how long an answer waits; a test hands in less */
export function makeHighlightedBodies(
  needs: HighlightNeeds,
  { waitMs = HIGHLIGHT_WAIT_MS } = {},
): HighlightedBodies {
  const state: State = {
    known: new LRUCache({
      maxSize: HIGHLIGHTED_CODE_MAX_BYTES,
      sizeCalculation: ({ samples }) =>
        200 + samples.reduce((total, sample) => total + (sample?.length ?? 0), 0),
    }),
    running: new Map(),
  }
  async function show(source: Source, html: string): Promise<string> {
    const wanted = wantedOf(needs, source, html)
    if (!wanted) return html
    const kept = state.known.get(wanted.digest)
    const samples = kept?.samples ?? (await within(waitMs, findOrMake(needs, state, wanted)))
    return samples ? putSamples(html, samples) : html
  }
  return {
    prepare(post, html) {
      const wanted = wantedOf(needs, post, html)
      if (wanted && !state.known.has(wanted.digest))
        needs.background.run('highlighting code', () => findOrMake(needs, state, wanted))
    },
    show,
    showUnsaved: (authorId, html) => show({ postId: undefined, authorId }, html),
  }
}

function wantedOf({ rules }: HighlightNeeds, source: Source, html: string): Wanted | undefined {
  const samples = readSamples(html)
  if (samples.length === 0) return undefined
  return { ...source, samples, digest: hash('sha256', rules + JSON.stringify(samples), 'base64') }
}

function findOrMake(
  needs: HighlightNeeds,
  state: State,
  wanted: Wanted,
): Promise<Highlighted | undefined> {
  const running =
    state.running.get(wanted.digest) ??
    findElseMake(needs, state, wanted).finally(() => state.running.delete(wanted.digest))
  state.running.set(wanted.digest, running)
  return running
}

async function findElseMake(
  needs: HighlightNeeds,
  { known }: State,
  { postId, authorId, digest, samples }: Wanted,
): Promise<Highlighted | undefined> {
  const row = postId === undefined ? undefined : await store.findCode(needs.db, postId)
  if (row?.codeDigest === digest && row.code) {
    const kept = JSON.parse(row.code) as Highlighted
    known.set(digest, { samples: kept })
    return kept
  }
  const answer = await needs.highlight(samples, authorId)
  if (answer === 'busy') return undefined
  // What took too long would again: it stays plain until the server starts anew.
  const made = answer === 'tooLong' ? [] : answer
  known.set(digest, { samples: made })
  if (answer !== 'tooLong' && postId !== undefined)
    keepLater(needs, postId, { codeDigest: digest, code: JSON.stringify(made) })
  return made
}
