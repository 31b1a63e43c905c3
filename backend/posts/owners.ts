// Whose a post is when it is written, and whom its writer may let read it. Knows no SQL.
import { Refusal } from '#contract/errors.ts'
import { type Grantor, readersOf } from '#contract/permissions.ts'
import type { Viewer } from '../http/viewer.ts'
import type { SentData } from './naming.ts'

/** Empty for guests, and when the API key names no user. */
export function ownerOfNewPost(viewer: Viewer, { userid }: SentData): string {
  if (viewer.role === 'user') return viewer.userId
  return viewer.role === 'key' ? String(userid ?? '') : ''
}

/** `userid` may be repeated, never changed. */
export function refuseForeignAuthor({ userid }: SentData, ownerId: string): void {
  if (typeof userid === 'string' && userid !== ownerId) throw new Refusal('user_unauthorized')
}

export function grantorOf(viewer: Viewer): Grantor {
  if (viewer.role === 'key') return { role: 'key' }
  return viewer.role === 'user' ? viewer : { role: 'user', userId: '', isVerified: false }
}

export function toStoredPermissions(list: string[]): { permissions: string; readers: string } {
  return { permissions: JSON.stringify(list), readers: readersOf(list) }
}
