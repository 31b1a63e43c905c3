// `npm run bench -- --search 1000000`: how long searches take on SQLite, how large the index of
// words is beside the texts, and what a write costs with it. The posts go into the table at once,
// and into the index as after an update of the program.
import { stat } from 'node:fs/promises'
import SqliteFile from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { openDatabase, sqlitePath } from '#backend/database/database.ts'
import type { Database, Tables } from '#backend/database/schema.ts'
import { GUEST } from '#backend/http/viewer.ts'
import { searchPosts } from '#backend/posts/search-posts.ts'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { fillIndex } from '#backend/search/fill.ts'
import type { Found } from '#backend/search/search.ts'
import { distinctWords } from '#backend/search/tokens.ts'
import { plainText } from '#contract/plain-text.ts'
import { type MadeTexts, makeTexts } from './search-texts.ts'

const AUTHORS = 100
const SEARCHES = 400
const BATCH = 1000
/** Of a post; the average is in the middle. */
const WORDS = { least: 60, most: 440 }
const FREQUENT = ['the of', 'th of', 'to be', 'a the', 'in an', 'was that', '"of the"', 'pe ti']

export type SearchFigures = {
  posts: number
  textMb: number
  indexMb: number
  fillMs: number
  /** Milliseconds as a caller waits, and of the processor: others may be at work, too. */
  kinds: { name: string; p50: number; p99: number; cpu99: number }[]
}

export async function benchSearch(dataDir: string, posts: number): Promise<SearchFigures> {
  await (await openDatabase({ dataDir, databaseUrl: undefined })).destroy()
  const texts = makeTexts()
  const before = writePosts(sqlitePath(dataDir), texts, posts)
  const db: Kysely<Tables> = await openDatabase({ dataDir, databaseUrl: undefined })
  try {
    const beganMs = performance.now()
    const background = makeBackground(makeLog('silent'))
    const { signal } = new AbortController()
    const splitBody = async (content: string) => distinctWords(plainText(content))
    await fillIndex({ db, background, isAlone: true, splitBody }, { signal })
    const fillMs = performance.now() - beganMs
    const indexMb = await measureIndex(db)
    const kinds = await measureKinds(db, texts)
    return { posts, textMb: before.textBytes / 1e6, indexMb, fillMs, kinds }
  } finally {
    await db.destroy()
  }
}

function writePosts(path: string, texts: MadeTexts, posts: number): { textBytes: number } {
  const file = new SqliteFile(path)
  file.pragma('synchronous = off')
  const time = new Date(Date.UTC(2023, 0, 1)).toISOString()
  const person = file.prepare(
    `insert into "user" (id, name, email, "isVerified", "isBlocked", prefs, "createdAt", "updatedAt", "accessedAt")
     values (?, ?, ?, 1, 0, '{}', ?, ?, ?)`,
  )
  for (let at = 0; at < AUTHORS; at++)
    person.run(`author${at}`, `Author ${at}`, `a${at}@example.test`, time, time, time)
  const insert = file.prepare(
    `insert into post (id, title, content, "featuredImage", "userId", permissions, readers, "createdAt", "updatedAt", "isHidden", status)
     values (?, ?, ?, '', ?, '["read(\\"any\\")"]', 'any', ?, ?, 0, ?)`,
  )
  let textBytes = 0
  const batch = file.transaction((from: number) => {
    for (let at = from; at < Math.min(from + BATCH, posts); at++) {
      const title = texts.title()
      const body = texts.body(WORDS.least + texts.below(WORDS.most - WORDS.least))
      textBytes += title.length + body.length
      const written = new Date(Date.UTC(2023, 0, 1) + at * 1000).toISOString()
      const status = at % 50 === 0 ? 'inactive' : 'active'
      insert.run(`post-${at}`, title, body, `author${at % AUTHORS}`, written, written, status)
    }
  })
  for (let from = 0; from < posts; from += BATCH) batch(from)
  file.exec(`delete from "searchPost"`)
  file.exec(`update "searchState" set "doneFrom" = (select max(seq) + 1 from post)`)
  file.pragma('wal_checkpoint(truncate)')
  file.close()
  return { textBytes }
}

