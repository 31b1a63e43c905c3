// Comments. Those of a post belong to its discussion, one row that goes into the bin and comes back
// with the post, so that neither touches a comment. A comment is written uncounted, and counted by
// an update of `isCounted`, on which triggers go by: a copy of all rows counts nothing twice.
import { sequenceColumn } from '../migration-steps.ts'
import { raise, triggersOf } from './0025-public-version.ts'

/** What changes with the words of a comment, or with who may read them. */
const SHOWN_COLUMNS = ['content', 'status', 'hiddenBy', 'isCounted', 'hasLinks', 'userId']
  .map((name) => `"${name}"`)
  .join(', ')

const isOpen = (row: string) => `${row}.status not in ('waiting', 'rejected')`

const RAISES = [
  raise('comment', 'insert', isOpen('new')),
  raise('comment', 'delete', isOpen('old')),
  raise('comment', `update of ${SHOWN_COLUMNS}`, `${isOpen('old')} or ${isOpen('new')}`),
  raise('discussion', 'insert', 'new."isClosed" = 1'),
  raise('discussion', 'update of "isClosed"', 'old."isClosed" <> new."isClosed"'),
]

export const statements = (isPostgres: boolean) => [
  `create table if not exists discussion (${sequenceColumn(isPostgres)},
     "postId" text unique references post (id) on delete cascade,
     "deletedId" text unique references "deletedPost" (id) on delete cascade,
     shown integer not null default 0, threads integer not null default 0,
     "lastPlace" integer not null default 0, "isClosed" integer not null default 0,
     constraint "discussionOfOne" check (("postId" is null) <> ("deletedId" is null)))`,
  `create table if not exists comment (${sequenceColumn(isPostgres)}, id text not null unique,
     "discussionSeq" bigint not null references discussion (seq) on delete cascade,
     "parentId" text not null, place integer not null, "lastPlace" integer not null default 0,
     replies integer not null default 0,
     "userId" text references "user" (id) on delete set null, status text not null,
     "isCounted" integer not null default 0, "hasLinks" integer not null,
     "hiddenBy" text not null default '', "hiddenAt" text not null default '',
     "editedAt" text not null default '',
     digest text not null, "createdAt" text not null, "updatedAt" text not null,
     content text not null)`,
  `create index if not exists "commentByPlace" on comment
     ("discussionSeq", "parentId", place, status)`,
  'create index if not exists "commentInOrder" on comment ("discussionSeq", seq, status)',
  'create index if not exists "commentByUser" on comment ("userId", seq)',
  'create index if not exists "commentByDigest" on comment ("userId", digest)',
  `create index if not exists "commentWaiting" on comment (seq) where status = 'waiting'`,
  ...(isPostgres ? OF_POSTGRES : OF_SQLITE),
  ...triggersOf(RAISES, isPostgres),
]

/** Adds to the numbers of the discussion and of the comment above. */
const count = (row: 'old' | 'new', added: string) => `
  update discussion set shown = shown + ${added},
      threads = threads + case when ${row}."parentId" = '' then ${added} else 0 end
    where seq = ${row}."discussionSeq";
  update comment set replies = replies + ${added}
    where ${row}."parentId" <> '' and id = ${row}."parentId";`

/** A deleted comment is only there for its replies. */
const END_PARENT = `
  delete from comment where old."parentId" <> '' and id = old."parentId" and status = 'deleted'
    and not exists (select 1 from comment as other
      where other."discussionSeq" = old."discussionSeq" and other."parentId" = old."parentId");`

const COUNT_OF_WRITER = `update comment
  set "isCounted" = case when status = 'shown' and new."isBlocked" = 0 then 1 else 0 end
  where "userId" = new.id`

const OF_SQLITE = [
  `create trigger if not exists "commentCounted" after update of "isCounted" on comment
     when old."isCounted" <> new."isCounted" begin
     ${count('new', '(new."isCounted" - old."isCounted")')} end`,
  `create trigger if not exists "commentUncounted" after delete on comment
     when old."isCounted" = 1 begin ${count('old', '(-1)')} end`,
  `create trigger if not exists "commentGone" after delete on comment
     when old."parentId" <> '' begin ${END_PARENT} end`,
  `create trigger if not exists "commentsOfBlocked" after update of "isBlocked" on "user"
     when old."isBlocked" <> new."isBlocked" begin ${COUNT_OF_WRITER}; end`,
]

const OF_POSTGRES = [
  `create or replace function "countComment"() returns trigger language plpgsql as $$ begin
     ${count('new', '(new."isCounted" - old."isCounted")')} return null; end $$`,
  `create or replace function "endComment"() returns trigger language plpgsql as $$ begin
     if old."isCounted" = 1 then ${count('old', '(-1)')} end if;
     ${END_PARENT} return null; end $$`,
  // Discussions always in one order.
  `create or replace function "countOfWriter"() returns trigger language plpgsql as $$ begin
     perform 1 from discussion where seq in
       (select "discussionSeq" from comment where "userId" = new.id) order by seq for no key update;
     ${COUNT_OF_WRITER}; return null; end $$`,
  `create or replace trigger "commentCounted" after update of "isCounted" on comment
     for each row when (old."isCounted" <> new."isCounted") execute function "countComment"()`,
  `create or replace trigger "commentGone" after delete on comment
     for each row execute function "endComment"()`,
  `create or replace trigger "commentsOfBlocked" after update of "isBlocked" on "user"
     for each row when (old."isBlocked" <> new."isBlocked") execute function "countOfWriter"()`,
]
