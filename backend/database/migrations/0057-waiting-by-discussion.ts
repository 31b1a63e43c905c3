// What waits is found by discussion, so that lists leave out the discussions that are in the bin or
// of hidden posts as a whole, however much waits there. A case knows the discussion of its comment,
// which never changes.
const DISCUSSION = (row: string) =>
  `(select "discussionSeq" from comment where comment.id = ${row}."commentId")`
const IS_UNKNOWN = 'new."commentId" is not null and new."discussionSeq" = 0'

export const statements = (isPostgres: boolean) => [
  'alter table "reportCase" add column "discussionSeq" bigint not null default 0',
  `update "reportCase" set "discussionSeq" = ${DISCUSSION('"reportCase"')}
     where "commentId" is not null`,
  `create index if not exists "caseWaitingOf" on "reportCase" ("discussionSeq", place)
     where "isWaiting" = 1`,
  `create index if not exists "caseReportedOf" on "reportCase" ("discussionSeq", place)
     where "isWaiting" = 1 and reporters >= 1`,
  `create index if not exists "commentWaitingOf" on comment ("discussionSeq", seq)
     where status = 'waiting'`,
  ...(isPostgres
    ? [
        `create or replace function "findDiscussionOfCase"() returns trigger language plpgsql as $$
           begin new."discussionSeq" := ${DISCUSSION('new')}; return new; end $$`,
        `create or replace trigger "caseOfDiscussion" before insert on "reportCase"
           for each row when (${IS_UNKNOWN}) execute function "findDiscussionOfCase"()`,
      ]
    : [
        `create trigger if not exists "caseOfDiscussion" after insert on "reportCase"
           when ${IS_UNKNOWN} begin
           update "reportCase" set "discussionSeq" = ${DISCUSSION('new')} where seq = new.seq; end`,
      ]),
]
