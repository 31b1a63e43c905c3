// The staging file of an import: an SQLite file in the run's folder that has what the export
// contains, so that exports of any size need little memory. It is complete once it has its final
// name; an incomplete one is built again. Synchronous, because it is fast and local. In one piece
// because it is one file format.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { IMPORT_ISSUES_MAX, type ImportIssue } from '#contract/archive.ts'
import { tagKey } from '#contract/plain-text.ts'
import type {
  ImportSink,
  SourceComment,
  SourcePerson,
  SourcePicture,
  SourcePost,
} from '../sources/source.ts'
import { fitKey } from './import-ids.ts'
import { pictureKey } from './old-site.ts'
import { makeRunner, type Runner } from './staging-sql.ts'

const FILE = 'staging.sqlite'
const UNFINISHED = 'staging.new.sqlite'
/** Rows that are written in one transaction while the export is read. */
const ROWS_AT_ONCE = 2000
/** A longer post is left out; with pictures in its text it may be long before it is cleaned. */
const POST_MAX_CHARS = 16_000_000
/** Steps from a reply to the comment above it; longer threads are hostile. */
const THREAD_STEPS_MAX = 1000

const TABLES = `
  create table meta (name text primary key, value text not null) without rowid;
  create table person (key text primary key, name text not null, email text not null);
  create table post (
    seq integer primary key, key text not null unique, kind text not null, status text not null,
    title text not null, author text not null, publishedAt text not null,
    chars integer not null, data text not null
  );
  create index postByAuthor on post (author);
  create table comment (
    seq integer primary key, key text not null unique, postKey text not null,
    parentKey text not null, createdAt text not null, isApproved integer not null,
    rootKey text not null default '', sortAt text not null default '', data text not null
  );
  create index commentOfPost on comment (postKey, sortAt, seq);
  create table picture (key text primary key, url text not null, alt text not null)
    without rowid;
  create table treeFile (path text primary key, name text not null, sizeBytes integer not null)
    without rowid;
  create index treeFileByName on treeFile (name);
  create table address (address text primary key, postSeq integer not null) without rowid;
  create table tag (key text primary key) without rowid;
  -- Pictures that posts show; those that cannot be imported have no size.
  create table used (key text primary key, sizeBytes integer) without rowid;
  create table failure (key text primary key, reason text not null, detail text not null)
    without rowid;
  create table issue (
    seq integer primary key, phase text not null, what text not null, name text not null,
    reason text not null, post text not null, detail text not null
  );
  create unique index issueOnce on issue (phase, what, name, reason, post)
    where phase = 'import';
  create table existing (
    userId text not null, createdAt text not null, title text not null, postId text not null,
    primary key (userId, createdAt, title)
  ) without rowid;
  create table plan (
    postSeq integer primary key, action text not null, postId text not null, userId text not null,
    path text not null, counted text not null
  );
`

export type StagedPost = SourcePost & { seq: number }

/**
 * `import` and `done` are of this run, `present` is of an earlier one, `same` was written here,
 * `out` is left out.
 */
export type PlanAction = 'import' | 'done' | 'present' | 'same' | 'out'
export type Plan = {
  postSeq: number
  action: PlanAction
  postId: string
  userId: string
  /** Of the page that the post has here. */
  path: string
  /** As what it is counted. */
  counted: 'posts' | 'drafts' | 'pages'
}
export type PlannedPost = Pick<Plan, 'postId' | 'userId' | 'postSeq'> & { post: SourcePost }
type Existing = { id: string; createdAt: string; title: string }
/** Issues of the dry run, and those that the import itself finds. */
export type IssuePhase = 'read' | 'check' | 'present' | 'import'
export type Staging = ReturnType<typeof openStaging>

/** @returns undefined until a complete staging file is there */
export function findStaging(folder: string): Staging | undefined {
  return existsSync(join(folder, FILE)) ? openStaging(join(folder, FILE)) : undefined
}

/** Begins a new staging file; what an earlier attempt has left is removed. */
export function beginStaging(folder: string): Staging {
  for (const end of ['', '-journal', '-wal', '-shm'])
    rmSync(join(folder, UNFINISHED + end), { force: true })
  const staging = openStaging(join(folder, UNFINISHED))
  staging.file.exec(TABLES)
  return staging
}

