// Post bodies cleaned once more when they are shown: what was stored under older rules, or written
// by SQL or import, must follow the present rules too (threat-model.md §8). Cheap, because bodies
// known to be clean are remembered by their hash. Knows nothing of posts.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Refusal } from '#contract/errors.ts'
import { CLEAN_BODIES_KEPT } from '#contract/limits.ts'
import type { Sanitise } from './sanitise.ts'

export type CleanAgain = {
  /**
   * The body as it may be shown. One that can not be cleaned (too deep, too long) becomes its plain
   * words.
   */
  show(html: string): string
  /** Notes that this is an answer of the cleaner itself. */
  remember(clean: string): void
}

/**
 * @param kept how many bodies are remembered, by their digests; the one shown longest ago goes
 *   first
 */
export function makeCleanAgain(sanitise: Sanitise, kept = CLEAN_BODIES_KEPT): CleanAgain {
  const known = new LRUCache<string, true>({ max: kept })

  return {
    show(html) {
      if (html === '') return html
      const digest = digestOf(html)
      if (known.get(digest)) return html
      const clean = cleanOrWords(sanitise, html)
      if (clean === html) known.set(digest, true)
      return clean
    },
    remember(clean) {
      if (clean !== '') known.set(digestOf(clean), true)
    },
  }
}

function digestOf(html: string): string {
  return hash('sha256', html, 'base64')
}

function cleanOrWords(sanitise: Sanitise, html: string): string {
  try {
    return sanitise(html)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return html.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}
