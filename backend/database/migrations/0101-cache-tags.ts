// Versions of cache tags (decision 0082). A tag names something that responses show:
//
//   site         the values of the blog, and everything that is not named below
//   posts        which posts lists show, in which order, and whose they are
//   texts        titles, texts, pictures and dates of all posts
//   counts       numbers of likes and comments of all posts
//   files        which files everybody may see
//   post:<id>    a post on its own page, with its likes and comments
//   link:<id>    what other pages say of a post: its title, picture, date, and who may read it
//   user:<id>    a person, and which posts are their newest
//   all          anything
//
// Triggers give a tag another version, a random number, with every change of what it names, so that
// writes by other programs count, too. A tag without a row names something that does not exist. On
// PostgreSQL the triggers run at the end of a transaction, and each of its processes writes rows of
// its own, so that writers do not wait for each other: the version of a tag is the sum of its rows.

type Change = {
  table: string
  /** Tells triggers on one event of a table apart. */
  name?: string
  /** As SQL has it, such as `update of name`. */
  event: string
  when?: string
  /** Selects of the tags that get another version; `new` and `old` are the rows of the trigger. */
  raises: string[]
  /** Texts in SQL: tags of what has gone. */
  removes?: string[]
  /** On PostgreSQL one transaction after the other: each sees what the others have made visible. */
  isInTurn?: boolean
}

/** As the indexes of posts have it. */
const shownOf = (row: '' | 'new.' | 'old.') =>
  `(case when ${row}"isHidden" = 1 then 'hidden' when ${row}status <> 'active' then 'draft'
    else ${row}readers end)`
const READERS = ['any', 'users', 'verified', 'unverified']
/** The page of a post names three others of its author; it may be one of the newest itself. */
const NEWEST_NAMED = 4

const tagsOf = (...tags: string[]) => tags.map((tag) => `select '${tag}' as tag`)
const tagOf = (kind: 'post' | 'link' | 'user', id: string) => `select '${kind}:' || ${id} as tag`

/** An active post, and what else shows it. */
const ofActivePost = (condition: string, others: 'posts' | 'texts') => [
  `select 'post:' || id as tag from post where ${condition} and status = 'active'`,
  `select '${others}' as tag where exists
    (select 1 from post where ${condition} and status = 'active')`,
]

/** The lists that name a person. */
const listsOf = (userId: string) =>
  `select 'posts' as tag where exists (select 1 from post
     where "userId" = ${userId} and ${shownOf('')} not in ('draft', 'hidden'))`

/**
 * The posts before and after a post, for each kind of readers: their pages name it. Those of the
 * same moment, and those of another one, are each found in an index: `between` keeps PostgreSQL
 * from going through all posts in the order of `seq`.
 */
function neighboursOf(row: 'new' | 'old'): string[] {
  const time = `${row}."createdAt"`
  const sides = [
    `"createdAt" = ${time} and seq > ${row}.seq order by seq`,
    `"createdAt" < ${time} order by "createdAt" desc, seq`,
    `"createdAt" between ${time} and ${time} and seq < ${row}.seq order by "createdAt", seq desc`,
    `"createdAt" > ${time} order by "createdAt", seq desc`,
  ]
  const readers = READERS.map((kind) => `select '${kind}' as kind`).join(' union all ')
  return sides.map(
    (side) => `select 'post:' || (select id from post
      where ${shownOf('')} = kind and "userId" not in (select id from "user" where "isBlocked" = 1)
        and ${side} limit 1) as tag from (${readers}) as readers`,
  )
}

/** The author of a post that is one of their newest: their other pages name it. */
const authorOfNewest = (row: 'new' | 'old') =>
  `select 'user:' || ${row}."userId" as tag where (select count(*) from (select 1 from post
     where "userId" = ${row}."userId" and ${shownOf('')} = ${shownOf(`${row}.`)}
       and "createdAt" > ${row}."createdAt" order by "createdAt" desc
       limit ${NEWEST_NAMED}) as newer) < ${NEWEST_NAMED}
     and ${shownOf(`${row}.`)} not in ('draft', 'hidden')`

