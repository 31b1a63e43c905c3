// Pages that were read as a whole, kept in the tab's history for "Back". Whatever changes a post
// forgets them (post-lists.ts).
import { snapshots } from '../ui/history-snapshots.ts'

type KeptPage = { page: string; value: object }

/** @param page names the viewer and the address: for another one nothing is found */
export function findPage<Value extends object>(key: string, page: string): Value | undefined {
  const found = snapshots.find(key)
  return isKeptPage(found) && found.page === page ? (found.value as Value) : undefined
}

export function keepPage(key: string, page: string, value: object): void {
  snapshots.keep(key, { page, value } satisfies KeptPage)
}

/** Stored by the tab, perhaps by another version of the app. */
export function isKeptPage(value: unknown): value is KeptPage {
  if (typeof value !== 'object' || value === null) return false
  const { page, value: kept } = value as Partial<KeptPage>
  return typeof page === 'string' && typeof kept === 'object' && kept !== null
}
