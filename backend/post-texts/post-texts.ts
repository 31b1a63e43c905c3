// Derives from the body of a post: its cleaned form, its highlighted code, its number of words, and
// the texts that pages show about it. Derived when the post is saved, and stored beside the body
// (decision 0064). A stored body that was not cleaned by the present rules, because it was written
// by SQL or before an update, is cleaned for each answer until regenerate-texts.ts has regenerated
// its texts.

import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Refusal } from '#contract/errors.ts'
import { findTagLine } from '#contract/plain-text.ts'
import type { Database, PostTextRow } from '../database/schema.ts'
import { insideTransaction } from '../database/transaction.ts'
import { withTimeout } from '../process/work-thread.ts'
import { deriveText } from '../search/fold.ts'
import { findTexts } from './post-texts-store.ts'
import { checkSize, makeSanitise, type Sanitise } from './sanitise.ts'
import type { AddressOptions } from './sanitise-urls.ts'
import { type CodeSample, type Highlighted, makeTextWork, type TextWork } from './text-work.ts'

/** Images, players, code samples and tables of one body: a page renders extra elements for each. */
export const CONTENT_OBJECTS_MAX = 5000

export type DerivedTexts = Omit<PostTextRow, 'postId'>

/** Longer texts are processed in a thread; for a shorter one, the hand-over would cost more. */
export const TEXT_SYNC_MAX_CHARS = 16_000

/** Longer texts are never processed on the event loop, except where a transaction would wait. */
export function isForThread(...texts: string[]): boolean {
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  return chars > TEXT_SYNC_MAX_CHARS && !insideTransaction.getStore()
}

/** The function of the web part that derives texts for pages, and the version of that build. */
export type Describe = { version: string; make: (html: string) => unknown }

/** The author of a text: each has a bounded share of the queue of texts. */
type TextOwner = { authorId: string }

export type PostTexts = ReturnType<typeof makeTexts>

export type TextOptions = {
  work: TextWork
  rules: string
  sanitise: Sanitise
  /** Processes long texts in threads; without it everything is processed on the event loop. */
  addresses?: AddressOptions | undefined
  /** Undefined without pages, and in development, where their code may change. */
  describe?: Describe | undefined
  /** How long an answer or a save waits for highlighting; tests pass less. */
  waitMs?: number
}

export function makePostTexts(
  { publicUrl, allowedOrigins, contentBucketId }: AddressOptions,
  describe?: Describe | undefined,
): PostTexts {
  // Only these: when one of them changes, all stored texts are regenerated.
  const addresses = { publicUrl, allowedOrigins, contentBucketId }
  const rules = digestOf(`${readRules(addresses)} ${describe?.version ?? ''}`)
  const sanitise = makeQuickSanitise(addresses)
  return makeTexts({ work: makeTextWork(), rules, sanitise, addresses, describe })
}

function makeQuickSanitise(addresses: AddressOptions): Sanitise {
  const sanitise = makeSanitise(addresses)
  return (html) => (isPlainHtml(html) ? html : sanitise(html))
}

