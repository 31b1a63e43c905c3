// Post bodies cleaned once more when they are shown: what was stored under older rules, or written
// by SQL or import, must follow the present rules too (threat-model.md §8). Cheap, because bodies
// known to be clean are remembered by their hash. Knows nothing of posts.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Refusal } from '#contract/errors.ts'
import { CLEAN_BODIES_KEPT } from '#contract/limits.ts'
import { makeSanitise, type Sanitise } from './sanitise.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'

export type CleanAgain = {
  /**
   * The body as it may be shown. One that cannot be cleaned (too deep, too long) becomes its plain
   * text.
   */
  show(html: string): string
  /** Notes that this is an answer of `sanitise` itself. */
  remember(clean: string): void
}

/** Cleans bodies: `clean` what is to be stored, `show` what was stored. */
export type BodyCleaner = { clean: Sanitise; show: CleanAgain['show'] }

export function makeBodyCleaner(needs: AddressNeeds): BodyCleaner {
  const sanitise = makeSanitise(needs)
  const { show, remember } = makeCleanAgain(sanitise)
  return {
    clean(html) {
      const cleaned = sanitise(html)
      remember(cleaned)
      return cleaned
    },
    show,
  }
}

/** @param kept how many hashes are remembered; the one used longest ago goes first */
export function makeCleanAgain(sanitise: Sanitise, kept = CLEAN_BODIES_KEPT): CleanAgain {
  const known = new LRUCache<string, true>({ max: kept })

  return {
    show(html) {
      if (html === '') return html
      const digest = digestOf(html)
      if (known.get(digest)) return html
      const clean = cleanOrPlainText(sanitise, html)
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

function cleanOrPlainText(sanitise: Sanitise, html: string): string {
  try {
    return sanitise(html)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return html.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}
