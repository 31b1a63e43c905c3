// What an export of the site remembers until it is complete, in an SQLite file beside it: the
// files of pictures, the pages that are written, and the posts and words of the search.
import SqliteFile from 'better-sqlite3'
import type { FoundPost } from '#contract/site-search.ts'

const CACHE_KIB = 16_384

export type SearchedPost = {
  id: string
  post: FoundPost
  /** Words of the title, and further words of the text. */
  titleWords: string[]
  words: string[]
}

export type SiteWork = ReturnType<typeof openSiteWork>

export function openSiteWork(path: string) {
  const file = new SqliteFile(path)
  file.pragma('journal_mode = wal')
  file.pragma('synchronous = normal')
  file.pragma(`cache_size = -${CACHE_KIB}`)
  file.exec(`
    create table if not exists picture (address text primary key, file text not null) without rowid;
    create table if not exists page (file text primary key, state text not null) without rowid;
    create table if not exists post (id text primary key, "createdAt" text not null,
      post text not null, "titleWords" text not null, words text not null);`)
  const findPicture = file.prepare<[string]>('select file from picture where address = ?').pluck()
  const addPicture = file.prepare('insert or replace into picture values (?, ?)')
  const findPage = file.prepare<[string]>('select state from page where file = ?').pluck()
  const addPage = file.prepare('insert or replace into page values (?, ?)')
  const addPost = file.prepare('insert or replace into post values (?, ?, ?, ?, ?)')
  return {
    /** Undefined for a picture that was not fetched yet; empty for one that is missing. */
    findPicture: (address: string) => findPicture.get(address) as string | undefined,
    addPicture(address: string, pictureFile: string) {
      addPicture.run(address, pictureFile)
    },
    /** What {@link addPage} stored for a complete page; undefined for others. */
    findPage: (page: string) => findPage.get(page) as string | undefined,
    addPage(page: string, state: string) {
      addPage.run(page, state)
    },
    addPost({ id, post, titleWords, words }: SearchedPost) {
      const [, , , createdAt] = post
      addPost.run(id, createdAt, ...[post, titleWords, words].map((value) => JSON.stringify(value)))
    },
    /** Numbers the posts for the search, the newest being 0. @returns how many there are */
    numberPosts(): number {
      file.exec(`
        drop table if exists numbered;
        create temp table numbered (number integer primary key, id text not null);
        insert into numbered select row_number() over (order by "createdAt" desc, id) - 1, id from post;`)
      return Number(file.prepare('select count(*) from numbered').pluck().get())
    },
    /** In the order of their numbers. */
    *posts(): Generator<FoundPost> {
      const rows = file
        .prepare('select post from numbered join post on post.id = numbered.id order by number')
        .pluck()
      for (const row of rows.iterate()) yield JSON.parse(String(row)) as FoundPost
    },
    countUses: () =>
      Number(
        file
          .prepare(
            'select sum(json_array_length(words) + json_array_length("titleWords")) from post',
          )
          .pluck()
          .get() ?? 0,
      ),
    /** Each word with each post, in the order of words; see `WordUse` for the numbers. */
    *uses(): Generator<[word: string, use: number]> {
      const rows = file
        .prepare(
          `select value, number * 2 from numbered join post on post.id = numbered.id, json_each(words)
          union all
          select value, number * 2 + 1 from numbered join post on post.id = numbered.id,
            json_each("titleWords")
          order by 1, 2`,
        )
        .raw()
      for (const row of rows.iterate()) yield row as [string, number]
    },
    close() {
      file.close()
    },
  }
}