const IS_OR_WAS_ACTIVE = `(old.status = 'active' or new.status = 'active')`

const differs = (...columns: string[]) =>
  columns.map((column) => `old.${column} <> new.${column}`).join(' or ')

const onEveryChange = (table: string, raises: (row: 'new' | 'old') => string[]): Change[] => [
  { table, event: 'insert', raises: raises('new') },
  { table, event: 'update', raises: [...raises('old'), ...raises('new')] },
  { table, event: 'delete', raises: raises('old') },
]

const OF_POSTS: Change[] = [
  { table: 'post', event: 'insert', raises: [tagOf('post', 'new.id'), tagOf('link', 'new.id')] },
  {
    name: 'shown',
    table: 'post',
    event: 'insert',
    when: `new.status = 'active'`,
    raises: [...tagsOf('posts'), ...neighboursOf('new'), authorOfNewest('new')],
  },
  {
    name: 'changed',
    table: 'post',
    event: `update of title, content, "featuredImage", permissions, "updatedAt", "publishedAt"`,
    when: IS_OR_WAS_ACTIVE,
    raises: [...tagsOf('texts'), tagOf('post', 'new.id')],
  },
  {
    name: 'linked',
    table: 'post',
    event: 'update of title, "featuredImage"',
    when: `${IS_OR_WAS_ACTIVE} and (${differs('title', '"featuredImage"')})`,
    raises: [tagOf('link', 'new.id')],
  },
  {
    name: 'shown',
    table: 'post',
    event: 'update of id, status, readers, "isHidden", "userId", "createdAt"',
    when: `${IS_OR_WAS_ACTIVE} and
      (${differs('id', 'status', 'readers', '"isHidden"', '"userId"', '"createdAt"')})`,
    isInTurn: true,
    raises: [
      ...tagsOf('posts'),
      `select 'files' as tag where ${differs('"userId"')}`,
      ...['old.id', 'new.id'].flatMap((id) => [tagOf('post', id), tagOf('link', id)]),
      ...neighboursOf('old'),
      ...neighboursOf('new'),
      authorOfNewest('old'),
      authorOfNewest('new'),
    ],
  },
  {
    name: 'liked',
    table: 'post',
    event: 'update of likes',
    when: `${differs('likes')} and new.status = 'active'`,
    raises: [...tagsOf('counts'), tagOf('post', 'new.id')],
  },
  {
    table: 'post',
    event: 'delete',
    raises: [...tagsOf('posts'), ...neighboursOf('old'), authorOfNewest('old')],
    removes: [`'post:' || old.id`, `'link:' || old.id`],
  },
  ...onEveryChange('postExtra', (row) => ofActivePost(`id = ${row}."postId"`, 'texts')),
  ...onEveryChange('postTag', (row) => ofActivePost(`seq = ${row}."postSeq"`, 'posts')),
  ...onEveryChange('postFile', (row) => [
    ...tagsOf('files'),
    ...ofActivePost(`id = ${row}."postId"`, 'texts'),
    `select 'link:' || ${row}."postId" as tag from post
      where ${row}.place = 'cover' and id = ${row}."postId" and status = 'active'`,
  ]),
  {
    table: 'postText',
    event: 'insert',
    when: 'new.code is not null',
    raises: ofActivePost('id = new."postId"', 'texts'),
  },
  {
    table: 'postText',
    event: 'update of code',
    when: 'old.code is distinct from new.code',
    raises: ofActivePost('id = new."postId"', 'texts'),
  },
  {
    table: 'searchPost',
    event: 'update of title',
    when: `old.title is null and new.title is not null and new.status = 'active'`,
    raises: tagsOf('texts'),
  },
  ...onEveryChange('versionFile', () => tagsOf('files')),
]

const isOpen = (row: 'new' | 'old') => `${row}.status not in ('waiting', 'rejected')`

