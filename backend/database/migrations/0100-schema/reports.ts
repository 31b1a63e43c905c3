// Reports. A case is one post or comment with all its reports, or a comment that needs approval. It
// ends with its post or comment: by the foreign keys, and by a trigger for comments that stay for
// their replies.
import { sequenceColumn } from '../../migration-steps.ts'

export const createReports = (isPostgres: boolean): string[] => [
  `create table "reportCase" (
    ${sequenceColumn(isPostgres)},
    id text not null unique,
    "postId" text unique references post (id) on delete cascade,
    "commentId" text unique references comment (id) on delete cascade,
    "discussionSeq" bigint not null default 0,
    "isWaiting" integer not null,
    place bigint not null,
    since text not null,
    reporters integer not null default 0,
    note text not null default '',
    decision text not null default '',
    "hasBlocked" integer not null default 0,
    "isByAuthor" integer not null default 0,
    "decidedById" text not null default '',
    "decidedByName" text not null default '',
    "decidedAt" text not null default '',
    constraint "caseOfOne" check (("postId" is null) <> ("commentId" is null))
  )`,
  'create index "caseInOrder" on "reportCase" ("isWaiting", place)',
  'create index "caseReported" on "reportCase" ("isWaiting", reporters)',
  // Lists leave out all that waits in discussions that are in the bin or of hidden posts.
  'create index "caseWaitingOf" on "reportCase" ("discussionSeq", place) where "isWaiting" = 1',
  `create index "caseReportedOf" on "reportCase" ("discussionSeq", place)
    where "isWaiting" = 1 and reporters >= 1`,

  `create table report (
    ${sequenceColumn(isPostgres)},
    id text not null unique,
    "caseSeq" bigint not null references "reportCase" (seq) on delete cascade,
    "userId" text references "user" (id) on delete set null,
    reason text not null,
    words text not null,
    "createdAt" text not null,
    unique ("caseSeq", "userId")
  )`,
  'create index "reportByUser" on report ("userId", seq)',
  ...(isPostgres ? TRIGGERS_ON_POSTGRES : TRIGGERS_ON_SQLITE),
]

/** The discussion of a comment never changes. */
const DISCUSSION = '(select "discussionSeq" from comment where comment.id = new."commentId")'
const IS_WITHOUT = 'new."commentId" is not null and new."discussionSeq" = 0'

const TRIGGERS_ON_SQLITE = [
  `create trigger "caseOfDiscussion" after insert on "reportCase" when ${IS_WITHOUT} begin
    update "reportCase" set "discussionSeq" = ${DISCUSSION} where seq = new.seq; end`,
  `create trigger "caseOfDeleted" after update of status on comment
    when new.status = 'deleted' begin
    delete from "reportCase" where "commentId" = new.id; end`,
]

const TRIGGERS_ON_POSTGRES = [
  `create function "findDiscussionOfCase"() returns trigger language plpgsql as $$ begin
    new."discussionSeq" := ${DISCUSSION}; return new; end $$`,
  `create trigger "caseOfDiscussion" before insert on "reportCase"
    for each row when (${IS_WITHOUT}) execute function "findDiscussionOfCase"()`,
  `create function "endCaseOfComment"() returns trigger language plpgsql as $$ begin
    delete from "reportCase" where "commentId" = new.id; return null; end $$`,
  `create trigger "caseOfDeleted" after update of status on comment
    for each row when (new.status = 'deleted') execute function "endCaseOfComment"()`,
]
