// Discussions: the comments and likes of a post, or of a deleted one. A discussion is one row. When
// its post is deleted or restored, that row changes, and no comment and no like has to. When the
// post is gone for good, its discussion belongs to none, and is deleted in batches.
import { sequenceColumn } from '../../migration-steps.ts'
import { COMMENT_TRIGGERS_ON_POSTGRES, COMMENT_TRIGGERS_ON_SQLITE } from './comment-triggers.ts'
import { raiseVersion } from './public-version.ts'

export const createComments = (isPostgres: boolean): string[] => [
  ...discussionTables(isPostgres),
  ...(isPostgres ? LIKE_TRIGGERS_ON_POSTGRES : LIKE_TRIGGERS_ON_SQLITE),
  ...commentTables(isPostgres),
  ...COMMENT_INDEXES,
  ...(isPostgres ? COMMENT_TRIGGERS_ON_POSTGRES : COMMENT_TRIGGERS_ON_SQLITE),
  ...versionTriggers(isPostgres),
]

function discussionTables(isPostgres: boolean): string[] {
  // On SQLite triggers set both to null before the foreign key could delete the discussion: it
  // changes no foreign key of a table that older versions made.
  const onDelete = isPostgres ? 'set null' : 'cascade'
  return [
    `create table discussion (
      ${sequenceColumn(isPostgres)},
      "postId" text unique references post (id) on delete ${onDelete},
      "deletedId" text unique references "deletedPost" (id) on delete ${onDelete},
      likes bigint not null default 0,
      shown integer not null default 0,
      threads integer not null default 0,
      "lastPlace" integer not null default 0,
      "isClosed" integer not null default 0
    )`,
    `create index "discussionOfNone" on discussion (seq)
      where "postId" is null and "deletedId" is null`,

    `create table "postLike" (
      ${sequenceColumn(isPostgres)},
      "discussionSeq" bigint not null references discussion (seq) on delete cascade,
      "userId" text not null references "user" (id) on delete cascade,
      "createdAt" text not null
    )`,
    'create unique index "postLikeKey" on "postLike" ("discussionSeq", "userId")',
    'create index "postLikeByAge" on "postLike" ("discussionSeq", seq, "userId")',
    'create index "postLikeByUser" on "postLike" ("userId")',
  ]
}

const LIKE_TRIGGERS_ON_SQLITE = [
  `create trigger "discussionOfPostEnds" before delete on post begin
    update discussion set "postId" = null where "postId" = old.id; end`,
  `create trigger "discussionOfDeletedEnds" before delete on "deletedPost" begin
    update discussion set "deletedId" = null where "deletedId" = old.id; end`,
  `create trigger "likeAdded" after insert on "postLike" begin
    update discussion set likes = likes + 1 where seq = new."discussionSeq";
    update post set likes = likes + 1
      where id = (select "postId" from discussion where seq = new."discussionSeq"); end`,
  `create trigger "likeGone" after delete on "postLike" begin
    update discussion set likes = likes - 1 where seq = old."discussionSeq";
    update post set likes = likes - 1
      where id = (select "postId" from discussion where seq = old."discussionSeq"); end`,
]

/**
 * Counts once for each statement, as a person or a post may go with any number of likes. Posts and
 * discussions are always locked in one order.
 */
const LIKE_TRIGGERS_ON_POSTGRES = [
  `create function "countLikes"() returns trigger language plpgsql as $$ begin
    perform 1 from post where id in (select "postId" from discussion
      where seq in (select "discussionSeq" from changed)) order by seq for no key update;
    perform 1 from discussion where seq in (select "discussionSeq" from changed)
      order by seq for no key update;
    update discussion set likes = likes + counted.added from
      (select "discussionSeq", count(*) * (case tg_op when 'INSERT' then 1 else -1 end) as added
        from changed group by "discussionSeq") as counted
      where discussion.seq = counted."discussionSeq";
    update post set likes = discussion.likes from discussion
      where post.id = discussion."postId"
        and discussion.seq in (select "discussionSeq" from changed);
    return null; end $$`,
  `create trigger "likesAdded" after insert on "postLike"
    referencing new table as changed for each statement execute function "countLikes"()`,
  `create trigger "likesGone" after delete on "postLike"
    referencing old table as changed for each statement execute function "countLikes"()`,
]

