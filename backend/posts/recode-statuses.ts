// At a start after the words of public posts have changed (`BLOG_PUBLIC_STATUSES`): every post gets
// the status that its word has now, before anybody is answered.
import { ruledStatus } from '#contract/roles.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Background } from '../process/background.ts'
import { asSent, withSentStatus } from './naming.ts'
import { listStatuses } from './statuses-store.ts'
import * as store from './store.ts'

const AT_ONCE = 500

export async function recodeStatuses(
  { db, background }: { db: Database; background: Background },
  publicStatuses: readonly string[],
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    after = await inTransaction(db, background, async (tx) => {
      const rows = await listStatuses(tx, { after: from, limit: AT_ONCE })
      for (const row of rows) {
        const { id, spellings } = row
        const word = asSent(row, 'status')
        const status = ruledStatus(publicStatuses, word)
        if (status === row.status) continue
        await store.updatePost(tx, id, { status })
        const attributes = withSentStatus(row.attributes, word === status ? undefined : word)
        await store.keepExtra(tx, id, { attributes, spellings })
      }
      return rows.at(-1)?.seq
    })
  }
}
