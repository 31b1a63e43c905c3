// The reads of one request that changes nothing. Only these may go to a replica: with the first of
// them it is found out whether the replica has all that was committed before.
import { AsyncLocalStorage } from 'node:async_hooks'

export type ReadScope = {
  isAtReplica: Promise<boolean> | undefined
  /** What was heard of before is at the replica; what is heard of later may not be. */
  beganMs: number
}

const scopes = new AsyncLocalStorage<ReadScope>()

/** Runs a request that changes nothing; inside another one it is a part of that. */
export function reading<Result>(work: () => Result): Result {
  return scopes.getStore()
    ? work()
    : scopes.run({ isAtReplica: undefined, beganMs: performance.now() }, work)
}

/** Runs work whose writes the request does not read, as what is counted of it. */
export function besideReading<Result>(work: () => Result): Result {
  return scopes.exit(work)
}

export function findReadScope(): ReadScope | undefined {
  return scopes.getStore()
}

/** It has written something after all, and what it reads now must have that. */
export function noteWrite(): void {
  const scope = scopes.getStore()
  if (scope) scope.isAtReplica = NOWHERE
}

const NOWHERE = Promise.resolve(false)
