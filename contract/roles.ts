// Roles of accounts, and the labels that they are kept as.

/**
 * What an account may do, kept as one of its labels: operators run the blog, authors write, readers
 * like and comment. An account without any of these labels is an author.
 */
export const ACCOUNT_ROLES = ['operator', 'author', 'reader'] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

/** The first of {@link ACCOUNT_ROLES} among the labels counts. */
export function roleOf(labels: readonly string[]): AccountRole {
  return ACCOUNT_ROLES.find((role) => labels.includes(role)) ?? 'author'
}

/** The labels with this role in place of another one. */
export function withRole(labels: readonly string[], role: AccountRole): string[] {
  const others = labels.filter((label) => !ACCOUNT_ROLES.some((one) => one === label))
  return [role, ...others]
}
