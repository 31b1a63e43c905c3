// A blog of any size for the bench, written straight into the store: a million posts take a minute
// or two. What the server keeps with each post (triggers, index of words) is made here at once, as
// it would be after a million calls.
import { mkdir } from 'node:fs/promises'
import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import { openDatabase, sqlitePath } from '#backend/database/database.ts'
import { lexemesOf } from '#backend/database/word-index.ts'
import { foldWords } from '#backend/search/fold.ts'
import { makeTexts } from './search-texts.ts'

export type Place = { dataDir: string; databaseUrl: string | undefined }

/** Ids of the nth post and person. */
export const postId = (at: number) => `post-${at}`
export const userId = (at: number) => `author-${at}`
export const TAGS_IN_USE = 50

const BATCH = 2000
const POSTS_PER_AUTHOR = 100
const WORDS_MIN = 15
const WORDS_MORE = 20
/** Each fourth post has a tag, and each second a like. */
const TAGGED = 4
const LIKED = 2
const FIRST_POST_MS = Date.UTC(2020, 0, 1)
const BETWEEN_POSTS_MS = 60_000

type Row = Record<string, string | number | null>

/** A database while it is filled: without indexes and triggers, which come back at the end. */
type Store = {
  begin(): Promise<void>
  insert(table: string, rows: Row[]): Promise<void>
  /** The words of posts beside rows that are there already. */
  keepWords(posts: { seq: number; title: string; content: string }[]): Promise<void>
  end(posts: number): Promise<void>
}

/**
 * Fills an empty database, which it migrates first.
 *
 * @param posts all of them active and for everybody, but each 50th, which is a draft
 */
export async function fillBigBlog(place: Place, posts: number): Promise<void> {
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 })
  await (await openDatabase(place)).destroy()
  const store = place.databaseUrl ? await openPostgres(place.databaseUrl) : openSqlite(place)
  await store.begin()
  const authors = countAuthors(posts)
  for (let from = 0; from < authors; from += BATCH)
    await store.insert('user', range(from, Math.min(from + BATCH, authors)).map(personRow))
  const texts = makeTexts()
  for (let from = 0; from < posts; from += BATCH) {
    const at = range(from, Math.min(from + BATCH, posts))
    const rows = at.map((one) => ({
      ...postRow(one, authors),
      title: texts.title(),
      content: texts.body(WORDS_MIN + texts.below(WORDS_MORE)),
    }))
    await store.insert('post', rows)
    await store.insert('searchPost', rows.map(searchedRow))
    await store.keepWords(rows)
    await store.insert(
      'postTag',
      at.filter((one) => one % TAGGED === 0).map((one) => tagRow(one, authors)),
    )
    await store.insert(
      'postLike',
      at.filter((one) => one % LIKED === 0).map((one) => likeRow(one, authors)),
    )
  }
  await store.end(posts)
}

