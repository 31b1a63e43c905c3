// For whom a run is, and who may call it. Another owner's runs do not exist for the caller.

import { Refusal, type RefusalType } from '#contract/errors.ts'
import type { Database } from '../../database/schema.ts'
import { isOperator, type Viewer } from '../../http/viewer.ts'
import * as store from './runs-store.ts'

/** Who calls, for their own posts (`ownerId`) or for the whole blog (null). */
export type RunCaller = { viewer: Viewer; ownerId: store.OwnerId }

const NOT_FOUND: Record<store.RunKind, RefusalType> = {
  import: 'import_not_found',
  export: 'export_not_found',
}

/** @throws Refusal `import_not_found`, `export_not_found` */
export async function readRun(
  db: Database,
  { ownerId }: RunCaller,
  kind: store.RunKind,
  id: string,
): Promise<store.Run> {
  return requireOwn(await store.findRun(db, id), ownerId, kind)
}

/** Locks the run until the transaction ends. @throws as {@link readRun} */
export async function lockRun(
  tx: Database,
  { ownerId }: RunCaller,
  kind: store.RunKind,
  id: string,
): Promise<store.Run> {
  return requireOwn(await store.lockRun(tx, id), ownerId, kind)
}

function requireOwn(run: store.Run | undefined, ownerId: store.OwnerId, kind: store.RunKind) {
  if (run?.kind !== kind || run.userId !== ownerId) throw new Refusal(NOT_FOUND[kind])
  return run
}

/** The columns that say who requested a run. */
export function requesterOf({ viewer, ownerId }: RunCaller) {
  const isPerson = viewer.role === 'user'
  return {
    userId: ownerId,
    byId: isPerson ? viewer.userId : '',
    byName: isPerson ? viewer.name : '',
  }
}

/** Whether the caller may still read what they are downloading. */
export function mayStillRead({ ownerId }: RunCaller, viewer: Viewer): boolean {
  if (ownerId === null) return viewer.role === 'key' || isOperator(viewer)
  return viewer.role === 'user' && viewer.userId === ownerId
}
