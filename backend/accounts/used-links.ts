// Which mailed links and codes were used: their rows are deleted with the use, and the page of kept
// mails says "used" of them.

import type { Database } from '../database/schema.ts'
import { secondsBefore } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './store.ts'

/** Longer than the oldest mail of the outbox is of interest. */
const REMEMBERED_SECONDS = 90 * 24 * 60 * 60

/** @param id of the token or the invitation, inside the transaction that uses it up */
export function recordUsedLink(tx: Database, id: string, now: Date): Promise<void> {
  return store.insertUsedLink(tx, { id, usedAt: now.toISOString() })
}

export async function sweepUsedLinks({ db, now }: BaseContext): Promise<void> {
  await store.deleteUsedLinksBefore(db, secondsBefore(now(), REMEMBERED_SECONDS))
}
