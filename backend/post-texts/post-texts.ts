// Derives from the body of a post its cleaned form, its highlighted code, its number of words, and
// the texts that pages show about it, when the post is saved. They are stored beside the body
// (decision 0064). A stored body that the current rules have not cleaned, because it was written by
// SQL or by an older release, is cleaned for each answer until regenerate-texts.ts has regenerated
// its texts.

import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Refusal } from '#contract/errors.ts'
import { findTagLine } from '#contract/plain-text.ts'
import type { Database, PostTextRow } from '../database/schema.ts'
import { insideTransaction } from '../database/transaction.ts'
import { withTimeout } from '../process/work-thread.ts'
import { analyseWords } from '../search/fold-words.ts'
import { addHeadingIds } from './heading-ids.ts'
import { findDerivedTexts } from './post-texts-store.ts'
import { checkSize, makeSanitise, type Sanitise } from './sanitise.ts'
import type { AddressOptions } from './sanitise-urls.ts'
import {
  type CodeSample,
  type Highlighted,
  makeTextWorkerPool,
  type TextWorkerPool,
} from './text-worker-pool.ts'

/** Images, players, code samples and tables in one body: pages render extra elements for each. */
export const CONTENT_OBJECTS_MAX = 5000

export type DerivedTexts = Omit<PostTextRow, 'postId'>

/** Longer texts are processed in a worker; for a shorter one, the hand-over would cost more. */
export const TEXT_SYNC_MAX_CHARS = 16_000

/** Whether texts are too long for the event loop; never in a transaction, which must not wait. */
export function needsWorker(...texts: string[]): boolean {
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  return chars > TEXT_SYNC_MAX_CHARS && !insideTransaction.getStore()
}

/** The function of the web part that derives the texts of pages, and the version of its build. */
export type PageTextDeriver = { version: string; derive: (html: string) => unknown }

/** The author of a text: each author has a bounded share of the queue. */
type TextOwner = { authorId: string }

export type PostTexts = ReturnType<typeof makePostTextsFrom>

export type TextOptions = {
  workers: TextWorkerPool
  rulesVersion: string
  sanitise: Sanitise
  /** Undefined to clean even long texts on the event loop. */
  addresses?: AddressOptions | undefined
  /** Undefined without pages, and in development, where their code may change at any time. */
  pageTexts?: PageTextDeriver | undefined
  /** How long an answer or a save waits for highlighting; tests pass less. */
  waitMs?: number
}

export function makePostTexts(
  { publicUrl, allowedOrigins, contentBucketId }: AddressOptions,
  pageTexts?: PageTextDeriver | undefined,
): PostTexts {
  // Only these settings: when one of them changes, all stored texts are regenerated.
  const addresses = { publicUrl, allowedOrigins, contentBucketId }
  const rulesVersion = digestOf(`${readRules(addresses)} ${pageTexts?.version ?? ''}`)
  const sanitise = makeFastSanitise(addresses)
  return makePostTextsFrom({
    workers: makeTextWorkerPool(),
    rulesVersion,
    sanitise,
    addresses,
    pageTexts,
  })
}

function makeFastSanitise(addresses: AddressOptions): Sanitise {
  const sanitise = makeSanitise(addresses)
  return (html) => (isPlainHtml(html) ? html : sanitise(html))
}

const PLAIN_MAX_CHARS = 20_000
/**
 * Text without HTML characters, control characters (except line feeds and tabs) or lone surrogates.
 */
const TEXT = '[^<>&\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\p{Cs}]*'
/**
 * No part can begin with a character that ends the part before it, so matching never backtracks.
 */
const EMPHASISED = `<(em|strong|b|i|u|s)>${TEXT}</\\2>`
const BLOCK = `<(p|h[1-6])>${TEXT}(?:${EMPHASISED}${TEXT})*</\\1>`
const PLAIN = new RegExp(`^(?:${BLOCK}\\n?)+$`, 'u')

/** Whether a body is only paragraphs and headings of plain or emphasised text, which is clean. */
export function isPlainHtml(html: string): boolean {
  return html.length <= PLAIN_MAX_CHARS && PLAIN.test(html)
}

