// The SQL of uploads that are to be drawn ahead. Private to this folder.
import type { Database, DueDrawingRow } from '../database/schema.ts'
import type { FileRow } from './store.ts'

/** Uploads that wait to be drawn ahead, and of one person. Others are drawn when asked for. */
const DUE_DRAWINGS_MAX = 1000
export const DUE_DRAWINGS_PER_PERSON_MAX = 50

/** Notes a file that has just become complete, unless too many wait already. */
export async function noteDue(tx: Database, file: FileRow, dueAt: string): Promise<void> {
  const { storedName, bucketId, id: fileId } = file
  const userId = file.userId ?? ''
  const due = await tx
    .selectFrom('dueDrawing')
    .select((e) => e.fn.countAll().as('all'))
    .select((e) => e.fn.countAll().filterWhere('userId', '=', userId).as('ofPerson'))
    .executeTakeFirstOrThrow()
  if (Number(due.all) >= DUE_DRAWINGS_MAX) return
  if (userId && Number(due.ofPerson) >= DUE_DRAWINGS_PER_PERSON_MAX) return
  await tx
    .insertInto('dueDrawing')
    .values({ storedName, bucketId, fileId, userId, dueAt, tries: 0 })
    .onConflict((c) => c.doNothing())
    .execute()
}

/**
 * The one that has waited longest, now this process's own until `until`; none while another has
 * one. Nothing is due later than that, unless the clock was put back.
 */
export async function claimDue(
  db: Database,
  { now, until }: { now: string; until: string },
): Promise<DueDrawingRow | undefined> {
  for (;;) {
    const next = await db
      .selectFrom('dueDrawing')
      .select(['storedName', 'dueAt'])
      .where((e) => e.or([e('dueAt', '<=', now), e('dueAt', '>', until)]))
      .where(({ not, exists, selectFrom }) => {
        const begun = selectFrom('dueDrawing').select('storedName').where('tries', '>', 0)
        return not(exists(begun.where('dueAt', '>', now).where('dueAt', '<=', until)))
      })
      .orderBy('dueAt')
      .limit(1)
      .executeTakeFirst()
    if (!next) return undefined
    const claimed = await db
      .updateTable('dueDrawing')
      .set((e) => ({ dueAt: until, tries: e('tries', '+', 1) }))
      .where('storedName', '=', next.storedName)
      .where('dueAt', '=', next.dueAt)
      .returningAll()
      .executeTakeFirst()
    // Another process may have been faster.
    if (claimed) return claimed
  }
}

export async function setDue(db: Database, storedName: string, dueAt: string): Promise<void> {
  await db.updateTable('dueDrawing').set({ dueAt }).where('storedName', '=', storedName).execute()
}

export async function deleteDue(db: Database, storedName: string): Promise<void> {
  await db.deleteFrom('dueDrawing').where('storedName', '=', storedName).execute()
}
