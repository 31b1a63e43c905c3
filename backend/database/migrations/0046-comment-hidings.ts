// Decisions about all comments of a person that comments still follow: one row each, which queries
// look at, so that a decision holds at once. What a block changes is counted in the same way: until
// now one statement counted all comments of a person.
import { sequenceColumn } from '../migration-steps.ts'
import { raise, triggersOf } from './0025-public-version.ts'

export const statements = (isPostgres: boolean) => [
  `create table if not exists "commentHiding" (${sequenceColumn(isPostgres)},
     action text not null, "userId" text not null references "user" (id) on delete cascade,
     "discussionSeq" bigint references discussion (seq) on delete cascade,
     "decidedAt" text not null default '', "hiddenBy" text not null default '',
     "actorId" text not null default '', "actorName" text not null default '',
     position bigint not null default 0, "lastSeq" bigint not null,
     announced integer not null default 0)`,
  'create index if not exists "commentHidingByUser" on "commentHiding" ("userId", seq)',
  `create index if not exists "commentHidingByDiscussion" on "commentHiding" ("discussionSeq")`,
  `create unique index if not exists "commentHidingCount" on "commentHiding" ("userId")
     where action = 'count'`,
  `create index if not exists "commentOfUserByDiscussion" on comment
     ("userId", "discussionSeq", seq, status, "hiddenBy", "hiddenAt")`,
  ...(isPostgres ? OF_POSTGRES : OF_SQLITE),
  ...triggersOf([raise('commentHiding', 'insert', "new.action <> 'count'")], isPostgres),
]

const COUNT_LATER = `insert into "commentHiding" (action, "userId", "lastSeq")
  select 'count', new.id, max(seq) from comment where "userId" = new.id having max(seq) is not null
  on conflict ("userId") where action = 'count'
    do update set position = 0, "lastSeq" = excluded."lastSeq"`

const OF_SQLITE = [
  'drop trigger if exists "commentsOfBlocked"',
  `create trigger if not exists "commentsToCount" after update of "isBlocked" on "user"
     when old."isBlocked" <> new."isBlocked" begin ${COUNT_LATER}; end`,
]

const OF_POSTGRES = [
  `create or replace function "countOfWriter"() returns trigger language plpgsql as $$ begin
     ${COUNT_LATER}; return null; end $$`,
]
