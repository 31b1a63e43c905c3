// What a transaction has changed, told to whoever listens once it is committed: in this process,
// and by messages in others. A message may be lost, so nobody's right depends on one (decision
// 0063). On PostgreSQL NOTIFY brings them, the writer's own included, in the order of commits.
import { sql } from 'kysely'
import { makeId } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import type { OtherWorkers } from '../process/workers.ts'
import { isShared } from './dialect.ts'
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

const announced = new WeakMap<Database, Change[]>()

/** Where the changes of a transaction are gathered; inTransaction asks for it. */
export function gatherChanges(tx: Database): Change[] {
  const changes: Change[] = []
  announced.set(tx, changes)
  return changes
}

export function isGathering(tx: Database): boolean {
  return announced.has(tx)
}

/** Says what a transaction changes. Nothing is heard of it if it fails. */
export function announce(tx: Database, ...changes: Change[]): void {
  const gathered = announced.get(tx)
  if (!gathered) throw new Error('A change was announced outside a transaction')
  gathered.push(...changes)
}

type Listener = (changes: Change[]) => void
const listeners = new WeakMap<Database, Listener[]>()

/** Hears what this process changes, after each commit and before its call is answered. */
export function hearOwnChanges(db: Database, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

export function tellOwnChanges(db: Database, changes: Change[]): void {
  if (changes.length === 0) return
  for (const listener of listeners.get(db) ?? []) listener(changes)
}

/** The name of the NOTIFY channel; each database has its own. */
const CHANGE_CHANNEL = 'lamplight_change'
/** A payload of NOTIFY has less than 8,000 bytes; a character at most four. */
const PIECE = /.{1,1900}/gsu
/** Own changes that wait for their message. What is not here any more is told without its text. */
const OWN_MAX = 100

/** Whole changes of this process, by the key of their message. */
const own = new WeakMap<Database, Map<string, Change[]>>()

/** Inside the transaction, at its end. Does nothing on SQLite. */
export async function notifyOfChanges(
  db: Database,
  tx: Database,
  changes: Change[],
): Promise<void> {
  if (changes.length === 0 || !isShared(db)) return
  const key = makeId()
  remember(ownOf(db), key, changes)
  const text = JSON.stringify({ key, changes: changes.map(withoutText) })
  const pieces = text.match(PIECE) ?? []
  const payloads = pieces.map((piece, at) => `${at + 1}/${pieces.length} ${piece}`)
  await sql`select pg_notify(${CHANGE_CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(tx)
}

/** A post can be read again as long as it is there; its text may be long. */
export function withoutText(change: Change): Change {
  return change.kind === 'post' && change.action !== 'delete'
    ? { ...change, payload: undefined }
    : change
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

export type HearNeeds = {
  db: Database
  databaseUrl: string | undefined
  log: Log
  /** Undefined where one process runs alone. */
  otherWorkers: OtherWorkers | undefined
}

export type Hear = {
  /** The next change waits until this one is done. */
  change(change: Change): Promise<void>
  /** Changes may have been missed. */
  missed(): void
}

/**
 * @returns once it listens, or tries to while PostgreSQL is away; the function stops it, and
 *   resolves when all that came has been heard
 */
export async function hearChanges(needs: HearNeeds, hear: Hear): Promise<() => Promise<void>> {
  const { db, databaseUrl, log, otherWorkers } = needs
  let last = Promise.resolve()
  const inTurn = (work: () => void | Promise<void>) => {
    last = last
      .then(work)
      .catch((err: unknown) => log.error({ err }, 'a change was not told to its listeners'))
  }
  const tell = (changes: Change[]) => {
    for (const change of changes) inTurn(() => hear.change(change))
  }
  if (databaseUrl === undefined) {
    hearOwnChanges(db, (changes) => {
      tell(changes)
      otherWorkers?.tell(changes.map(withoutText))
    })
    otherWorkers?.hear((body) => tell(body as Change[]))
    return () => last
  }
  const read = makeMessageReader(db)
  const { startListening } = await import('./postgres-listening.ts')
  const listening = startListening(
    { connectionString: databaseUrl, log, channel: CHANGE_CHANNEL },
    {
      notify(payload) {
        try {
          tell(read(payload))
        } catch (err) {
          // Whoever may use the database may send anything by NOTIFY.
          log.warn({ err }, 'a message of PostgreSQL could not be read')
        }
      },
      missed: () => inTurn(hear.missed),
    },
  )
  await listening.tried
  return async () => {
    await listening.stop()
    await last
  }
}