/** Gives the file its final name, when all of it is on the disk. */
export function completeStaging(folder: string, staging: Staging): Staging {
  staging.close()
  const path = join(folder, UNFINISHED)
  const descriptor = openSync(path, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(path, join(folder, FILE))
  return openStaging(join(folder, FILE))
}

function openStaging(path: string) {
  const file = new SqliteFile(path)
  // An incomplete file is built again, whatever a crash has left of it.
  file.pragma(path.endsWith(UNFINISHED) ? 'journal_mode = off' : 'journal_mode = wal')
  file.pragma(path.endsWith(UNFINISHED) ? 'synchronous = off' : 'synchronous = normal')
  file.pragma('cache_size = -16000')
  const run = makeRunner(file)
  return {
    file,
    close() {
      if (file.inTransaction) file.exec('commit')
      file.close()
    },
    inOne: <Result>(work: () => Result): Result => file.transaction(work)(),
    setMeta: (name: string, value: unknown) =>
      run('insert or replace into meta values (?, ?)', name, JSON.stringify(value)),
    getMeta<Value>(name: string): Value | undefined {
      const [row] = run.all<{ value: string }>('select value from meta where name = ?', name)
      return row && JSON.parse(row.value)
    },
    ...addingTo(run),
    ...issuesOf(run),
    ...picturesOf(run),
    ...postsOf(run),
    ...planOf(run),
    ...commentsOf(run),
  }
}

// --- what the export contains

/** Takes what a source reads. `end` writes the last rows. */
export function makeSink(
  staging: Staging,
  onProgress: ImportSink['progress'],
): ImportSink & { treeFile(path: string, sizeBytes: number): void; end(): void } {
  const { file } = staging
  let rows = 0
  const written = () => {
    if (!file.inTransaction) file.exec('begin')
    else if (++rows % ROWS_AT_ONCE === 0) file.exec('commit; begin')
  }
  const add = (work: () => void) => {
    written()
    work()
  }
  return {
    site: (site) => add(() => staging.setMeta('site', site)),
    person: (person) => add(() => staging.addPerson({ ...person, key: fitKey(person.key) })),
    post: (post) =>
      add(() =>
        staging.addPost({ ...post, key: fitKey(post.key), authors: post.authors.map(fitKey) }),
      ),
    comment: (comment) => add(() => staging.addComment(withFitKeys(comment))),
    picture: (picture) => add(() => staging.addPicture(picture)),
    leaveOut: (issue) => add(() => staging.addIssue('read', { post: '', detail: '', ...issue })),
    progress: onProgress,
    treeFile: (path, sizeBytes) => add(() => staging.addTreeFile(path, sizeBytes)),
    end() {
      if (file.inTransaction) file.exec('commit')
    },
  }
}

function withFitKeys(comment: SourceComment): SourceComment {
  const { key, postKey, parentKey } = comment
  return { ...comment, key: fitKey(key), postKey: fitKey(postKey), parentKey: fitKey(parentKey) }
}

function addingTo(run: Runner) {
  const { addIssue } = issuesOf(run)
  return {
    addPerson({ key, name, email }: SourcePerson): void {
      const values = [key, cut(name), email.slice(0, TEXT_MAX_CHARS)]
      run('insert or ignore into person values (?, ?, ?)', ...values)
    },
    addPost(post: SourcePost): void {
      if (post.html.length > POST_MAX_CHARS) {
        const { kind: what, title: name } = post
        addIssue('read', { what, name, reason: 'tooLong', post: '', detail: '' })
        return
      }
      const { key, kind, status, title, authors, publishedAt, tags } = post
      const isNew = run(
        `insert or ignore into post (key, kind, status, title, author, publishedAt, chars, data)
          values (?, ?, ?, ?, ?, ?, ?, ?)`,
        key,
        kind,
        status,
        title.slice(0, 1000),
        authors[0] ?? '',
        publishedAt,
        post.html.length,
        JSON.stringify(post),
      )
      if (isNew === 0)
        addIssue('read', { what: kind, name: title, reason: 'conflict', post: '', detail: key })
      else
        for (const tag of tags)
          run('insert or ignore into tag values (?)', tagKey(tag).slice(0, 200))
    },
    addComment(comment: SourceComment): void {
      const { key, postKey, parentKey, createdAt, isApproved } = comment
      const isNew = run(
        `insert or ignore into comment (key, postKey, parentKey, createdAt, isApproved, data)
          values (?, ?, ?, ?, ?, ?)`,
        key,
        postKey,
        parentKey,
        createdAt,
        Number(isApproved),
        JSON.stringify(comment),
      )
      if (isNew > 0) return
      const name = `${comment.authorName} ${createdAt}`
      addIssue('read', { what: 'comment', name, reason: 'conflict', post: '', detail: key })
    },
    addPicture({ url, alt }: SourcePicture): void {
      run(
        `insert into picture values (?, ?, ?)
          on conflict do update set alt = excluded.alt where alt = ''`,
        pictureKey(url),
        url,
        alt,
      )
    },
    addTreeFile(path: string, sizeBytes: number): void {
      const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
      run('insert or ignore into treeFile values (?, ?, ?)', path, name, sizeBytes)
    },
    /** @returns false when an earlier post has the address */
    addAddress: (address: string, postSeq: number) =>
      run('insert or ignore into address values (?, ?)', address, postSeq) > 0 ||
      run.count(
        'select count(*) as total from address where address = ? and postSeq = ?',
        address,
        postSeq,
      ) > 0,
    addUsedPicture: (key: string, sizeBytes: number | null) =>
      run('insert or ignore into used values (?, ?)', key, sizeBytes) > 0,
  }
}

const TEXT_MAX_CHARS = 300

function cut(text: string): string {
  const start = text.slice(0, TEXT_MAX_CHARS).toWellFormed().replaceAll('\0', ' ')
  return text.length <= TEXT_MAX_CHARS ? start : `${start}…`
}

function issuesOf(run: Runner) {
  const addIssue = (phase: IssuePhase, { what, name, reason, post, detail }: ImportIssue) =>
    void run(
      `insert or ignore into issue (phase, what, name, reason, post, detail)
        values (?, ?, ?, ?, ?, ?)`,
      phase,
      what,
      cut(name),
      reason,
      cut(post),
      cut(detail),
    )
  return {
    addIssue,
    listIssues: (phases: IssuePhase[], afterSeq: number) =>
      run.all<ImportIssue & { seq: number }>(
        `select seq, what, name, reason, post, detail from issue
          where seq > ? and phase in (${phases.map((phase) => `'${phase}'`).join()})
          order by seq limit 500`,
        afterSeq,
      ),
    countIssues: () =>
      run.all<Pick<ImportIssue, 'what' | 'reason'> & { count: number }>(
        `select what, reason, count(*) as count from issue where phase <> 'import'
          group by what, reason order by count desc, what, reason`,
      ),
    listIssueNames: (what: string, reason: string, limit: number) =>
      run
        .all<{ name: string }>(
          `select name from issue where what = ? and reason = ? and phase <> 'import'
            order by seq limit ?`,
          what,
          reason,
          limit,
        )
        .map(({ name }) => name),
    /** Records comments that are left out, each of them. */
    addCommentIssues(): void {
      const insert = `insert into issue (phase, what, name, reason, post, detail)
        select 'check', 'comment', substr(json_extract(data, '$.authorName') || ' ' || createdAt, 1, 200)`
      run(
        `${insert}, 'spam', coalesce((select title from post where post.key = postKey), ''), ''
          from comment where isApproved = 0`,
      )
      run(
        `${insert}, 'postMissing', '', postKey from comment
          where isApproved = 1 and postKey not in (select key from post)`,
      )
    },
    /** Records the posts that this blog has already. */
    addPresentIssues(): void {
      run(`delete from issue where phase = 'present'`)
      run(
        `insert into issue (phase, what, name, reason, post, detail)
          select 'present', kind, substr(title, 1, 300), 'present', '', '' from plan
            join post on post.seq = postSeq where action in ('present', 'same')`,
      )
    },
    /** Records the comments of pages, which have none here. */
    addPageCommentIssues(): void {
      run(
        `insert or ignore into issue (phase, what, name, reason, post, detail)
          select 'import', 'comment',
            substr(json_extract(comment.data, '$.authorName') || ' ' || createdAt, 1, 200),
            'unsupported', post.title, 'page'
          from comment join post on post.key = postKey join plan on postSeq = post.seq
          where isApproved = 1 and counted = 'pages' and action in ('import', 'done')`,
      )
    },
  }
}

function picturesOf(run: Runner) {
  return {
    findAlt: (key: string): string =>
      run.all<{ alt: string }>('select alt from picture where key = ?', pictureKey(key))[0]?.alt ??
      '',
    /** Whether the media library of the old blog has it. */
    hasPicture: (key: string) =>
      run.count('select count(*) as total from picture where key = ?', key) > 0,
    listPictures: (afterKey: string, limit: number) =>
      run.all<{ key: string; url: string }>(
        'select key, url from picture where key > ? order by key limit ?',
        afterKey,
        limit,
      ),
    isUsed: (key: string) => run.count('select count(*) as total from used where key = ?', key) > 0,
    findTreeFiles: (name: string, limit: number) =>
      run.all<{ path: string; sizeBytes: number }>(
        'select path, sizeBytes from treeFile where name = ? order by path limit ?',
        name.toLowerCase(),
        limit,
      ),
    findTreeFile: (path: string) =>
      run.all<{ path: string; sizeBytes: number }>(
        'select path, sizeBytes from treeFile where path = ?',
        path,
      )[0],
    addFailure: (key: string, reason: ImportIssue['reason'], detail: string) =>
      run('insert or replace into failure values (?, ?, ?)', key, reason, detail),
    findFailure: (key: string) =>
      run.all<{ reason: ImportIssue['reason']; detail: string }>(
        'select reason, detail from failure where key = ?',
        key,
      )[0],
  }
}

function postsOf(run: Runner) {
  return {
    listPosts: (afterSeq: number, limit: number): StagedPost[] =>
      run
        .all<{ seq: number; data: string }>(
          'select seq, data from post where seq > ? order by seq limit ?',
          afterSeq,
          limit,
        )
        .map(({ seq, data }) => ({ seq, ...(JSON.parse(data) as SourcePost) })),
    listPeople: () =>
      run.all<SourcePerson & { posts: number }>(
        `select key, name, email,
          (select count(*) from post where post.author = person.key) as posts
          from person order by posts desc, name, key`,
      ),
    /** The authors whom the export does not describe. */
    listUnknownAuthors: () =>
      run.all<{ key: string; posts: number }>(
        `select author as key, count(*) as posts from post
          where author <> '' and author not in (select key from person) group by author`,
      ),
    findPersonName: (key: string) =>
      run.all<{ name: string }>('select name from person where key = ?', key)[0]?.name ?? key,
    countPosts: () => run.count('select count(*) as total from post'),
    countByKind: () =>
      run.all<{ kind: string; status: string; posts: number }>(
        'select kind, status, count(*) as posts from post group by kind, status',
      ),
    datesOfPosts: () =>
      run.all<{ oldest: string | null; newest: string | null }>(
        `select min(publishedAt) as oldest, max(publishedAt) as newest from post
          where publishedAt <> '' and status = 'published' and kind = 'post'`,
      )[0],
    countOf: (table: 'comment' | 'tag') => run.count(`select count(*) as total from ${table}`),
    countUsedPictures: () => run.count('select count(sizeBytes) as total from used'),
    sumPictureBytes: () => run.count('select sum(sizeBytes) as total from used'),
    countMissingPictures: () =>
      run.count(`select count(distinct name) as total from issue where what = 'picture'
        and phase = 'check'`),
    countAddresses: () =>
      run.count(`select count(*) as total from address where address not like 'tree:%'`),
    /** Addresses that this blog uses itself. */
    countOwnAddresses: () =>
      run.count(`select count(*) as total from issue where what = 'address'
        and reason = 'address' and phase = 'check'`),
    /** Comments of planned posts. */
    countComments: () =>
      run.count(
        `select count(*) as total from comment where isApproved = 1 and postKey in
          (select key from plan join post on post.seq = postSeq
            where action in ('import', 'done', 'present') and counted <> 'pages')`,
      ),
  }
}

// --- the work of the import

function planOf(run: Runner) {
  return {
    addExisting(userId: string, { id, createdAt, title }: Existing): void {
      run('insert or ignore into existing values (?, ?, ?, ?)', userId, createdAt, title, id)
    },
    findExisting: (userId: string, createdAt: string, title: string) =>
      run.all<{ postId: string }>(
        'select postId from existing where userId = ? and createdAt = ? and title = ?',
        userId,
        createdAt,
        title,
      )[0]?.postId,
    setPlan({ postSeq, action, postId, userId, path, counted }: Plan): void {
      run(
        'insert or replace into plan values (?, ?, ?, ?, ?, ?)',
        postSeq,
        action,
        postId,
        userId,
        path,
        counted,
      )
    },
    changePlan(postSeq: number, { action, counted }: Pick<Plan, 'action' | 'counted'>): void {
      run('update plan set action = ?, counted = ? where postSeq = ?', action, counted, postSeq)
    },
    /** The next posts that are still to be imported, not too many and not too long together. */
    listPlanned(afterSeq: number, { limit, maxChars }: { limit: number; maxChars: number }) {
      const rows = run.all<{ postSeq: number; chars: number }>(
        `select postSeq, chars from plan join post on post.seq = postSeq
          where postSeq > ? and action = 'import' order by postSeq limit ?`,
        afterSeq,
        limit,
      )
      let chars = 0
      const fitting = rows.filter((row, at) => {
        chars += row.chars
        return at === 0 || chars <= maxChars
      })
      return run
        .all<{ postSeq: number; postId: string; userId: string; data: string }>(
          `select postSeq, postId, userId, data from plan join post on post.seq = postSeq
            where postSeq > ? and postSeq <= ? and action = 'import' order by postSeq`,
          afterSeq,
          fitting.at(-1)?.postSeq ?? afterSeq,
        )
        .map(({ data, ...row }): PlannedPost => ({ ...row, post: JSON.parse(data) as SourcePost }))
    },
    /** Posts of this or an earlier import for which the export has comments. */
    listCommented: (afterSeq: number, limit: number) =>
      run.all<{ seq: number; key: string; title: string; postId: string }>(
        `select post.seq, key, title, postId from plan join post on post.seq = postSeq
          where postSeq > ? and action in ('import', 'done', 'present') and counted <> 'pages'
            and exists (select 1 from comment where postKey = post.key and isApproved = 1)
          order by postSeq limit ?`,
        afterSeq,
        limit,
      ),
    /** The path of the post here that had this address; undefined if none is imported. */
    findPath: (address: string) =>
      run.all<{ path: string }>(
        `select path from address join plan using (postSeq)
          where address = ? and action <> 'out' and path <> ''`,
        address,
      )[0]?.path,
    countPlanned: (actions: PlanAction[]) =>
      run.all<{ counted: Plan['counted']; posts: number }>(
        `select counted, count(*) as posts from plan
          where action in (${actions.map((action) => `'${action}'`).join()}) group by counted`,
      ),
    /** Forgets an earlier plan, and the posts of this blog that it knew. */
    clearPlan(): void {
      run('delete from plan')
      run('delete from existing')
      run(`delete from meta where name like 'titles of %'`)
    },
  }
}

function commentsOf(run: Runner) {
  return {
    /** Finds the top of each thread, and the order of all comments. @returns broken threads */
    prepareComments(): SourceComment[] {
      const orphans: SourceComment[] = []
      run(`update comment set rootKey = '', sortAt = createdAt`)
      for (let after = 0; ; ) {
        const replies = run.all<{ seq: number }>(
          `select seq from comment where seq > ? and parentKey <> '' and isApproved = 1
            order by seq limit 1000`,
          after,
        )
        for (const { seq } of replies) {
          const root = findRoot(run, seq)
          if (root)
            run(
              'update comment set rootKey = ?, sortAt = max(createdAt, ?) where seq = ?',
              root.key,
              root.createdAt,
              seq,
            )
          else if (orphans.length < IMPORT_ISSUES_MAX) orphans.push(readComment(run, seq))
        }
        const last = replies.at(-1)
        if (!last) break
        after = last.seq
      }
      return orphans
    },
    /** The approved comments of a post, each thread after its first comment. */
    listComments: (postKey: string, after: { sortAt: string; isReply: number; seq: number }) =>
      run
        .all<{ seq: number; rootKey: string; sortAt: string; isReply: number; data: string }>(
          `select seq, rootKey, sortAt, rootKey <> '' as isReply, data from comment
            where postKey = ? and isApproved = 1
              and (sortAt, rootKey <> '', seq) > (?, ?, ?)
            order by sortAt, rootKey <> '', seq limit 100`,
          postKey,
          after.sortAt,
          after.isReply,
          after.seq,
        )
        .map(({ data, ...row }) => ({ ...row, comment: JSON.parse(data) as SourceComment })),
  }
}

function readComment(run: Runner, seq: number): SourceComment {
  const [row] = run.all<{ data: string }>('select data from comment where seq = ?', seq)
  return JSON.parse(row?.data ?? '{}') as SourceComment
}

/** @returns undefined when a comment above is missing, or the thread runs in a circle */
function findRoot(run: Runner, seq: number) {
  type Row = { key: string; parentKey: string; postKey: string; createdAt: string }
  const select = 'select key, parentKey, postKey, createdAt from comment'
  let [row] = run.all<Row>(`${select} where seq = ?`, seq)
  for (let steps = 0; row && row.parentKey !== '' && steps < THREAD_STEPS_MAX; steps++)
    [row] = run.all<Row>(
      `${select} where key = ? and postKey = ? and isApproved = 1`,
      row.parentKey,
      row.postKey,
    )
  return row?.parentKey === '' ? row : undefined
}

/** All issues of these phases, read a few at a time. */
export function* readIssues(staging: Staging, phases: IssuePhase[]): Generator<ImportIssue, void> {
  for (let seq = 0; ; ) {
    const rows = staging.listIssues(phases, seq)
    const last = rows.at(-1)
    if (!last) return
    for (const { seq: _seq, ...issue } of rows) yield issue
    seq = last.seq
  }
}
