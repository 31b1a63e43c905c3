// Pages of comments count what readers see, however many comments were deleted, hidden or wait.
// Triggers count the listed comments of every 1,000 positions, so that a page is found without
// going through those before it. Indexes of their own keep readers from passing over what waits.
const BLOCK = 1000

/** Takes a row of a page: its words are shown, or replies stand below it. */
const LISTED = '"isCounted" = 1 or replies > 0'
const isListed = (row: 'old' | 'new') =>
  `(case when ${row}."isCounted" = 1 or ${row}.replies > 0 then 1 else 0 end)`
const block = (row: 'old' | 'new') => `${row}.place / ${BLOCK}`

/** As queries have it (backend/comments/comment-list-store.ts). */
const OPEN = "status in ('shown', 'hidden', 'deleted')"
const CLOSED = "status in ('waiting', 'rejected')"

const COUNT_CHANGE = `
  insert into "commentBlock" ("discussionSeq", "parentId", block, listed)
    values (new."discussionSeq", new."parentId", ${block('new')}, ${isListed('new')} - ${isListed('old')})
    on conflict ("discussionSeq", "parentId", block)
      do update set listed = "commentBlock".listed + excluded.listed;`
const COUNT_DELETION = `
  update "commentBlock" set listed = listed - 1
    where "discussionSeq" = old."discussionSeq" and "parentId" = old."parentId"
      and block = ${block('old')};`

export const statements = (isPostgres: boolean) => [
  `create table if not exists "commentBlock" (
     "discussionSeq" bigint not null references discussion (seq) on delete cascade,
     "parentId" text not null, block integer not null, listed integer not null,
     primary key ("discussionSeq", "parentId", block))`,
  // An approval that was taken back left replies below a comment that nobody else saw.
  `update comment set status = 'hidden',
     "hiddenBy" = case when "hiddenBy" = '' then 'operator' else "hiddenBy" end,
     "hiddenAt" = case when "hiddenAt" = '' then "updatedAt" else "hiddenAt" end
   where ${CLOSED} and replies > 0`,
  `insert into "commentBlock" ("discussionSeq", "parentId", block, listed)
     select "discussionSeq", "parentId", place / ${BLOCK}, count(*) from comment
     where ${LISTED} group by 1, 2, 3 on conflict do nothing`,
  `create index if not exists "commentListed" on comment ("discussionSeq", "parentId", place)
     where ${LISTED}`,
  `create index if not exists "commentUnlisted" on comment
     ("discussionSeq", "parentId", status, place) where "isCounted" = 0 and replies = 0`,
  `create index if not exists "commentOpenByPlace" on comment
     ("discussionSeq", "parentId", place) where ${OPEN}`,
  `create index if not exists "commentOpenInOrder" on comment
     ("discussionSeq", "isCounted", seq) where ${OPEN}`,
  `create index if not exists "commentClosedByPlace" on comment
     ("userId", "discussionSeq", "parentId", place) where ${CLOSED}`,
  `create index if not exists "commentClosedInOrder" on comment
     ("userId", "discussionSeq", seq) where ${CLOSED}`,
  'drop index if exists "commentByTime"',
  `create index if not exists "commentCountedByTime" on comment ("createdAt")
     where "isCounted" = 1`,
  'create index if not exists "caseReported" on "reportCase" ("isWaiting", reporters)',
  ...(isPostgres ? COUNTED_ON_POSTGRES : COUNTED_ON_SQLITE),
]

const COUNTED_ON_SQLITE = [
  `create trigger if not exists "commentBlockChanged" after update of "isCounted", replies on comment
     when ${isListed('old')} <> ${isListed('new')} begin ${COUNT_CHANGE} end`,
  `create trigger if not exists "commentBlockDeleted" after delete on comment
     when ${isListed('old')} = 1 begin ${COUNT_DELETION} end`,
]

const COUNTED_ON_POSTGRES = [
  `create or replace function "countListedComment"() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' then ${COUNT_DELETION} else ${COUNT_CHANGE} end if; return null; end $$`,
  `create or replace trigger "commentBlockChanged" after update of "isCounted", replies on comment
     for each row when (${isListed('old')} <> ${isListed('new')})
     execute function "countListedComment"()`,
  `create or replace trigger "commentBlockDeleted" after delete on comment
     for each row when (${isListed('old')} = 1) execute function "countListedComment"()`,
]