const ofDiscussion = (row: 'new' | 'old') => [
  ...tagsOf('counts'),
  `select 'post:' || "postId" as tag from discussion
    where seq = ${row}."discussionSeq" and "postId" is not null`,
]

const OF_COMMENTS: Change[] = [
  {
    table: 'discussion',
    event: 'insert',
    when: 'new."isClosed" = 1 and new."postId" is not null',
    raises: [tagOf('post', 'new."postId"')],
  },
  {
    table: 'discussion',
    event: 'update of "isClosed"',
    when: `${differs('"isClosed"')} and new."postId" is not null`,
    raises: [tagOf('post', 'new."postId"')],
  },
  { table: 'comment', event: 'insert', when: isOpen('new'), raises: ofDiscussion('new') },
  {
    table: 'comment',
    event: 'update of content, status, "hiddenBy", "isCounted", "hasLinks", "userId"',
    when: `(${isOpen('old')} or ${isOpen('new')})`,
    raises: ofDiscussion('new'),
  },
  { table: 'comment', event: 'delete', when: isOpen('old'), raises: ofDiscussion('old') },
  // All comments of a person at once, below one post or everywhere.
  {
    name: 'here',
    table: 'commentHiding',
    event: 'insert',
    when: `new.action <> 'count' and new."discussionSeq" is not null`,
    raises: ofDiscussion('new'),
  },
  {
    name: 'everywhere',
    table: 'commentHiding',
    event: 'insert',
    when: `new.action <> 'count' and new."discussionSeq" is null`,
    raises: tagsOf('site'),
  },
]

const OF_PEOPLE: Change[] = [
  { table: 'user', event: 'insert', raises: [tagOf('user', 'new.id')] },
  {
    name: 'named',
    table: 'user',
    event: 'update of name, about',
    when: differs('name', 'about'),
    raises: [tagOf('user', 'new.id'), listsOf('new.id')],
  },
  {
    name: 'blocked',
    table: 'user',
    event: 'update of "isBlocked"',
    when: differs('"isBlocked"'),
    // Nothing of theirs is shown anywhere.
    raises: tagsOf('site'),
  },
  {
    table: 'user',
    event: 'delete',
    raises: tagsOf('posts', 'counts'),
    removes: [`'user:' || old.id`],
  },
  ...onEveryChange('avatarFile', (row) => [
    ...tagsOf('files'),
    tagOf('user', `${row}."userId"`),
    listsOf(`${row}."userId"`),
  ]),
]

/** Where a file is shown. */
const ofFile = (row: 'new' | 'old') => [
  ...tagsOf('files'),
  ...['post', 'link'].map(
    (kind) => `select '${kind}:' || "postId" as tag from "postFile" where "fileId" = ${row}.id`,
  ),
  `select 'posts' as tag where exists (select 1 from "postFile" where "fileId" = ${row}.id)`,
  `select 'user:' || "userId" as tag from "avatarFile" where "fileId" = ${row}.id`,
  `select 'posts' as tag where exists (select 1 from "avatarFile" where "fileId" = ${row}.id)`,
]

const OF_FILES: Change[] = [
  { table: 'file', event: 'insert', when: 'new."isComplete" = 1', raises: ofFile('new') },
  {
    table: 'file',
    event: 'update of name, readers, "isComplete", "storedName", color, "userId"',
    when: 'new."isComplete" = 1',
    raises: ofFile('new'),
  },
  { table: 'file', event: 'delete', when: 'old."isComplete" = 1', raises: ofFile('old') },
]

const OF_SITE: Change[] = onEveryChange('siteValue', () => tagsOf('site'))

const CHANGES = [...OF_POSTS, ...OF_COMMENTS, ...OF_PEOPLE, ...OF_FILES, ...OF_SITE]

