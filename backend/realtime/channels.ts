// Names of channels and events (api.md §7.3): what a change is called, and on which channels it is
// sent. Knows no connection.
import type { Change } from '../database/changes.ts'

/** Path of a subject as kinds and ids: `databases`, `blogdb`, `collections`, `posts`, … */
type Path = readonly (readonly [kind: string, id: string])[]

/** The two ways in which a change of a post is told: documents, and rows of newer clients. */
export type Spelling = 'documents' | 'rows'

export type Names = {
  events: string[]
  /** Those that everybody is told who hears of the change in this spelling. */
  channels: string[]
  /** All channels on which it is sent, with wildcards, and followed by what was done. */
  heardOn: string[]
}

type Place = { databaseId: string; collectionId: string }

/** @returns nothing of a change that is no event */
export function namesOf(place: Place, change: Change): Partial<Record<Spelling, Names>> {
  switch (change.kind) {
    case 'post':
      return namesOfPost(place, change)
    case 'file': {
      const path: Path = [
        ['buckets', change.bucketId],
        ['files', change.id],
      ]
      return { documents: namesIn([path], 'files', change.action) }
    }
    case 'account':
      return { documents: namesOfAccount(change) }
    case 'access':
      return {}
  }
}

function namesOfPost(
  { databaseId, collectionId }: Place,
  { id, action }: Extract<Change, { kind: 'post' }>,
): Record<Spelling, Names> {
  const pathOf = (root: string, group: string, kind: string): Path => [
    [root, databaseId],
    [group, collectionId],
    [kind, id],
  ]
  return {
    documents: namesIn([pathOf('databases', 'collections', 'documents')], 'documents', action),
    rows: namesIn(
      [pathOf('tablesdb', 'tables', 'rows'), pathOf('databases', 'tables', 'rows')],
      'rows',
      action,
    ),
  }
}

function namesIn(paths: Path[], all: string, action: string): Names {
  const plain = paths.flatMap((path) => [spellings(path, { isList: true })[0], spellings(path)[0]])
  const wild = paths.flatMap((path) => [...spellings(path), ...spellings(path, { isList: true })])
  const heard = [all, ...wild]
  return {
    events: paths.flatMap((path) => eventNames(path, action)),
    channels: [all, ...plain.filter((one) => one !== undefined)],
    heardOn: [...heard, ...heard.map((channel) => `${channel}.${action}`)],
  }
}

function namesOfAccount({ userId, name }: Extract<Change, { kind: 'account' }>): Names {
  const channels = ['account', `account.${userId}`]
  const [kind = '', id, action] = name.split('.')
  const user: Path = [['users', userId]]
  if (action !== undefined && id !== undefined)
    return { events: eventNames([...user, [kind, id]], action), channels, heardOn: channels }
  const events = [...new Set([kind, name])].flatMap((end) =>
    spellings(user).map((text) => `${text}.${end}`),
  )
  return { events: [...events, ...spellings(user)], channels, heardOn: channels }
}

/** The full name and those of what it is part of, with every combination of wildcards. */
export function eventNames(path: Path, action: string): string[] {
  const whole = spellings(path)
  const parts = path.map((_, at) => spellings(path.slice(0, path.length - at)))
  return [...whole.map((text) => `${text}.${action}`), ...parts.flat()]
}

/** The plain one first, then the one of wildcards only, then the mixed ones. */
function spellings(path: Path, { isList = false } = {}): string[] {
  const ids = isList ? path.length - 1 : path.length
  const masks = Array.from({ length: 2 ** ids }, (_, mask) => mask)
  const all = masks.length - 1
  const order = all > 0 ? [0, all, ...masks.slice(1, -1)] : [0]
  return order.map((mask) =>
    path
      .map(([kind, id], at) => {
        if (at >= ids) return kind
        return `${kind}.${isMasked(mask, at, ids) ? '*' : id}`
      })
      .join('.'),
  )
}

/** The mixed ones begin with a wildcard in the middle. */
function isMasked(mask: number, at: number, ids: number): boolean {
  return (mask & (1 << ((at + ids - 1) % ids))) !== 0
}
