// Reports. A case is one post or comment with all its reports, or a comment that needs approval. It
// ends with its thing: by the foreign keys, and by a trigger for comments that stay for replies.
import { sequenceColumn } from '../migration-steps.ts'

export const statements = (isPostgres: boolean) => [
  `create table if not exists "reportCase" (${sequenceColumn(isPostgres)}, id text not null unique,
     "postId" text unique references post (id) on delete cascade,
     "commentId" text unique references comment (id) on delete cascade,
     "isWaiting" integer not null, place bigint not null, since text not null,
     reporters integer not null default 0, note text not null default '',
     decision text not null default '', "hasBlocked" integer not null default 0,
     "isByAuthor" integer not null default 0, "decidedById" text not null default '',
     "decidedByName" text not null default '', "decidedAt" text not null default '',
     constraint "caseOfOne" check (("postId" is null) <> ("commentId" is null)))`,
  'create index if not exists "caseInOrder" on "reportCase" ("isWaiting", place)',
  `create table if not exists report (${sequenceColumn(isPostgres)}, id text not null unique,
     "caseSeq" bigint not null references "reportCase" (seq) on delete cascade,
     "userId" text references "user" (id) on delete set null,
     reason text not null, words text not null, "createdAt" text not null,
     unique ("caseSeq", "userId"))`,
  'create index if not exists "reportByUser" on report ("userId", seq)',
  // Comments that wait already.
  `insert into "reportCase" (id, "commentId", "isWaiting", place, since)
     select id, id, 1, seq, "createdAt" from comment where status = 'waiting'
     on conflict do nothing`,
  ...(isPostgres
    ? [
        `create or replace function "endCaseOfComment"() returns trigger language plpgsql as $$ begin
           delete from "reportCase" where "commentId" = new.id; return null; end $$`,
        `create or replace trigger "caseOfDeleted" after update of status on comment
           for each row when (new.status = 'deleted') execute function "endCaseOfComment"()`,
      ]
    : [
        `create trigger if not exists "caseOfDeleted" after update of status on comment
           when new.status = 'deleted' begin
           delete from "reportCase" where "commentId" = new.id; end`,
      ]),
]