const PLAIN_MAX_CHARS = 20_000
/**
 * Text without HTML characters, control characters (but line feeds and tabs) or lone surrogates.
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

export function makeTexts(options: TextOptions) {
  const { rules, work, describe } = options
  /**
   * The words of a text for the word index, and how many were added and removed since `base`.
   *
   * @throws Refusal `general_service_disabled` when too many wait
   */
  const splitWords = async (text: string, { key, base = '' }: { key: string; base?: string }) => {
    const task = { text, base }
    return isForThread(text, base) ? work.derive(task, key) : deriveText(task)
  }
  /** Whether the present rules derived all of these texts from this body. */
  const isPresent = (row: PostTextRow | undefined, body: string) =>
    row?.rules === rules && row.digest === digestOf(body)
  return {
    /** Names the present rules; texts derived by others are not used. */
    rules,
    splitWords,
    isPresent,
    /**
     * Cleans a long body in a thread. The returned function gives its cleaned form, or refuses it.
     *
     * @throws Refusal `general_service_disabled` when too many wait
     */
    cleanInAdvance: (content: unknown, key: string) => cleanInAdvance(options, content, key),
    /** Derives the texts of a body that was just cleaned. */
    make: (body: string, of: TextOwner & { words: number }) =>
      makeRow(options, body, { ...of, clean: body }),
    /** Cleans a stored body, and derives its texts and its words for the index. */
    async rebuild(body: string, { authorId }: TextOwner) {
      const clean = await cleanOrPlainText(options, body, authorId)
      const { words, numbers } = await splitWords(body, { key: authorId })
      return {
        words,
        made: await makeRow(options, body, { authorId, clean, words: numbers.words }),
      }
    },
    /**
     * A stored body as it may be shown. One that cannot be cleaned (too deep, too long) becomes its
     * plain text.
     */
    async show(db: Database, postId: string, body: string): Promise<string> {
      if (body === '') return body
      const row = await findTexts(db, postId)
      if (row && isPresent(row, body)) return row.cleaned ?? body
      return cleanOrPlainText(options, body, postId)
    },
    /** Cleans the text of a version. */
    cleanStored: (html: string, key: string) => cleanOrPlainText(options, html, key),
    /** Highlights the code of a cleaned body; returns it unchanged when that takes too long. */
    async highlight(
      db: Database,
      { postId, authorId }: TextOwner & { postId?: string },
      html: string,
    ): Promise<string> {
      if (readSamples(html).length === 0) return html
      const row = postId === undefined ? undefined : await findTexts(db, postId)
      const isStored = row?.rules === rules && (row.cleaned === html || isPresent(row, html))
      const code = isStored ? JSON.parse(row.code ?? '[]') : await codeOf(options, html, authorId)
      return code ? putSamples(html, code) : html
    },
    /** The texts that pages show about a body. */
    async derive<Texts>(
      db: Database,
      postId: string,
      html: string,
      { version, make }: { version: string; make: (html: string) => Texts },
    ): Promise<Texts> {
      const row = describe?.version === version ? await findTexts(db, postId) : undefined
      const isStored = row?.rules === rules && row.shownDigest === digestOf(html)
      return isStored && row.texts !== null ? JSON.parse(row.texts) : make(html)
    },
    /** The tags of a last line that consists of tags only, without their number signs. */
    tagLine: (body: string): string[] => findTagLine(body)?.words ?? [],
  }
}

/** When highlighting failed, the row has no rules, so that it will be regenerated. */
async function makeRow(
  options: TextOptions,
  body: string,
  { authorId, clean, words }: TextOwner & { clean: string; words: number },
): Promise<DerivedTexts> {
  const { rules, describe } = options
  const code = await codeOf(options, clean, authorId)
  const highlighted = putSamples(clean, code ?? [])
  const digest = digestOf(body)
  return {
    rules: code ? rules : '',
    digest,
    words,
    shownDigest: highlighted === body ? digest : digestOf(highlighted),
    texts: describe ? JSON.stringify(describe.make(highlighted)) : null,
    cleaned: clean === body ? null : clean,
    code: code?.length ? JSON.stringify(code) : null,
  }
}

const HIGHLIGHT_WAIT_MS = 3000

/** @returns empty for code that takes too long and stays plain; undefined to try again later */
async function codeOf(
  { work, waitMs = HIGHLIGHT_WAIT_MS }: TextOptions,
  html: string,
  authorId: string,
): Promise<Highlighted | undefined> {
  const samples = readSamples(html)
  if (samples.length === 0) return []
  // A transaction must not wait for a thread: it blocks all other writers.
  if (insideTransaction.getStore()) return undefined
  const answer = await withTimeout(waitMs, work.highlight(samples, authorId))
  if (answer === 'busy') return undefined
  return answer === 'tooLong' ? [] : answer
}

