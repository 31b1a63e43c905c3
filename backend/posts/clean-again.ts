// Post bodies cleaned once more when they are shown: what was stored under older rules, or written
// by SQL or import, must follow the present rules too (threat-model.md §8). Each stored body is
// cleaned once for each version of the rules: the outcome is kept under the digest of both, in
// memory and beside the post (decision 0024).
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Refusal } from '#contract/errors.ts'
import { CLEAN_BODIES_KEPT, CLEANED_BODIES_MAX_BYTES } from '#contract/server-limits.ts'
import { findTagLine } from '#contract/tags.ts'
import { isForeignKeyFault } from '../database/faults.ts'
import type { Database } from '../database/schema.ts'
import { insideTransaction } from '../database/transaction.ts'
import type { Background } from '../process/background.ts'
import { readCleaningRules } from './cleaning-rules.ts'
import * as store from './derived-texts-store.ts'
import { makeSanitise, type Sanitise } from './sanitise.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'

/** Cleans bodies: `clean` what is to be stored, `show` what was stored. */
export type BodyCleaner = {
  clean: Sanitise
  /** Notes, in the transaction that stores a post, that its body is a result of `clean`. */
  noteClean(tx: Database, postId: string, cleaned: string): Promise<void>
  /**
   * The body as it may be shown. One that cannot be cleaned (too deep, too long) becomes its plain
   * text.
   */
  show(tx: Database, postId: string, html: string): Promise<string>
  /** The same for a text that is no post's present one: cleaned each time, nothing is noted. */
  cleanKept(html: string): string
  /** The words of a last line that holds nothing but tags, without their signs. */
  tagLine(body: string): string[]
}

/** `cleaned` is undefined when cleaning changes nothing. */
type Known = LRUCache<string, { cleaned: string | undefined }>
type CleaningNeeds = {
  db: Database
  background: Background
  sanitise: Sanitise
  /** Names the rules; other rules have another name. */
  rules: string
}

export function makeBodyCleaner({
  db,
  background,
  ...addresses
}: Pick<CleaningNeeds, 'db' | 'background'> & AddressNeeds): BodyCleaner {
  const rules = readCleaningRules(addresses)
  return makeCleanAgain({ db, background, sanitise: makeSanitise(addresses), rules })
}

/** @param kept how many bodies are remembered; the one used longest ago goes first */
export function makeCleanAgain(needs: CleaningNeeds, kept = CLEAN_BODIES_KEPT): BodyCleaner {
  const known: Known = new LRUCache({
    max: kept,
    maxSize: CLEANED_BODIES_MAX_BYTES,
    sizeCalculation: ({ cleaned }) => 100 + (cleaned?.length ?? 0),
  })
  return {
    clean: needs.sanitise,
    async noteClean(tx, postId, cleaned) {
      if (cleaned === '') return
      const cleanDigest = digestOf(needs, cleaned)
      known.set(cleanDigest, { cleaned: undefined })
      await store.keep(tx, postId, { cleanDigest, cleaned: null })
    },
    show: (tx, postId, html) => show(needs, known, { tx, postId, html }),
    cleanKept: (html) => cleanOrPlainText(needs.sanitise, html),
    tagLine: (html) => findTagLine(html)?.words ?? [],
  }
}

async function show(
  needs: CleaningNeeds,
  known: Known,
  { tx, postId, html }: { tx: Database; postId: string; html: string },
): Promise<string> {
  if (html === '') return html
  const cleanDigest = digestOf(needs, html)
  const remembered = known.get(cleanDigest)
  if (remembered) return remembered.cleaned ?? html
  const row = await store.findCleaned(tx, postId)
  if (row?.cleanDigest === cleanDigest) {
    known.set(cleanDigest, { cleaned: row.cleaned ?? undefined })
    return row.cleaned ?? html
  }
  // Of many readers at once another may have cleaned it by now.
  const meanwhile = known.get(cleanDigest)
  if (meanwhile) return meanwhile.cleaned ?? html
  const clean = cleanOrPlainText(needs.sanitise, html)
  const cleaned = clean === html ? undefined : clean
  known.set(cleanDigest, { cleaned })
  keepLater(needs, postId, { cleanDigest, cleaned: cleaned ?? null })
  return clean
}

/**
 * Beside the answer, not before it: reads go on when nothing can be written. A text read inside a
 * transaction is kept outside of it.
 */
export function keepLater(
  { db, background }: Pick<CleaningNeeds, 'db' | 'background'>,
  postId: string,
  made: Parameters<typeof store.keep>[2],
): void {
  insideTransaction.exit(() =>
    background.run('keeping what was made of a body', async () => {
      await store.keep(db, postId, made).catch((error: unknown) => {
        // The post was deleted in between.
        if (!isForeignKeyFault(error)) throw error
      })
    }),
  )
}

function digestOf({ rules }: Pick<CleaningNeeds, 'rules'>, html: string): string {
  // What was just saved is shown at once: then it is the same text again.
  if (last.html !== html || last.rules !== rules)
    last = { html, rules, digest: hash('sha256', rules + html, 'base64') }
  return last.digest
}
let last = { html: '', rules: '', digest: '' }

function cleanOrPlainText(sanitise: Sanitise, html: string): string {
  try {
    return sanitise(html)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return html.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}
