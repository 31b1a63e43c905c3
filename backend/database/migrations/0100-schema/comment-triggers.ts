// Triggers that count comments: shown ones of a discussion, replies of a comment, and the rows of
// pages in each block of 1,000 positions. A comment is written uncounted, and counted by an update
// of `isCounted`, so that a copy of all rows counts nothing twice.

const ADDED = '(new."isCounted" - old."isCounted")'

const COUNT_CHANGE = `
  update discussion set shown = shown + ${ADDED},
      threads = threads + case when new."parentId" = '' then ${ADDED} else 0 end
    where seq = new."discussionSeq";
  update comment set replies = replies + ${ADDED}
    where new."parentId" <> '' and id = new."parentId";`

const COUNT_DELETION = `
  update discussion set shown = shown + (-1),
      threads = threads + case when old."parentId" = '' then (-1) else 0 end
    where seq = old."discussionSeq";
  update comment set replies = replies + (-1)
    where old."parentId" <> '' and id = old."parentId";`

/** A comment that was deleted for its writer is only there for its replies. */
const DELETE_PARENT = `
  delete from comment where old."parentId" <> '' and id = old."parentId" and status = 'deleted'
    and not exists (select 1 from comment as other
      where other."discussionSeq" = old."discussionSeq" and other."parentId" = old."parentId");`

/** Takes a row of a page: its words are shown, or replies stand below it. */
const WAS_LISTED = '(case when old."isCounted" = 1 or old.replies > 0 then 1 else 0 end)'
const IS_LISTED = '(case when new."isCounted" = 1 or new.replies > 0 then 1 else 0 end)'

const COUNT_IN_BLOCK = `
  insert into "commentBlock" ("discussionSeq", "parentId", block, listed)
    values (new."discussionSeq", new."parentId", new.place / 1000, ${IS_LISTED} - ${WAS_LISTED})
    on conflict ("discussionSeq", "parentId", block)
      do update set listed = "commentBlock".listed + excluded.listed;`

const DELETE_FROM_BLOCK = `
  update "commentBlock" set listed = listed - 1
    where "discussionSeq" = old."discussionSeq" and "parentId" = old."parentId"
      and block = old.place / 1000;`

/** The comments of a blocked person are counted again in batches (moderation/hidings.ts). */
const COUNT_LATER = `
  insert into "commentHiding" (action, "userId", "lastSeq")
    select 'count', new.id, max(seq) from comment where "userId" = new.id
      having max(seq) is not null
    on conflict ("userId") where action = 'count'
      do update set position = 0, "lastSeq" = excluded."lastSeq";`

export const COMMENT_TRIGGERS_ON_SQLITE = [
  `create trigger "commentCounted" after update of "isCounted" on comment
    when old."isCounted" <> new."isCounted" begin ${COUNT_CHANGE} end`,
  `create trigger "commentUncounted" after delete on comment
    when old."isCounted" = 1 begin ${COUNT_DELETION} end`,
  `create trigger "commentGone" after delete on comment
    when old."parentId" <> '' begin ${DELETE_PARENT} end`,
  `create trigger "commentBlockChanged" after update of "isCounted", replies on comment
    when ${WAS_LISTED} <> ${IS_LISTED} begin ${COUNT_IN_BLOCK} end`,
  `create trigger "commentBlockDeleted" after delete on comment
    when ${WAS_LISTED} = 1 begin ${DELETE_FROM_BLOCK} end`,
  `create trigger "commentsToCount" after update of "isBlocked" on "user"
    when old."isBlocked" <> new."isBlocked" begin ${COUNT_LATER} end`,
]

export const COMMENT_TRIGGERS_ON_POSTGRES = [
  `create function "countComment"() returns trigger language plpgsql as $$ begin
    ${COUNT_CHANGE} return null; end $$`,
  `create trigger "commentCounted" after update of "isCounted" on comment
    for each row when (old."isCounted" <> new."isCounted") execute function "countComment"()`,
  `create function "endComment"() returns trigger language plpgsql as $$ begin
    if old."isCounted" = 1 then ${COUNT_DELETION} end if;
    ${DELETE_PARENT} return null; end $$`,
  `create trigger "commentGone" after delete on comment
    for each row execute function "endComment"()`,
  `create function "countListedComment"() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then ${DELETE_FROM_BLOCK} else ${COUNT_IN_BLOCK} end if;
    return null; end $$`,
  `create trigger "commentBlockChanged" after update of "isCounted", replies on comment
    for each row when (${WAS_LISTED} <> ${IS_LISTED}) execute function "countListedComment"()`,
  `create trigger "commentBlockDeleted" after delete on comment
    for each row when (${WAS_LISTED} = 1) execute function "countListedComment"()`,
  `create function "countOfWriter"() returns trigger language plpgsql as $$ begin
    ${COUNT_LATER} return null; end $$`,
  `create trigger "commentsOfBlocked" after update of "isBlocked" on "user"
    for each row when (old."isBlocked" <> new."isBlocked") execute function "countOfWriter"()`,
]
