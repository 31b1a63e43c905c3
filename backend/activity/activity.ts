// Records actions of operators, the API key and the server itself (api.md §15.21) in the
// transaction of the action. Entries never change, and are stored for a year. Independent of other
// rooms.

import { wireTime } from '#contract/ids.ts'
import type {
  Activity,
  ActivityAction,
  ActivityKind,
  ActivityPage,
  ActivityQuery,
  DoneBy,
} from '#contract/operator.ts'
import { ACTIVITY_PAGE } from '#contract/operator.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer } from '../http/viewer.ts'
import { csvLine } from '../process/csv.ts'
import { secondsBefore } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './store.ts'

/** A little longer than the year that triggers enforce. */
const STORED_SECONDS = 366 * 24 * 60 * 60
const CSV_BATCH = 500

/** `system` is the server itself. */
export type Actor =
  | Pick<UserViewer, 'role' | 'userId' | 'name' | 'openedBy'>
  | { role: 'guest' | 'key' | 'system' }

export type ActivityEntry = {
  [Kind in ActivityKind]: { kind: Kind; action: ActivityAction }
}[ActivityKind] & {
  /** `name` is stored as it is now, and remains when the subject is deleted. */
  subject?: { type: Exclude<Activity['subjectType'], ''>; id: string; name: string }
  /** Undefined and empty texts are left out. */
  details?: Record<string, string | undefined>
}

/** If an operator or the API key opened the acting session, the entry names them as its actor. */
export async function recordActivity(
  tx: Database,
  sender: Actor,
  now: Date,
  entry: ActivityEntry,
): Promise<void> {
  const { kind, action, subject } = entry
  const openedBy = sender.role === 'user' ? sender.openedBy : undefined
  const actor: Actor = openedBy ?? sender
  const ownerName = openedBy && sender.role === 'user' ? sender.name : undefined
  const details = { ...entry.details, as: ownerName }
  const isPerson = actor.role === 'user'
  await store.add(tx, {
    time: now.toISOString(),
    actor: isPerson ? 'person' : actor.role === 'key' ? 'key' : 'system',
    actorId: isPerson ? actor.userId : '',
    actorName: isPerson ? actor.name : '',
    kind,
    action,
    subjectType: subject?.type ?? '',
    subjectId: subject?.id ?? '',
    subjectName: subject?.name ?? '',
    details: JSON.stringify(
      Object.fromEntries(
        Object.entries(details).filter(([, text]) => text !== undefined && text !== ''),
      ),
    ),
  })
}

export async function listActivity(
  { db, avatarBucketId }: BaseContext & { avatarBucketId: string },
  { kind, search, cursor }: ActivityQuery,
): Promise<ActivityPage> {
  const { rows, lastExamined } = await store.list(db, {
    kind,
    search: search?.trim() || undefined,
    limit: ACTIVITY_PAGE,
    avatarBucketId,
    before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor),
  })
  return {
    list: rows.map(toActivity),
    next: lastExamined === undefined ? '' : String(lastExamined),
  }
}

/** Who last did one of these actions to each subject, by the subject's id. */
export async function findLastActors(
  db: Database,
  subjectIds: string[],
  actions: ActivityAction[],
): Promise<Map<string, DoneBy>> {
  const rows = await store.findLast(db, subjectIds, actions)
  return new Map(
    rows.map((row) => {
      const { actorId: byId, actorName: byName, details, time } = toActivity(row)
      return [row.subjectId, { byId, byName, at: time, reason: details.reason ?? '' }]
    }),
  )
}

export async function sweepActivity({ db, now }: BaseContext): Promise<void> {
  await store.deleteBefore(db, secondsBefore(now(), STORED_SECONDS))
}

function toActivity(row: store.ActivityRow): Activity {
  const { seq, time, details, ...rest } = row
  return {
    $id: String(seq),
    time: wireTime(time),
    ...rest,
    details: JSON.parse(details),
  } as Activity
}

// --- CSV

const COLUMNS = [
  'time',
  'actor',
  'actorName',
  'kind',
  'action',
  'subjectType',
  'subjectId',
  'subjectName',
] as const

/** All entries as CSV, the newest first. @source RFC 4180 */
export async function* streamActivity({ db }: BaseContext): AsyncGenerator<string> {
  yield csvLine([...COLUMNS, 'details'])
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const noFilter = { kind: undefined, search: undefined, avatarBucketId: '' }
    const page = { ...noFilter, before, limit: CSV_BATCH }
    const { rows, lastExamined }: Awaited<ReturnType<typeof store.list>> = await store.list(
      db,
      page,
    )
    for (const row of rows) {
      const details = Object.entries(JSON.parse(row.details) as Record<string, string>)
      yield csvLine([
        ...COLUMNS.map((name) => row[name]),
        details.map(([name, text]) => `${name}: ${text}`).join('; '),
      ])
    }
    before = lastExamined
  }
}
