// Post bodies cleaned once more when they are shown: what was stored under older rules, or written
// by SQL or import, must follow the present rules too (threat-model.md §8). Each stored body is
// cleaned once for each version of the rules: the outcome is kept under the digest of both, in
// memory and beside the post (decision 0024).
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Refusal } from '#contract/errors.ts'
import { CONTENT_OBJECTS_MAX } from '#contract/limits.ts'
import {
  CLEAN_BODIES_KEPT,
  CLEANED_BODIES_MAX_BYTES,
  TEXT_AT_ONCE_MAX_CHARS,
} from '#contract/server-limits.ts'
import { findTagLine } from '#contract/tags.ts'
import { isForeignKeyFault } from '../database/faults.ts'
import type { Database } from '../database/schema.ts'
import { insideTransaction } from '../database/transaction.ts'
import type { Background } from '../process/background.ts'
import { makeSharedWork, type SharedWork } from '../process/single-flight.ts'
import { readCleaningRules } from './cleaning-rules.ts'
import { checkSize } from './content-size.ts'
import * as store from './derived-texts-store.ts'
import { makeSanitise, type Sanitise } from './sanitise.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'
import { isForThread, makeTextWork, type TextWork } from './text-work.ts'

/** Cleans bodies: `clean` what is to be stored, `show` what was stored. */
export type BodyCleaner = {
  /**
   * Cleans a long body beside the event loop; what is returned cleans this one, or says why not.
   *
   * @param key for whom: of each only a few wait
   * @throws Refusal `general_service_disabled` when too many wait
   */
  cleanAhead(content: unknown, key: string): Promise<Sanitise>
  /** Notes, in the transaction that stores a post, that its body is a result of `clean`. */
  noteClean(tx: Database, postId: string, cleaned: string): Promise<void>
  /**
   * The body as it may be shown. One that cannot be cleaned (too deep, too long) becomes its plain
   * text.
   */
  show(tx: Database, postId: string, html: string): Promise<string>
  /** The same for a text that is no post's present one: cleaned each time, nothing is noted. */
  cleanKept(html: string, key: string): Promise<string>
  /** The words of a last line that holds nothing but tags, without their signs. */
  tagLine(body: string): string[]
  work: TextWork
}

/** `cleaned` is undefined when cleaning changes nothing. */
type Known = LRUCache<string, { cleaned: string | undefined }>
type CleaningNeeds = {
  db: Database
  background: Background
  sanitise: Sanitise
  /** Cleans what is long; without it everything is cleaned at once. */
  addresses?: AddressNeeds
  /** Names the rules; other rules have another name. */
  rules: string
}

export function makeBodyCleaner({
  db,
  background,
  ...addresses
}: Pick<CleaningNeeds, 'db' | 'background'> & AddressNeeds): BodyCleaner {
  const rules = readCleaningRules(addresses)
  return makeCleanAgain({ db, background, sanitise: makeSanitise(addresses), addresses, rules })
}

/** @param kept how many bodies are remembered; the one used longest ago goes first */
export function makeCleanAgain(given: CleaningNeeds, kept = CLEAN_BODIES_KEPT): BodyCleaner {
  const work = makeTextWork()
  const needs = { ...given, work, running: makeSharedWork<string>() }
  const known: Known = new LRUCache({
    max: kept,
    maxSize: CLEANED_BODIES_MAX_BYTES,
    sizeCalculation: ({ cleaned }) => 100 + (cleaned?.length ?? 0),
  })
  return {
    work,
    async cleanAhead(content, key) {
      if (typeof content !== 'string' || content.length <= TEXT_AT_ONCE_MAX_CHARS)
        return needs.sanitise
      try {
        checkSize(content, CONTENT_OBJECTS_MAX)
        const clean = await cleanOne(needs, content, key)
        return () => clean
      } catch (error) {
        if (!isUnclean(error)) throw error
        return () => {
          throw error
        }
      }
    },
    async noteClean(tx, postId, cleaned) {
      if (cleaned === '') return
      const cleanDigest = digestOf(needs, cleaned)
      known.set(cleanDigest, { cleaned: undefined })
      await store.keep(tx, postId, { cleanDigest, cleaned: null })
    },
    show: (tx, postId, html) => show(needs, known, { tx, postId, html }),
    cleanKept: (html, key) => cleanOrPlainText(needs, html, key),
    tagLine: (html) => findTagLine(html)?.words ?? [],
  }
}

async function show(
  needs: CleaningNeeds & Cleaning & { running: SharedWork<string> },
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
  const make = () => cleanOrPlainText(needs, html, postId)
  // A transaction does not join what waits for the thread.
  const clean = insideTransaction.getStore()
    ? await make()
    : await needs.running.run(cleanDigest, undefined, make)
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

type Cleaning = Pick<CleaningNeeds, 'sanitise' | 'addresses'> & { work: TextWork }

async function cleanOne({ sanitise, addresses, work }: Cleaning, html: string, key: string) {
  return addresses && isForThread(html) ? work.clean(html, addresses, key) : sanitise(html)
}

function isUnclean(error: unknown): error is Refusal {
  return error instanceof Refusal && error.type === 'document_invalid_structure'
}

async function cleanOrPlainText(needs: Cleaning, html: string, key: string): Promise<string> {
  try {
    return await cleanOne(needs, html, key)
  } catch (error) {
    if (!isUnclean(error)) throw error
    return html.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}
