// The row of a person who is new here. Knows no store and no rule.
import type { UserRow } from './store.ts'

/** @param person `passwordHash` null is somebody who signs in by links or by a provider */
export function makeUserRow(person: Pick<UserRow, 'id' | 'email' | 'name' | 'passwordHash'>, now: Date): UserRow {
  const time = now.toISOString()
  return {
    ...person,
    passwordUpdatedAt: person.passwordHash === null ? null : time,
    isVerified: 0,
    isBlocked: 0,
    prefs: '{}',
    createdAt: time,
    updatedAt: time,
    accessedAt: time,
  }
}
