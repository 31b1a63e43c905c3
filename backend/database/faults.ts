// Tells the faults of both databases apart by code, never by text.

function codeOf(error: unknown): string {
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : ''
}

/** A row with this key is already there. */
export function isUniqueFault(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE', '23505'].includes(
    codeOf(error),
  )
}

/** The row that this one belongs to is gone. */
export function isForeignKeyFault(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes(codeOf(error))
}

/** The disk, not the program: no room left. Writes are refused, reads go on. */
export function isFullFault(error: unknown): boolean {
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error))
}

/**
 * A failed write or fsync of the database: nothing may be acknowledged after it (threat-model.md
 * §10).
 */
export function isFatalFault(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('SQLITE_IOERR') || code === 'SQLITE_CORRUPT' || code === '58030'
}
