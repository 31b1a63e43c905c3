// Posts: their rows, their extra attributes, their tags, and the files that they show.
import { sequenceColumn } from '../../migration-steps.ts'
import { raiseVersion, raiseVersionAlways, raiseVersionOfPost } from './public-version.ts'

export const createPosts = (isPostgres: boolean): string[] => [
  ...tables(isPostgres),
  ...postIndexes(isPostgres),
  ...(isPostgres ? TAG_TRIGGERS_ON_POSTGRES : TAG_TRIGGERS_ON_SQLITE),
  ...versionTriggers(isPostgres),
]

const tables = (isPostgres: boolean) => [
  // No foreign key of `userId`: whether posts are deleted with their author is a rule.
  // `content` is last: SQLite reads through a long text to reach the columns behind it.
  `create table post (
    ${sequenceColumn(isPostgres)},
    id text not null unique,
    title text not null,
    "featuredImage" text not null,
    status text not null default 'inactive',
    "userId" text not null,
    permissions text not null,
    readers text not null,
    "isHidden" integer not null default 0,
    likes bigint not null default 0,
    "createdAt" text not null,
    "updatedAt" text not null,
    "publishedAt" text not null default '',
    content text not null default ''
  )`,

  `create table "postExtra" (
    "postId" text primary key references post (id) on delete cascade,
    attributes text not null
  )`,

  `create table "postTag" (
    "postSeq" bigint not null references post (seq) on delete cascade,
    place integer not null,
    name text not null,
    key text ${isPostgres ? 'collate "C"' : ''} not null,
    "isFromText" integer not null,
    "createdAt" text not null,
    shown text not null default '',
    "userId" text not null default '',
    constraint "postTagKey" primary key ("postSeq", place)
  )`,
  `create index "postTagShown" on "postTag"
    (key, shown, "createdAt" desc, "postSeq", "userId")`,

  `create table "postFile" (
    "postId" text not null references post (id) on delete cascade,
    "fileId" text not null,
    place text not null check (place in ('cover', 'body')),
    constraint "postFileKey" primary key ("postId", "fileId", place)
  )`,
  'create index "postFileByFile" on "postFile" ("fileId")',
]

/** Who sees a post, as queries have it (database/visible-posts.ts), or they find no index. */
const SHOWN = shownOf('')

function shownOf(row: '' | 'new.'): string {
  return `case when ${row}"isHidden" = 1 then 'hidden'
    when ${row}status <> 'active' then 'draft' else ${row}readers end`
}

/**
 * Lists are a few ranges of one index, in each order that a list can have (decision 0083). Lists
 * of small blogs find everything they need in the two by time, and the sitemap in its own.
 */
function postIndexes(isPostgres: boolean): string[] {
  // PostgreSQL reads rows unless an index holds the columns of its own expression.
  const ofShown = isPostgres ? ', "isHidden", readers' : ''
  const title = isPostgres ? '(title collate "C")' : 'title'
  return [
    `create index "postByTime" on post ((${SHOWN}), "createdAt" desc, seq, "userId", status,
      id, title, "featuredImage", "updatedAt"${ofShown})`,
    `create index "postOfUserByTime" on post ("userId", (${SHOWN}), "createdAt" desc, seq, status,
      id, title, "featuredImage", "updatedAt"${ofShown})`,
    `create index "postInOrder" on post ((${SHOWN}), seq, "userId", status${ofShown})`,
    `create index "postOfUserInOrder" on post ("userId", (${SHOWN}), seq, status${ofShown})`,
    `create index "postByChange" on post
      ((${SHOWN}), "updatedAt" desc, seq, "userId", status${ofShown})`,
    `create index "postByTitle" on post ((${SHOWN}), ${title}, seq, "userId", status${ofShown})`,
    `create index "postByLikes" on post ((${SHOWN}), likes desc, seq, "userId", status${ofShown})`,
    'create index "postByImage" on post ("featuredImage")',
    `create index "postSitemap" on post
      (((seq - 1) / 50000), "updatedAt", seq, readers, "userId", id, title)
      where status = 'active' and "isHidden" = 0`,
  ]
}

/** Tags repeat who sees their post, who wrote it and when: triggers copy that from the post. */
const SHOWN_CHANGES = `old.status <> new.status or old."isHidden" <> new."isHidden"
  or old.readers <> new.readers or old."userId" <> new."userId"`

const TAG_TRIGGERS_ON_SQLITE = [
  `create trigger "tagAdded" after insert on "postTag" when new.shown = '' begin
    update "postTag" set shown = (select ${SHOWN} from post where seq = "postSeq"),
      "userId" = (select "userId" from post where seq = "postSeq")
      where "postSeq" = new."postSeq" and shown = ''; end`,
  `create trigger "tagShown" after update of status, "isHidden", readers, "userId" on post
    when ${SHOWN_CHANGES} begin
    update "postTag" set shown = ${shownOf('new.')}, "userId" = new."userId"
      where "postSeq" = new.seq; end`,
  `create trigger "tagTime" after update of "createdAt" on post
    when old."createdAt" <> new."createdAt" begin
    update "postTag" set "createdAt" = new."createdAt" where "postSeq" = new.seq; end`,
]

const TAG_TRIGGERS_ON_POSTGRES = [
  `create function "fillTagShown"() returns trigger language plpgsql as $$ begin
    select ${SHOWN}, "userId" into new.shown, new."userId" from post where seq = new."postSeq";
    return new; end $$`,
  `create trigger "tagAdded" before insert on "postTag"
    for each row when (new.shown = '') execute function "fillTagShown"()`,
  `create function "noteTagShown"() returns trigger language plpgsql as $$ begin
    update "postTag" set shown = ${shownOf('new.')}, "userId" = new."userId"
      where "postSeq" = new.seq;
    return null; end $$`,
  `create trigger "tagShown" after update of status, "isHidden", readers, "userId" on post
    for each row when (${SHOWN_CHANGES}) execute function "noteTagShown"()`,
  `create function "copyTimeToTags"() returns trigger language plpgsql as $$ begin
    update "postTag" set "createdAt" = new."createdAt" where "postSeq" = new.seq;
    return null; end $$`,
  `create trigger "tagTime" after update of "createdAt" on post
    for each row when (old."createdAt" <> new."createdAt") execute function "copyTimeToTags"()`,
]

const versionTriggers = (isPostgres: boolean) => [
  raiseVersion(isPostgres, 'post', 'insert', "new.status = 'active'"),
  raiseVersion(
    isPostgres,
    'post',
    `update of id, title, content, "featuredImage", status, "userId", permissions, readers,
      "isHidden", "createdAt", "updatedAt"`,
    "old.status = 'active' or new.status = 'active'",
  ),
  raiseVersion(isPostgres, 'post', 'delete', "old.status = 'active'"),
  isPostgres
    ? `create constraint trigger "public_post_likes" after update of likes on post
        deferrable initially deferred for each row
        when (old.likes <> new.likes and new.status = 'active')
        execute function "raisePublicLikes"()`
    : `create trigger "public_post_likes" after update of likes on post
        when (old.likes <> new.likes and new.status = 'active') begin
        update "publicVersion" set likes = likes + 1; end`,
  raiseVersionOfPost(isPostgres, 'postExtra', 'insert'),
  raiseVersionOfPost(isPostgres, 'postExtra', 'update'),
  raiseVersionOfPost(isPostgres, 'postExtra', 'delete'),
  ...raiseVersionAlways(isPostgres, 'postTag'),
  ...raiseVersionAlways(isPostgres, 'postFile'),
]
