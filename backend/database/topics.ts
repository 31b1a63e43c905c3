// What an answer is made of, in topics, and which topics have changed since: whoever keeps an
// answer learns by it when to ask again. Reads name their topics where rows become answers; changes
// name theirs below. Knows nothing of what is kept.
import { AsyncLocalStorage } from 'node:async_hooks'
import { hearAtOnce, isHearing } from './change-ears.ts'
import type { Change } from './changes.ts'
import type { Database } from './schema.ts'

/**
 * One post, one person as guests see them, which public posts there are and how they are seen in
 * lists, anything at all, or chance, which is different each time.
 */
export type Topic = `post:${string}` | `person:${string}` | 'posts' | 'anything' | 'chance'

const gathering = new AsyncLocalStorage<Set<Topic>>()

/** Whether anybody wants to know what is being read. */
export function isNoting(): boolean {
  return gathering.getStore() !== undefined
}

/** Says what is being read. */
export function noteTopics(...topics: Topic[]): void {
  const gathered = gathering.getStore()
  if (gathered) for (const topic of topics) gathered.add(topic)
}

/**
 * Runs `work` and adds to `topics` what it reads: lists, and what is noted. Where nothing is noted
 * it may be anything.
 */
export async function gatherTopics<Result>(
  topics: Set<Topic>,
  work: () => Promise<Result>,
): Promise<Result> {
  const own = new Set<Topic>()
  const result = await gathering.run(own, work)
  if (own.size === 0) own.add('anything')
  for (const topic of own) topics.add(topic)
  topics.add('posts')
  return result
}

/** @returns undefined when anything may look otherwise */
export type TopicsOf = (change: Change) => Topic[] | undefined

/** For what guests see. */
function topicsForGuests(change: Change): Topic[] | undefined {
  switch (change.kind) {
    case 'post':
      return [`post:${change.id}`]
    case 'public':
      // Likes of somebody who has gone are in no change of their own.
      if (change.isAnyoneGone) return undefined
      return ['posts', ...change.userIds.map((id): Topic => `person:${id}`)]
    case 'file':
    case 'account':
    case 'access':
    case 'uses':
      // What guests see of them is told as `public`.
      return []
  }
}

/** For what any member sees: much of it is told in no change of its own. */
export function topicsForMembers(change: Change): Topic[] | undefined {
  switch (change.kind) {
    case 'post':
      return change.isLike ? [`post:${change.id}`] : undefined
    case 'account':
      return change.name.startsWith('sessions.') ? [] : undefined
    case 'access':
      return []
    case 'file':
    case 'public':
    case 'uses':
      return undefined
  }
}

/** Which topics have changed when. Marks grow with each change. */
export type ChangedTopics = {
  /** What is read from here on is as new as this mark. */
  mark(): number
  /** Whether what is made of these topics may be otherwise than it was at `mark`. */
  hasChanged(mark: number, topics: ReadonlySet<Topic>): boolean
  /** False while changes of other processes are not heard. */
  isHearing(): boolean
}

const REMEMBERED_MAX = 10_000

export function makeChangedTopics(
  db: Database,
  topicsOf: TopicsOf = topicsForGuests,
): ChangedTopics {
  const changed = new Map<Topic, number>()
  let latest = 0
  /** Before this, anything may have changed. */
  let floor = 0
  const missed = () => {
    floor = ++latest
    changed.clear()
  }
  hearAtOnce(db, {
    change(change) {
      const topics = topicsOf(change)
      if (topics === undefined || changed.size + topics.length > REMEMBERED_MAX) return missed()
      if (topics.length === 0) return
      latest++
      for (const topic of topics) changed.set(topic, latest)
    },
    missed,
  })
  return {
    mark: () => latest,
    hasChanged(mark, topics) {
      if (topics.has('chance')) return true
      if (mark === latest) return false
      if (topics.size === 0) return false
      if (mark < floor || topics.has('anything')) return true
      for (const topic of topics) if ((changed.get(topic) ?? 0) > mark) return true
      return false
    },
    isHearing: () => isHearing(db),
  }
}