export function makePostTextsFrom(options: TextOptions) {
  const { rulesVersion, workers, pageTexts } = options
  /**
   * The folded words of a text, and how many words were added and removed since `base`.
   *
   * @throws Refusal `general_service_disabled` when the queue is full
   */
  const analyse = async (text: string, { key, base = '' }: { key: string; base?: string }) => {
    const task = { text, base }
    return needsWorker(text, base) ? workers.analyseWords(task, key) : analyseWords(task)
  }
  /** Whether the current rules derived all of these texts from this body. */
  const isCurrent = (row: PostTextRow | undefined, body: string) =>
    row?.rules === rulesVersion && row.digest === digestOf(body)
  return {
    /** The version of the current rules; texts derived by other versions are not used. */
    rulesVersion,
    analyse,
    isCurrent,
    /**
     * Cleans a long body in a worker. The returned function returns its cleaned form, or throws the
     * refusal.
     *
     * @throws Refusal `general_service_disabled` when the queue is full
     */
    prepareSanitise: (content: unknown, key: string) => prepareSanitise(options, content, key),
    /** Derives the texts of a clean body. */
    derive: (body: string, author: TextOwner & { words: number }) =>
      deriveTexts(options, body, { ...author, clean: body }),
    /** Cleans a stored body, and derives its texts and its folded words. */
    async rebuild(body: string, { authorId }: TextOwner) {
      const clean = await cleanOrPlainText(options, body, authorId)
      const { foldedWords, counts } = await analyse(body, { key: authorId })
      return {
        foldedWords,
        texts: await deriveTexts(options, body, { authorId, clean, words: counts.words }),
      }
    },
    /**
     * The cleaned form of a stored body; its plain text if it cannot be cleaned (too deep, too
     * long).
     */
    async cleanPost(db: Database, postId: string, body: string): Promise<string> {
      if (body === '') return body
      const row = await findDerivedTexts(db, postId)
      if (row && isCurrent(row, body)) return row.cleaned ?? body
      return cleanOrPlainText(options, body, postId)
    },
    /** Cleans the text of a version. */
    cleanVersion: (html: string, key: string) => cleanOrPlainText(options, html, key),
    /** Highlights the code of a cleaned body, if that is quick, and gives its headings ids. */
    async highlight(
      db: Database,
      { postId, authorId }: TextOwner & { postId?: string },
      html: string,
    ): Promise<string> {
      if (findSamples(html).length === 0) return addHeadingIds(html)
      const row = postId === undefined ? undefined : await findDerivedTexts(db, postId)
      const isStored = row?.rules === rulesVersion && (row.cleaned === html || isCurrent(row, html))
      const code = isStored
        ? JSON.parse(row.code ?? '[]')
        : await highlightSamples(options, html, authorId)
      return addHeadingIds(code ? replaceSamplesBy(html, code) : html)
    },
    /** The texts that pages show about a body. */
    async readPageTexts<Texts>(
      db: Database,
      postId: string,
      html: string,
      { version, derive }: { version: string; derive: (html: string) => Texts },
    ): Promise<Texts> {
      const row = pageTexts?.version === version ? await findDerivedTexts(db, postId) : undefined
      const isStored = row?.rules === rulesVersion && row.shownDigest === digestOf(html)
      return isStored && row.texts !== null ? JSON.parse(row.texts) : derive(html)
    },
    /** The tags of the last line, if it has only tags, without their #. */
    tagLine: (body: string): string[] => findTagLine(body)?.words ?? [],
  }
}

/** When highlighting fails, the row gets no rules version, so that it will be regenerated. */
async function deriveTexts(
  options: TextOptions,
  body: string,
  { authorId, clean, words }: TextOwner & { clean: string; words: number },
): Promise<DerivedTexts> {
  const { rulesVersion, pageTexts } = options
  const code = await highlightSamples(options, clean, authorId)
  const highlighted = addHeadingIds(replaceSamplesBy(clean, code ?? []))
  const digest = digestOf(body)
  return {
    rules: code ? rulesVersion : '',
    digest,
    words,
    shownDigest: highlighted === body ? digest : digestOf(highlighted),
    texts: pageTexts ? JSON.stringify(pageTexts.derive(highlighted)) : null,
    cleaned: clean === body ? null : clean,
    code: code?.length ? JSON.stringify(code) : null,
  }
}

const HIGHLIGHT_WAIT_MS = 3000

/**
 * @returns an empty list when the code takes too long and stays plain; undefined to try again later
 */
async function highlightSamples(
  { workers, waitMs = HIGHLIGHT_WAIT_MS }: TextOptions,
  html: string,
  authorId: string,
): Promise<Highlighted | undefined> {
  const samples = findSamples(html)
  if (samples.length === 0) return []
  // A transaction must not wait for a thread: it blocks all other writers.
  if (insideTransaction.getStore()) return undefined
  const answer = await withTimeout(waitMs, workers.highlight(samples, authorId))
  if (answer === 'busy') return undefined
  return answer === 'tooLong' ? [] : answer
}