/** Triggers of the baseline, dropped here. */
const OLD_TRIGGERS = [
  'user_update user_delete file_insert file_update file_delete',
  'avatarFile_insert avatarFile_update avatarFile_delete',
  'post_insert post_update post_delete post_likes',
  'postExtra_insert postExtra_update postExtra_delete',
  'postTag_insert postTag_update postTag_delete postFile_insert postFile_update postFile_delete',
  'postText_insert postText_update searchPost_update',
  'versionFile_insert versionFile_update versionFile_delete discussion_insert discussion_update',
  'comment_insert comment_update comment_delete commentHiding_insert',
  'siteValue_insert siteValue_update siteValue_delete',
].flatMap((line) => line.split(' '))
const OLD_FUNCTIONS = ['raisePublicVersion', 'raisePublicLikes', 'raisePublicOfPost']

/** 48 bits: the sum of sixteen such numbers is exact in JavaScript. */
const RANDOM = {
  sqlite: 'abs(random() % 281474976710656)',
  postgres: 'floor(random() * 281474976710656)::bigint',
}
/** Each process of PostgreSQL writes one of so many rows of a tag. */
const POSTGRES_SLOTS = 16

export function statements(isPostgres: boolean): string[] {
  const first = [
    ...tagsOf('all', 'site', 'posts', 'texts', 'counts', 'files'),
    `select 'post:' || id as tag from post`,
    `select 'link:' || id as tag from post`,
    `select 'user:' || id as tag from "user"`,
  ]
  return [
    ...(isPostgres
      ? OLD_FUNCTIONS.map((name) => `drop function "${name}" cascade`)
      : OLD_TRIGGERS.map((name) => `drop trigger "public_${name}"`)),
    'drop table "publicVersion"',
    `create table "cacheTag" (
      name text not null,
      slot integer not null,
      version bigint not null,
      constraint "cacheTagKey" primary key (name, slot)
    )`,
    ...first.map((tag) => raise(isPostgres, [tag])),
    ...CHANGES.flatMap((change) => (isPostgres ? onPostgres(change) : [onSqlite(change)])),
  ]
}

function nameOf({ table, event, name }: Change): string {
  return ['tags', table, event.split(' ')[0], ...(name ? [name] : [])].join('_')
}

/**
 * Gives tags another version, in one order, so that two transactions cannot wait for each other. On
 * PostgreSQL once in a transaction: each further update of a row would pass over all of its states
 * before.
 */
function raise(isPostgres: boolean, tags: string[]): string {
  const [slot, random] = isPostgres
    ? [`pg_backend_pid() % ${POSTGRES_SLOTS}`, RANDOM.postgres]
    : ['0', RANDOM.sqlite]
  const once = isPostgres ? 'where "cacheTag".xmin <> pg_current_xact_id()::xid' : ''
  return `insert into "cacheTag" (name, slot, version)
    select tag, ${slot}, ${random} from (${tags.join(' union ')}) as tags where tag is not null
    order by tag
    on conflict (name, slot) do update set version = excluded.version ${once}`
}

function bodyOf({ raises, removes = [] }: Change, isPostgres: boolean): string {
  const statements = [
    raise(isPostgres, [...tagsOf('all'), ...raises]),
    ...removes.map((tag) => `delete from "cacheTag" where name = ${tag}`),
  ]
  return statements.map((statement) => `${statement};`).join('\n')
}

function onSqlite(change: Change): string {
  const { table, event, when } = change
  return `create trigger "${nameOf(change)}" after ${event} on "${table}"
    ${when ? `when ${when}` : ''} begin ${bodyOf(change, false)} end`
}

function onPostgres(change: Change): string[] {
  const { table, event, when, isInTurn } = change
  const name = nameOf(change)
  const turn = isInTurn ? `perform pg_advisory_xact_lock(hashtext('${name}'));` : ''
  return [
    // A process that wrote while the tables were small would go on without their indexes.
    `create function "${name}"() returns trigger language plpgsql set enable_seqscan = off
      as $$ begin ${turn} ${bodyOf(change, true)} return null; end $$`,
    `create constraint trigger "${name}" after ${event} on "${table}"
      deferrable initially deferred for each row ${when ? `when (${when})` : ''}
      execute function "${name}"()`,
  ]
}
