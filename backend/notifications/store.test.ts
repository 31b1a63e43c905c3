// Queries of the bell use an index and sort nothing, among many notifications of many people.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { addPeople } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { countNotifications, selectCounts, selectNotifications } from './store.ts'

const PEOPLE = 40
const NOTIFICATIONS_PER_PERSON = 200
const KINDS = [undefined, ['comment', 'reply'], ['like']]

/** One notification in ten is new. */
async function fill(db: Database): Promise<void> {
  const names = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`)
  await addPeople(db, names)
  const time = '2023-11-20T13:37:00.000Z'
  await sql`with recursive number(at) as
      (select 1 union all select at + 1 from number where at < ${sql.lit(NOTIFICATIONS_PER_PERSON)})
    insert into notification (id, "userId", kind, "postId", "commentId", "caseId", actors, count,
      "hiddenBy", reason, "isSeen", "isRead", place, "updatedAt")
    select "user".id || ' ' || at, "user".id, case when at % 3 = 0 then 'like' else 'comment' end, '', '', '',
      '[]', 1, '', '', case when at % 10 = 0 then 0 else 1 end, case when at % 10 = 0 then 0 else 1 end,
      at, ${time} from "user", number`.execute(db)
  await sql`analyze`.execute(db)
}

describeEachDatabase('plans of notifications', (open, name) => {
  test('every list and count uses an index of the person', async () => {
    await using opened = await open()
    const { db } = opened
    await fill(db)
    const page = { userId: 'person-7', limit: 51 }
    const lists = KINDS.flatMap((kinds) =>
      [undefined, 100].flatMap((before) =>
        [true, false].map((isUnread) =>
          selectNotifications(db, { ...page, kinds, isUnread, before }),
        ),
      ),
    )
    expect(await countNotifications(db, page.userId, 15)).toEqual({ new: 15, unread: 15 })
    expect((await countNotifications(db, page.userId, 100)).new).toBe(NOTIFICATIONS_PER_PERSON / 10)
    await db.transaction().execute(async (tx) => {
      // With so few rows, PostgreSQL might read and sort them all.
      for (const scan of name === 'PostgreSQL' ? ['seqscan', 'bitmapscan'] : [])
        await sql.raw(`set local enable_${scan} = off`).execute(tx)
      for (const query of [...lists, selectCounts(db, page.userId, 100)]) {
        const plan = await planOf(tx, query.compile(), name)
        const usesIndex = /(?:INDEX |using ")notification(?:InOrder|Unread|Unseen)/
        expect(plan.join('\n')).toMatch(usesIndex)
        expect(plan.filter((step) => /TEMP B-TREE|Sort|Seq Scan|SCAN notif/.test(step))).toEqual([])
      }
    })
  })
})