const commentTables = (isPostgres: boolean) => [
  `create table comment (
    ${sequenceColumn(isPostgres)},
    id text not null unique,
    "discussionSeq" bigint not null references discussion (seq) on delete cascade,
    "parentId" text not null,
    place integer not null,
    "lastPlace" integer not null default 0,
    replies integer not null default 0,
    "userId" text references "user" (id) on delete set null,
    status text not null,
    "isCounted" integer not null default 0,
    "hasLinks" integer not null,
    "hiddenBy" text not null default '',
    "hiddenAt" text not null default '',
    "editedAt" text not null default '',
    digest text not null,
    "createdAt" text not null,
    "updatedAt" text not null,
    content text not null,
    html text not null default '',
    renderer text not null default ''
  )`,

  // How many of 1,000 positions take a row of a page, so that a page is found without going
  // through those before it.
  `create table "commentBlock" (
    "discussionSeq" bigint not null references discussion (seq) on delete cascade,
    "parentId" text not null,
    block integer not null,
    listed integer not null,
    primary key ("discussionSeq", "parentId", block)
  )`,

  // Decisions about all comments of a person that comments still follow.
  `create table "commentHiding" (
    ${sequenceColumn(isPostgres)},
    action text not null,
    "userId" text not null references "user" (id) on delete cascade,
    "discussionSeq" bigint references discussion (seq) on delete cascade,
    "decidedAt" text not null default '',
    "hiddenBy" text not null default '',
    "actorId" text not null default '',
    "actorName" text not null default '',
    position bigint not null default 0,
    "lastSeq" bigint not null,
    announced integer not null default 0
  )`,
  'create index "commentHidingByUser" on "commentHiding" ("userId", seq)',
  'create index "commentHidingByDiscussion" on "commentHiding" ("discussionSeq")',
  `create unique index "commentHidingCount" on "commentHiding" ("userId")
    where action = 'count'`,
]

/** Conditions as queries have them (comments/comment-list-store.ts), or they find no index. */
const LISTED = '"isCounted" = 1 or replies > 0'
const OPEN = "status in ('shown', 'hidden', 'deleted')"
const CLOSED = "status in ('waiting', 'rejected')"

const COMMENT_INDEXES = [
  // Pages of a discussion, for those who see what waits and for those who do not.
  'create index "commentByPlace" on comment ("discussionSeq", "parentId", place, status)',
  'create index "commentInOrder" on comment ("discussionSeq", seq, status)',
  `create index "commentListed" on comment ("discussionSeq", "parentId", place) where ${LISTED}`,
  `create index "commentUnlisted" on comment ("discussionSeq", "parentId", status, place)
    where "isCounted" = 0 and replies = 0`,
  `create index "commentOpenByPlace" on comment ("discussionSeq", "parentId", place)
    where ${OPEN}`,
  `create index "commentOpenInOrder" on comment ("discussionSeq", "isCounted", seq)
    where ${OPEN}`,
  `create index "commentClosedByPlace" on comment ("userId", "discussionSeq", "parentId", place)
    where ${CLOSED}`,
  `create index "commentClosedInOrder" on comment ("userId", "discussionSeq", seq)
    where ${CLOSED}`,
  // The comments of a person.
  'create index "commentByUser" on comment ("userId", seq)',
  'create index "commentByDigest" on comment ("userId", digest)',
  `create index "commentOfUserByDiscussion" on comment
    ("userId", "discussionSeq", seq, status, "hiddenBy", "hiddenAt")`,
  `create index "commentHiddenAt" on comment
    ("userId", "discussionSeq", "hiddenBy", "hiddenAt") where status in ('hidden', 'rejected')`,
  'create index "commentWithoutLinks" on comment ("userId") where "hasLinks" = 0',
  // What waits for approval, and what is counted for operators.
  `create index "commentWaiting" on comment (seq) where status = 'waiting'`,
  `create index "commentWaitingOf" on comment ("discussionSeq", seq) where status = 'waiting'`,
  'create index "commentCountedByTime" on comment ("createdAt") where "isCounted" = 1',
]

const IS_OLD_OPEN = "old.status not in ('waiting', 'rejected')"
const IS_NEW_OPEN = "new.status not in ('waiting', 'rejected')"

const versionTriggers = (isPostgres: boolean) => [
  raiseVersion(isPostgres, 'discussion', 'insert', 'new."isClosed" = 1'),
  raiseVersion(
    isPostgres,
    'discussion',
    'update of "isClosed"',
    'old."isClosed" <> new."isClosed"',
  ),
  raiseVersion(isPostgres, 'comment', 'insert', IS_NEW_OPEN),
  raiseVersion(
    isPostgres,
    'comment',
    'update of content, status, "hiddenBy", "isCounted", "hasLinks", "userId"',
    `${IS_OLD_OPEN} or ${IS_NEW_OPEN}`,
  ),
  raiseVersion(isPostgres, 'comment', 'delete', IS_OLD_OPEN),
  raiseVersion(isPostgres, 'commentHiding', 'insert', "new.action <> 'count'"),
]
