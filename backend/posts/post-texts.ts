// What is made of the text of a post: its clean form, its code highlighted, its number of words,
// and what pages say of it. Made when the text is saved and stored beside it (decision 0064). A
// stored text that this program has not cleaned by the present rules, such as one written by SQL
// or before an update, is cleaned for each answer until it is made anew (renew-texts.ts).
import { hash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import type { DeriveTexts } from '#contract/pages.ts'
import { findTagLine, findTagLineOfText } from '#contract/tags.ts'
import { textToHtml } from '#contract/text-bodies.ts'
import { invalidFormat } from '../collections/declared.ts'
import type { Database, PostTextRow } from '../database/schema.ts'
import { insideTransaction } from '../database/transaction.ts'
import { within } from '../process/work-thread.ts'
import { readCleaningRules, readHighlightRules } from './cleaning-rules.ts'
import { checkSize, makeSanitise, type Sanitise } from './sanitise.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'
import { findTexts } from './store.ts'
import {
  type CodeSample,
  type Highlighted,
  isForThread,
  makeTextWork,
  putSamples,
  readSamples,
  TEXT_AT_ONCE_MAX_CHARS,
  type TextWork,
} from './text-work.ts'

/** Of what a page puts more around: images, players, code samples and tables. */
export const CONTENT_OBJECTS_MAX = 5000

export type MadeTexts = Omit<PostTextRow, 'postId'>

/** What the web part says of a text as pages show it, and which build of it. */
export type Describe = { version: string; make: (html: string) => unknown }

/** Whose text it is: of each person only a few wait. */
type TextOwner = { authorId: string }

export type PostTexts = {
  /** Names the present ones; what was made by others is not used. */
  rules: string
  /**
   * Cleans a long body beside the event loop; what is returned cleans this one, or says why not.
   *
   * @throws Refusal `general_service_disabled` when too many wait
   */
  cleanAhead(content: unknown, key: string): Promise<Sanitise>
  /** Of a body that was just cleaned. */
  make(body: string, of: TextOwner & { words: number }): Promise<MadeTexts>
  /** Of a stored body, whoever wrote it. */
  makeAnew(body: string, of: TextOwner): Promise<MadeTexts>
  /** Whether all of it was made of this body by the present rules. */
  isPresent(row: PostTextRow | undefined, body: string): boolean
  /**
   * A stored body as it may be shown. One that cannot be cleaned (too deep, too long) becomes its
   * plain text.
   */
  show(db: Database, postId: string, body: string): Promise<string>
  /** The same for a text that is no post's present one. */
  cleanKept(html: string, key: string): Promise<string>
  /** A shown body with its code highlighted; as it is where that takes too long. */
  highlight(db: Database, post: TextOwner & { postId?: string }, html: string): Promise<string>
  /** What pages say of a body as they show it. */
  derive(db: Database, ...asked: Parameters<DeriveTexts>): Promise<unknown>
  /** The words of a last line that holds nothing but tags, without their signs. */
  tagLine(body: string): string[]
  work: TextWork
}

export type TextNeeds = {
  work: TextWork
  /** Names the rules; other rules have another name. */
  rules: string
  sanitise: Sanitise
  /** Cleans what is long; without it everything is cleaned at once. */
  addresses?: AddressNeeds
  /** Undefined while there are no pages, or their code may change. */
  describe?: Describe | undefined
  /** How long an answer or a save waits for code; a test hands in less. */
  waitMs?: number
}

export function makePostTexts({
  hasTextBodies = false,
  describe,
  ...addresses
}: AddressNeeds & { hasTextBodies?: boolean; describe?: Describe | undefined }): PostTexts {
  const work = makeTextWork()
  const version = describe?.version ?? ''
  if (hasTextBodies) return makePlainTexts({ work, describe, rules: digestOf(`text ${version}`) })
  const rules = digestOf(readCleaningRules(addresses) + readHighlightRules() + version)
  return makeHtmlTexts({ work, rules, sanitise: makeSanitise(addresses), addresses, describe })
}

export function makeHtmlTexts(needs: TextNeeds): PostTexts {
  const isPresent = isPresentBy(needs)
  return {
    rules: needs.rules,
    work: needs.work,
    isPresent,
    cleanAhead: (content, key) => cleanAhead(needs, content, key),
    make: (body, of) => makeWhole(needs, body, { ...of, clean: body }),
    async makeAnew(body, { authorId }) {
      const clean = await cleanOrPlainText(needs, body, authorId)
      const { numbers } = await needs.work.derive({ text: body, base: '', isText: false }, authorId)
      return makeWhole(needs, body, { authorId, clean, words: numbers.words })
    },
    async show(db, postId, body) {
      if (body === '') return body
      const row = await findTexts(db, postId)
      if (row && isPresent(row, body)) return row.cleaned ?? body
      return cleanOrPlainText(needs, body, postId)
    },
    cleanKept: (html, key) => cleanOrPlainText(needs, html, key),
    async highlight(db, { postId, authorId }, html) {
      const samples = readSamples(html)
      if (samples.length === 0) return html
      const row = postId === undefined ? undefined : await findTexts(db, postId)
      const isStored = row && (row.cleaned === html || isPresent(row, html))
      const code =
        isStored && row.rules === needs.rules
          ? (JSON.parse(row.code ?? '[]') as Highlighted)
          : await highlightSamples(needs, samples, authorId)
      return code ? putSamples(html, code) : html
    },
    derive: deriveBy(needs),
    tagLine: (html) => findTagLine(html)?.words ?? [],
  }
}

/** Bodies that are no HTML (`BLOG_CONTENT=text`): stored and answered untouched. */
function makePlainTexts(needs: Pick<TextNeeds, 'work' | 'rules' | 'describe'>): PostTexts {
  const make: PostTexts['make'] = async (body, { words }) =>
    toRow(needs, body, { shown: textToHtml(body), words })
  return {
    rules: needs.rules,
    work: needs.work,
    isPresent: isPresentBy(needs),
    cleanAhead: async () => (text) => {
      // PostgreSQL cannot store it.
      if (text.includes('\0')) throw invalidFormat('content', 'text without the character NUL')
      return text.toWellFormed()
    },
    make,
    async makeAnew(body, { authorId }) {
      const { numbers } = await needs.work.derive({ text: body, base: '', isText: true }, authorId)
      return make(body, { authorId, words: numbers.words })
    },
    show: async (_db, _postId, text) => text,
    cleanKept: async (text) => text,
    highlight: async (_db, _post, text) => textToHtml(text),
    derive: deriveBy(needs),
    tagLine: (text) => findTagLineOfText(text)?.words ?? [],
  }
}

function isPresentBy({ rules }: Pick<TextNeeds, 'rules'>): PostTexts['isPresent'] {
  return (row, body) => row?.rules === rules && row.digest === digestOf(body)
}

function deriveBy({ rules, describe }: Pick<TextNeeds, 'rules' | 'describe'>): PostTexts['derive'] {
  return async (db, postId, html, { version, make }) => {
    if (describe?.version !== version) return make(html)
    const row = await findTexts(db, postId)
    const isStored = row?.rules === rules && row.shownDigest === digestOf(html)
    return isStored && row.texts !== null ? JSON.parse(row.texts) : make(html)
  }
}

type Made = {
  /** As pages show it. */
  shown: string
  words: number
  clean?: string
  /** Undefined where it could not be made. */
  code?: Highlighted | undefined
}

async function makeWhole(
  needs: TextNeeds,
  body: string,
  { authorId, clean, words }: TextOwner & { clean: string; words: number },
): Promise<MadeTexts> {
  const samples = readSamples(clean)
  const code = samples.length === 0 ? [] : await highlightSamples(needs, samples, authorId)
  const shown = code?.length ? putSamples(clean, code) : clean
  const row = toRow(needs, body, { shown, words, clean, code })
  return code ? row : { ...row, rules: '' }
}

function toRow(
  { rules, describe }: Pick<TextNeeds, 'rules' | 'describe'>,
  body: string,
  { shown, words, clean = body, code = [] }: Made,
): MadeTexts {
  const digest = digestOf(body)
  return {
    ...{ rules, digest, words },
    shownDigest: shown === body ? digest : digestOf(shown),
    texts: describe ? JSON.stringify(describe.make(shown)) : null,
    cleaned: clean === body ? null : clean,
    code: code.length > 0 ? JSON.stringify(code) : null,
  }
}

const HIGHLIGHT_WAIT_MS = 3000

/** @returns empty for what takes too long and stays plain; undefined for what had no turn */
async function highlightSamples(
  { work, waitMs = HIGHLIGHT_WAIT_MS }: TextNeeds,
  samples: CodeSample[],
  authorId: string,
): Promise<Highlighted | undefined> {
  // A transaction holds what all others write to.
  if (insideTransaction.getStore()) return undefined
  const answer = await within(waitMs, work.highlight(samples, authorId))
  if (answer === 'busy') return undefined
  return answer === 'tooLong' ? [] : answer
}

async function cleanAhead(needs: TextNeeds, content: unknown, key: string): Promise<Sanitise> {
  if (typeof content !== 'string' || content.length <= TEXT_AT_ONCE_MAX_CHARS) return needs.sanitise
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
}

async function cleanOne({ sanitise, addresses, work }: TextNeeds, html: string, key: string) {
  return addresses && isForThread(html) ? work.clean(html, addresses, key) : sanitise(html)
}

function isUnclean(error: unknown): error is Refusal {
  return error instanceof Refusal && error.type === 'document_invalid_structure'
}

async function cleanOrPlainText(needs: TextNeeds, html: string, key: string): Promise<string> {
  try {
    return await cleanOne(needs, html, key)
  } catch (error) {
    if (!isUnclean(error)) throw error
    return html.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64')
}
