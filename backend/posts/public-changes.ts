// Says when a change of a post changes what guests see. Knows no list.
import { notePublicChange } from '../database/public-lists.ts'
import type { Database } from '../database/schema.ts'
import { GUEST } from '../http/viewer.ts'
import { can, type PostOwnership } from './access.ts'

/** @param states the post before and after the change, as far as it is there */
export function noteIfPublic(tx: Database, ...states: PostOwnership[]): void {
  for (const state of states) if (can(GUEST, 'read', state)) notePublicChange(tx, state.userId)
}