async function cleanInAdvance(
  options: TextOptions,
  content: unknown,
  key: string,
): Promise<Sanitise> {
  const isLong = typeof content === 'string' && content.length > TEXT_SYNC_MAX_CHARS
  if (!isLong) return options.sanitise
  try {
    checkSize(content, CONTENT_OBJECTS_MAX)
    const clean = await cleanOne(options, content, key)
    return () => clean
  } catch (error) {
    if (!isUnclean(error)) throw error
    return () => {
      throw error
    }
  }
}

async function cleanOne({ sanitise, addresses, work }: TextOptions, html: string, key: string) {
  return addresses && isForThread(html) ? work.clean(html, addresses, key) : sanitise(html)
}

function isUnclean(error: unknown): error is Refusal {
  return error instanceof Refusal && error.type === 'document_invalid_structure'
}

async function cleanOrPlainText(options: TextOptions, html: string, key: string): Promise<string> {
  try {
    return await cleanOne(options, html, key)
  } catch (error) {
    if (!isUnclean(error)) throw error
    return html.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64')
}

/** Characters of one sample, and of all samples of a post; samples beyond them stay plain. */
export const CODE_SAMPLE_MAX_CHARS = 50_000
const CODE_SAMPLES_MAX_CHARS = 150_000

/** Adjacent parts never match the same characters, so the cost is linear in the text. */
const SAMPLE =
  /(<pre(?:\s[^<>]*)?>\n?)(\s*<code(?:\s[^<>]*)?>)?([^<]*(?:<br[^<>]*>[^<]*)*)((?:<\/code>\s*)?<\/pre>)/g
const LANGUAGE = /\sclass="(?:[^"]*\s)?language-([^\s"]+)/

/** The samples with a language, in their order, without those beyond the limits. */
export function readSamples(html: string): CodeSample[] {
  const samples: CodeSample[] = []
  replaceSamples(html, (sample) => {
    samples.push(sample)
    return undefined
  })
  return samples
}

/** Replaces the samples of a body by these, in the order of {@link readSamples}. */
export function putSamples(html: string, highlighted: readonly (string | null)[]): string {
  let at = 0
  return replaceSamples(html, () => highlighted[at++] ?? undefined)
}

function replaceSamples(html: string, replace: (sample: CodeSample) => string | undefined): string {
  if (!html.includes('<pre')) return html
  let left = CODE_SAMPLES_MAX_CHARS
  return html.replace(
    SAMPLE,
    (all: string, pre: string, code: string | undefined, inside: string, end: string) => {
      const language = (LANGUAGE.exec(code ?? '') ?? LANGUAGE.exec(pre))?.[1]
      if (!language || inside.length > Math.min(left, CODE_SAMPLE_MAX_CHARS)) return all
      left -= inside.length
      const highlighted = replace({ language, code: inside })
      return highlighted === undefined ? all : `${pre}${code ?? ''}${highlighted}${end}`
    },
  )
}

// --- the version of the rules that clean and highlight bodies: a hash of everything that changes
// the result, so that nobody has to raise a number

/** Languages, addresses of videos, code samples, and the version of every package used. */
const BESIDE = [
  '../../contract/code-languages.ts',
  '../../contract/formulas.ts',
  '../../contract/image-emoji.ts',
  '../../contract/videos.ts',
  './post-texts.ts',
  '../../package-lock.json',
]

/** Reads the source files of the rules, which run as they are (decision 0008). */
export function readRules({ publicUrl, allowedOrigins, contentBucketId }: AddressOptions): string {
  const settings = JSON.stringify([publicUrl, allowedOrigins, contentBucketId])
  const beside = BESIDE.map((name) => new URL(name, import.meta.url)).filter(existsSync)
  const texts = [...readSources('./text-thread.ts').values(), ...beside.map(read), settings]
  return hash('sha256', texts.join('\0'), 'base64')
}

/** A file and everything that it imports from its own folder, by name. */
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
