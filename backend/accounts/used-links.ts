// Records which mailed links and codes have been used: their own rows are deleted on use, but the
// page of mails marks them as used.

import type { Database } from '../database/schema.ts'
import { secondsBefore } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './store.ts'

/** How long the use of a link is recorded: longer than operators look at mails in the outbox. */
const USED_LINK_SECONDS = 90 * 24 * 60 * 60

/** Runs in the transaction that uses the link. @param id the id of its token or invitation */
export function recordUsedLink(tx: Database, id: string, now: Date): Promise<void> {
  return store.insertUsedLink(tx, { id, usedAt: now.toISOString() })
}

export async function sweepUsedLinks({ db, now }: BaseContext): Promise<void> {
  await store.deleteUsedLinksBefore(db, secondsBefore(now(), USED_LINK_SECONDS))
}
