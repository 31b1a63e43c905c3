// Who may read posts and files: the permission strings of clients (api.md §3.5, product.md §O25).
// The policy is fixed (the owner writes, active posts are public): a list can only restrict
// readers, whatever it grants for writing. Also the roles of accounts.
import { invalidParam, Refusal } from './errors.ts'

/** Permission strings of one post or file, at most. */
export const PERMISSIONS_MAX = 100

/**
 * Who may read, besides the owner and the API key: everybody, signed-in users, signed-in users with
 * a verified (or with an unverified) email address, nobody else. Everybody may read a `page`, too,
 * but no list names it among its readers, so no list has it.
 */
export type Readers = 'any' | 'users' | 'verified' | 'unverified' | 'owner' | 'page'

/** The sender of the list. Users can grant only rights that they have. */
export type Grantor = { role: 'guest' | 'key' } | { role: 'user'; isVerified: boolean }

/** The form of one permission: an action and a role in quotes. */
const PERMISSION = /^(read|update|delete|write)\("([^"]{1,128})"\)$/
/** The known roles, without the teams and members of other servers of this API. */
const ROLE =
  /^(any|guests|users|users\/(?:un)?verified|user:[A-Za-z0-9][A-Za-z0-9._-]{0,35}(?:\/(?:un)?verified)?)$/
/**
 * Programs grant these roles the right to write by default; it is stored as a right of the owner.
 */
const EVERYBODY = ['any', 'users']

/** The list for a client that sent none. */
export function defaultPermissions(ownerId: string): string[] {
  return ['read("any")', `update("user:${ownerId}")`, `delete("user:${ownerId}")`]
}

/**
 * Checks a sent list and expands it: `write` becomes update and delete, writing by everybody
 * becomes writing by the owner, and duplicates are dropped.
 *
 * @param value    as sent; undefined means that no list was sent
 * @param ownerId  the user who owns the row
 * @returns the list to store, or undefined when none was sent
 * @throws Refusal `general_argument_invalid` for a bad list, `user_unauthorized` for a right wider
 *   than the policy
 */
export function readPermissions(
  value: unknown,
  grantor: Grantor,
  ownerId: string,
): string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw invalidParam('permissions', 'Value must be a valid array')
  if (value.length > PERMISSIONS_MAX)
    throw invalidParam(
      'permissions',
      `Value must be a valid array no longer than ${PERMISSIONS_MAX} items`,
    )
  const permissions = new Set<string>()
  for (const text of value) {
    const parts = typeof text === 'string' ? PERMISSION.exec(text) : null
    const action = parts?.[1]
    const role = parts?.[2]
    if (!action || !role || !ROLE.test(role))
      throw invalidParam(
        'permissions',
        'Permission string must be of the form action("role"), the action one of (read, update, delete, write)',
      )
    const isWriteByAll = action !== 'read' && EVERYBODY.includes(role)
    // Only the key writes rows without an owner.
    if (isWriteByAll && ownerId === '') continue
    const storedRole = isWriteByAll ? `user:${ownerId}` : role
    refuseWider(action, storedRole, grantor, ownerId)
    for (const storedAction of action === 'write' ? ['update', 'delete'] : [action])
      permissions.add(`${storedAction}("${storedRole}")`)
  }
  return [...permissions]
}

/**
 * @throws Refusal `user_unauthorized` for a right that the sender lacks, or that the policy forbids
 */
function refuseWider(action: string, role: string, grantor: Grantor, ownerId: string): void {
  const isOwner = role === `user:${ownerId}` || role.startsWith(`user:${ownerId}/`)
  const isVerified = grantor.role === 'user' && grantor.isVerified
  const hasRole =
    grantor.role === 'key' ||
    isOwner ||
    ['any', 'users', isVerified ? 'users/verified' : 'users/unverified'].includes(role)
  const isAllowedByPolicy =
    isOwner || (action === 'read' && !role.startsWith('user:') && role !== 'guests')
  if (!hasRole || !isAllowedByPolicy)
    throw new Refusal(
      'user_unauthorized',
      `Permissions must be one of: (any, users${ownerId && `, user:${ownerId}`})`,
    )
}

/** The readers that a stored list allows: its widest role decides. The owner may always read. */
export function readersOf(permissions: string[]): Readers {
  const has = (role: string): boolean => permissions.includes(`read("${role}")`)
  if (has('any')) return 'any'
  if (has('users') || (has('users/verified') && has('users/unverified'))) return 'users'
  if (has('users/verified')) return 'verified'
  return has('users/unverified') ? 'unverified' : 'owner'
}

// --- roles of accounts, stored as labels

/**
 * The rights of an account, stored as one of its labels: operators run the blog, authors write,
 * readers like and comment. An account without any of these labels is an author.
 */
export const ACCOUNT_ROLES = ['operator', 'author', 'reader'] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

/** The first of {@link ACCOUNT_ROLES} among the labels counts. */
export function roleOf(labels: readonly string[]): AccountRole {
  return ACCOUNT_ROLES.find((role) => labels.includes(role)) ?? 'author'
}

/** The role with fewer rights. */
export function lowerRole(a: AccountRole, b: AccountRole): AccountRole {
  return ACCOUNT_ROLES.indexOf(a) > ACCOUNT_ROLES.indexOf(b) ? a : b
}

/** The labels with this role in place of another one. */
export function withRole(labels: readonly string[], role: AccountRole): string[] {
  const others = labels.filter(
    (label) => !ACCOUNT_ROLES.some((accountRole) => accountRole === label),
  )
  return [role, ...others]
}

/** @param user `labels` as they are stored, a JSON list */
export function roleIn({ labels }: { labels: string }): AccountRole {
  return roleOf(JSON.parse(labels) as string[])
}