async function prepareSanitise(
  options: TextOptions,
  content: unknown,
  key: string,
): Promise<Sanitise> {
  const isLong = typeof content === 'string' && content.length > TEXT_SYNC_MAX_CHARS
  if (!isLong) return options.sanitise
  try {
    checkSize(content, CONTENT_OBJECTS_MAX)
    const cleaned = await clean(options, content, key)
    return () => cleaned
  } catch (error) {
    if (!isContentRefusal(error)) throw error
    return () => {
      throw error
    }
  }
}

async function clean({ sanitise, addresses, workers }: TextOptions, html: string, key: string) {
  return addresses && needsWorker(html) ? workers.clean(html, addresses, key) : sanitise(html)
}

function isContentRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal && error.type === 'document_invalid_structure'
}

async function cleanOrPlainText(options: TextOptions, html: string, key: string): Promise<string> {
  try {
    return await clean(options, html, key)
  } catch (error) {
    if (!isContentRefusal(error)) throw error
    return html.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64')
}

/** Characters of one sample, and of all samples of a post; samples beyond them stay plain. */
export const CODE_SAMPLE_MAX_CHARS = 50_000
const CODE_SAMPLES_MAX_CHARS = 150_000

/** Adjacent groups never match the same characters, so the cost is linear in the text. */
const SAMPLE =
  /(<pre(?:\s[^<>]*)?>\n?)(\s*<code(?:\s[^<>]*)?>)?([^<]*(?:<br[^<>]*>[^<]*)*)((?:<\/code>\s*)?<\/pre>)/g
const LANGUAGE = /\sclass="(?:[^"]*\s)?language-([^\s"]+)/

/** The samples with a language, in order, without those beyond the limits. */
export function findSamples(html: string): CodeSample[] {
  const samples: CodeSample[] = []
  replaceSamples(html, (sample) => {
    samples.push(sample)
    return undefined
  })
  return samples
}

/** Replaces the samples that {@link findSamples} finds, in order; null leaves one as it is. */
export function replaceSamplesBy(html: string, highlighted: readonly (string | null)[]): string {
  let at = 0
  return replaceSamples(html, () => highlighted[at++] ?? undefined)
}

function replaceSamples(html: string, replace: (sample: CodeSample) => string | undefined): string {
  if (!html.includes('<pre')) return html
  let remaining = CODE_SAMPLES_MAX_CHARS
  return html.replace(
    SAMPLE,
    (all: string, pre: string, code: string | undefined, inside: string, end: string) => {
      const language = (LANGUAGE.exec(code ?? '') ?? LANGUAGE.exec(pre))?.[1]
      if (!language || inside.length > Math.min(remaining, CODE_SAMPLE_MAX_CHARS)) return all
      remaining -= inside.length
      const highlighted = replace({ language, code: inside })
      return highlighted === undefined ? all : `${pre}${code ?? ''}${highlighted}${end}`
    },
  )
}

// --- the version of the rules that clean and highlight bodies: a hash of everything that affects
// the result, so that nobody has to increment a number

/** Languages, video addresses, code samples, and the versions of all packages. */
const OTHER_SOURCES = [
  '../../contract/code-languages.ts',
  '../../contract/embeds.ts',
  '../../contract/footnotes.ts',
  '../../contract/formulas.ts',
  '../../contract/plain-text.ts',
  '../../contract/image-emoji.ts',
  '../../contract/videos.ts',
  './heading-ids.ts',
  './post-texts.ts',
  '../../package-lock.json',
]

/** Reads the source files of the rules, which run without compilation (decision 0008). */
export function readRules({ publicUrl, allowedOrigins, contentBucketId }: AddressOptions): string {
  const settings = JSON.stringify([publicUrl, allowedOrigins, contentBucketId])
  const otherSources = OTHER_SOURCES.map((name) => new URL(name, import.meta.url)).filter(
    existsSync,
  )
  const texts = [...readSources('./text-worker.ts').values(), ...otherSources.map(read), settings]
  return hash('sha256', texts.join('\0'), 'base64')
}

/** The texts of a file and of all files of its folder that it imports, directly or not, by name. */
export function readSources(first: string, sources = new Map<string, string>()) {
  const text = read(new URL(first, import.meta.url))
  sources.set(first, text)
  for (const [, imported = ''] of text.matchAll(/ from '(\.\/[^']+)'/g))
    if (!sources.has(imported)) readSources(imported, sources)
  return sources
}

function read(file: URL): string {
  return readFileSync(file, 'utf8')
}
