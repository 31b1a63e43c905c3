// What a transaction has changed, and how PostgreSQL's NOTIFY brings it to all processes in the
// order of commits, the writer's own included.
import { sql } from 'kysely'
import { makeId } from '../process/ids.ts'
import type { Database, PostRow } from './schema.ts'

/** Who may see a post, as it was when the change was made. */
export type PostAccess = Pick<PostRow, 'userId' | 'status' | 'readers' | 'isHidden'> & {
  isAuthorBlocked: number
}

/**
 * `payload` is what the answer of the call had. Of a created or changed post it is undefined where
 * another process made the change: then the post is read again.
 */
export type Change =
  | {
      kind: 'post'
      action: 'create' | 'update' | 'delete'
      id: string
      payload: object | undefined
      access: PostAccess
      /** Whether guests see it, or saw it before; false for likes. */
      isPublic: boolean
    }
  | {
      kind: 'file'
      action: 'create' | 'update' | 'delete'
      bucketId: string
      id: string
      /** Null for the API key. */
      ownerId: string | null
      payload: object
    }
  /** `name` is the end of the event's name, as `update.prefs` or `sessions.ID.delete`. */
  | { kind: 'account'; userId: string; name: string; payload: object }
  /** What a person may do is different, or some of their sessions have ended. */
  | { kind: 'access'; userId: string }

/** The name of the NOTIFY channel; each database has its own. */
export const CHANGE_CHANNEL = 'lamplight_change'
/** A payload of NOTIFY has less than 8,000 bytes; a character at most four. */
const PIECE = /.{1,1900}/gsu
/** Own changes that wait for their message. What is not here any more is told without its text. */
const OWN_MAX = 100

/** Whole changes of this process, by the key of their message. */
const own = new WeakMap<Database, Map<string, Change[]>>()

/** Inside the transaction, at its end. */
export async function notifyOfChanges(
  db: Database,
  tx: Database,
  changes: Change[],
): Promise<void> {
  if (changes.length === 0) return
  const key = makeId()
  remember(ownOf(db), key, changes)
  const text = JSON.stringify({ key, changes: changes.map(withoutText) })
  const pieces = text.match(PIECE) ?? []
  const payloads = pieces.map((piece, at) => `${at + 1}/${pieces.length} ${piece}`)
  await sql`select pg_notify(${CHANGE_CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(tx)
}

/**
 * Puts the payloads of one transaction, which come one after the other, together again.
 *
 * @returns reads one payload: the changes, once all of them have come
 */
export function makeMessageReader(db: Database): (payload: string) => Change[] {
  let text = ''
  return (payload) => {
    const [, at, count, piece = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(payload) ?? []
    text = at === '1' ? piece : text + piece
    if (at === undefined || at !== count) return []
    const { key, changes } = JSON.parse(text)
    const whole = ownOf(db).get(key)
    ownOf(db).delete(key)
    return whole ?? changes
  }
}

function ownOf(db: Database): Map<string, Change[]> {
  const known = own.get(db) ?? new Map()
  own.set(db, known)
  return known
}

function remember(changes: Map<string, Change[]>, key: string, own: Change[]): void {
  changes.set(key, own)
  const [oldest] = changes.keys()
  if (changes.size > OWN_MAX && oldest !== undefined) changes.delete(oldest)
}

/** A post can be read again as long as it is there; its text may be long. */
export function withoutText(change: Change): Change {
  return change.kind === 'post' && change.action !== 'delete'
    ? { ...change, payload: undefined }
    : change
}
