// Selects decisions about all comments by a person that are not yet applied to each comment.
import { type RawBuilder, sql } from 'kysely'
import { jsonList } from './dialect.ts'
import type { Database } from './schema.ts'

const IS_COVERED = sql`${sql.ref('hiding.userId')} = ${sql.ref('comment.userId')}
  and ${sql.ref('hiding.position')} < comment.seq and ${sql.ref('hiding.lastSeq')} >= comment.seq
  and (${sql.ref('hiding.discussionSeq')} is null
    or ${sql.ref('hiding.discussionSeq')} = ${sql.ref('comment.discussionSeq')})`
const HIDINGS = sql.table('commentHiding')

/** Decisions not yet applied to a comment, in order: a JSON list of `action hiddenBy decidedAt`. */
export function selectPendingHidings(db: Database): RawBuilder<string> {
  const text = sql`pending.action || ' ' || ${sql.ref('pending.hiddenBy')} || ' ' || ${sql.ref('pending.decidedAt')}`
  return sql<string>`(select ${jsonList(db, text, sql.ref('pending.seq'))} from (
    select * from ${HIDINGS} as hiding where ${IS_COVERED} and hiding.action <> 'count'
    order by hiding.seq) as pending)`
}

/** `isCounted` of a comment, or null; 0 if a decision is pending or the writer is blocked. */
export const IS_COUNTED = sql<number | null>`case when exists (
    select 1 from ${HIDINGS} as hiding where ${IS_COVERED} and hiding.action <> 'count')
  or exists (select 1 from "user" as writer where writer.id = ${sql.ref('comment.userId')}
    and ${sql.ref('writer.isBlocked')} = 1)
  then ${sql.ref('comment.isCounted')} * 0 else ${sql.ref('comment.isCounted')} end`