/** All that the search added to the database. */
async function measureIndex(db: Database): Promise<number> {
  const { sql } = await import('kysely')
  const { rows } = await sql<{ bytes: number }>`
    select sum(pgsize) as bytes from dbstat where name like 'postSearch%' or name like 'search%'`.execute(
    db,
  )
  return (rows[0]?.bytes ?? 0) / 1e6
}

async function measureKinds(db: Database, texts: MadeTexts): Promise<SearchFigures['kinds']> {
  const some = (make: () => string) => Array.from({ length: SEARCHES }, make)
  const ranked = (least: number, most: number) =>
    texts.words[least + texts.below(most - least)] ?? ''
  const kinds: [string, string[]][] = [
    ['two words of the texts', some(() => `${texts.word()} ${texts.word()}`)],
    ['two frequent words', some(() => `${ranked(0, 100)} ${ranked(0, 100)}`)],
    ['a frequent and a rare word', some(() => `${ranked(0, 100)} ${ranked(5000, 200_000)}`)],
    ['two rare words', some(() => `${ranked(5000, 200_000)} ${ranked(5000, 200_000)}`)],
    ['two beginnings', some(() => `${cut(texts.word())} ${cut(texts.word())}`)],
    ['one word', some(() => texts.word())],
    ['hard ones', FREQUENT.flatMap((q) => Array.from({ length: 10 }, () => q))],
  ]
  // Nothing is remembered: each search is measured.
  const lists = { findSearched: (_search: object, read: () => Promise<Found>) => read() }
  const needs = { db, contentBucketId: 'images', lists }
  const figures: SearchFigures['kinds'] = []
  for (const [name, searches] of kinds) {
    const tookMs: number[] = []
    const cpuMs: number[] = []
    for (const q of searches) {
      // Too few letters are refused.
      if ([...new Set(q.split(' '))].join('').length < 2) continue
      const [beganMs, began] = [performance.now(), process.threadCpuUsage()]
      await searchPosts(needs, GUEST, { q, page: 1 })
      const { user, system } = process.threadCpuUsage(began)
      tookMs.push(performance.now() - beganMs)
      cpuMs.push((user + system) / 1000)
    }
    figures.push({
      ...{ name, p50: shareOf(tookMs, 0.5), p99: shareOf(tookMs, 0.99) },
      cpu99: shareOf(cpuMs, 0.99),
    })
  }
  return figures
}

function shareOf(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

function cut(word: string): string {
  return word.slice(0, Math.max(2, Math.ceil(word.length / 2)))
}

export async function printSearch(dataDir: string, posts: number): Promise<void> {
  const { textMb, indexMb, fillMs, kinds } = await benchSearch(dataDir, posts)
  const { size } = await stat(sqlitePath(dataDir))
  const line = (text: string) => process.stdout.write(`${text}\n`)
  line(
    `search: ${posts} posts, ${textMb.toFixed(0)} MB of titles and bodies, database ${(size / 1e6).toFixed(0)} MB`,
  )
  line(
    `index of words  ${indexMb.toFixed(0)} MB, ${((100 * indexMb) / textMb).toFixed(1)} % of the text (goal: at most 40)`,
  )
  line(`filling it      ${(fillMs / 1000).toFixed(0)} s, ${(fillMs / posts).toFixed(2)} ms a post`)
  line(
    `${'milliseconds'.padEnd(30)}${'median'.padStart(9)}${'p99'.padStart(9)}${'p99 cpu'.padStart(9)}  (goal: p99 below 50)`,
  )
  for (const { name, p50, p99, cpu99 } of kinds)
    line(`${name.padEnd(30)}${[p50, p99, cpu99].map((ms) => ms.toFixed(1).padStart(9)).join('')}`)
}