export function countAuthors(posts: number): number {
  return Math.max(20, Math.floor(posts / POSTS_PER_AUTHOR))
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function timeOf(at: number): string {
  return new Date(FIRST_POST_MS + at * BETWEEN_POSTS_MS).toISOString()
}

function personRow(at: number): Row {
  const time = timeOf(0)
  return {
    ...{ id: userId(at), name: `Author ${at}`, email: `author.${at}@example.test` },
    ...{ isVerified: 1, isBlocked: 0, prefs: '{}' },
    ...{ createdAt: time, updatedAt: time, accessedAt: time },
  }
}

function postRow(at: number, authors: number) {
  return {
    ...{ seq: at + 1, id: postId(at), featuredImage: '', userId: userId(at % authors) },
    ...{ permissions: '["read(\\"any\\")"]', readers: 'any', isHidden: 0 },
    ...{ status: at % 50 === 1 ? 'inactive' : 'active' },
    ...{ createdAt: timeOf(at), updatedAt: timeOf(at), likes: at % LIKED === 0 ? 1 : 0 },
  }
}

type SearchedRow = ReturnType<typeof postRow> & { title: string }

function searchedRow({ seq, status, isHidden, readers, userId: by, title }: SearchedRow) {
  return { seq, status, isHidden, readers, userId: by, isDue: 0, title: ` ${foldWords(title)} ` }
}

/** None of a draft: those have an odd place. */
function tagRow(at: number, authors: number): Row {
  const name = `tag${(at / TAGGED) % TAGS_IN_USE}`
  return {
    ...{ postSeq: at + 1, place: 0, name, key: name, isFromText: 0, createdAt: timeOf(at) },
    ...{ shown: 'any', userId: userId(at % authors) },
  }
}

function likeRow(at: number, authors: number): Row {
  return { postId: postId(at), userId: userId((at * 7) % authors), createdAt: timeOf(at) }
}

type Posts = Parameters<Store['keepWords']>[0]

function wordsOf({ title, content }: Posts[number]) {
  return { title: foldWords(title), body: foldWords(content.replace(/<[^>]*>/g, ' ')) }
}

// --- SQLite

function openSqlite({ dataDir }: Place): Store {
  const file = new SqliteFile(sqlitePath(dataDir))
  const statements = new Map<string, SqliteFile.Statement>()
  const made: string[] = []
  const insertRow = (table: string, row: Row) => {
    const names = Object.keys(row)
    const statement =
      statements.get(table) ??
      file.prepare(
        `insert into "${table}" (${quotedList(names)}) values (${names.map(() => '?').join(', ')})`,
      )
    statements.set(table, statement)
    statement.run(Object.values(row))
  }
  const inOne = file.transaction((work: () => void) => work())
  return {
    async begin() {
      // A bench that is cut off begins anew.
      file.pragma('journal_mode = off')
      file.pragma('synchronous = off')
      file.pragma('cache_size = -200000')
      const parts = file
        .prepare(
          `select type, name, sql from sqlite_master where sql is not null
            and (type = 'trigger' or type = 'index') and tbl_name in ('post', 'postLike', 'postTag', 'searchPost')`,
        )
        .all() as { type: string; name: string; sql: string }[]
      for (const { type, name, sql } of parts) {
        file.exec(`drop ${type} "${name}"`)
        made.push(sql)
      }
      file.exec(`insert into "postWords" ("postWords", rank) values ('automerge', 0)`)
    },
    async insert(table, rows) {
      inOne(() => {
        for (const row of rows) insertRow(table, row)
      })
    },
    async keepWords(posts) {
      const insert = file.prepare('insert into "postWords" (rowid, title, body) values (?, ?, ?)')
      inOne(() => {
        for (const post of posts) {
          const { title, body } = wordsOf(post)
          insert.run(post.seq, title, body)
        }
      })
    },
    async end() {
      for (const sql of made) file.exec(sql)
      file.exec(`insert into "postWords" ("postWords") values ('optimize');
        insert into "postWords" ("postWords", rank) values ('automerge', 4)`)
      file.pragma('journal_mode = wal')
      file.close()
    },
  }
}

function quotedList(names: string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

// --- PostgreSQL

async function openPostgres(connectionString: string): Promise<Store> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const made: string[] = []
  return {
    async begin() {
      await client.query(`set synchronous_commit = off; set maintenance_work_mem = '1GB'`)
      const { rows } = await client.query<{ name: string; definition: string }>(
        `select indexname as name, indexdef as definition from pg_indexes
          where tablename in ('post', 'postLike', 'postTag', 'searchPost') and schemaname = current_schema()
            and not exists (select 1 from pg_constraint where conname = indexname)`,
      )
      for (const { name, definition } of rows) {
        await client.query(`drop index "${name}"`)
        made.push(definition)
      }
      for (const table of ['post', 'postLike', 'postTag'])
        await client.query(`alter table "${table}" disable trigger all`)
    },
    async insert(table, rows) {
      const [first] = rows
      if (!first) return
      const names = quotedList(Object.keys(first))
      await client.query(
        `insert into "${table}" (${names}) overriding system value
          select ${names} from json_populate_recordset(null::"${table}", $1)`,
        [JSON.stringify(rows)],
      )
    },
    async keepWords(posts) {
      const words = posts.map((post) => lexemesOf(wordsOf(post)))
      await client.query(
        `update "searchPost" set lexemes = w::tsvector
          from unnest($1::bigint[], $2::text[]) as made(at, w) where seq = at`,
        [posts.map(({ seq }) => seq), words],
      )
    },
    async end(posts) {
      for (const definition of made) await client.query(definition)
      for (const table of ['post', 'postLike', 'postTag'])
        await client.query(`alter table "${table}" enable trigger all`)
      await client.query(`select setval(pg_get_serial_sequence('post', 'seq'), $1)`, [posts])
      await client.query('vacuum analyze')
      await client.end()
    },
  }
}
