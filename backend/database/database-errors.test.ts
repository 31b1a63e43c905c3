// The classification of errors of both databases.
import { expect, test } from 'vitest'
import {
  describePostgresError,
  isConfigurationError,
  isConnectionError,
  isDiskFull,
  isForeignKeyViolation,
  isTransientError,
  isUniqueViolation,
  isWriteFault,
} from './database-errors.ts'

function faultOf(code: string): Error {
  return Object.assign(new Error('a text that nobody compares'), { code })
}

test.each([
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['23505', 'unique'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'foreign key'],
  ['23503', 'foreign key'],
  ['SQLITE_FULL', 'full'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['53100', 'full'],
  ['SQLITE_BUSY', 'passing'],
  ['SQLITE_BUSY_RECOVERY', 'passing'],
  ['SQLITE_READONLY', 'passing'],
  ['57014', 'passing'],
  ['55P03', 'passing'],
  ['40P01', 'passing'],
  ['40001', 'passing'],
  ['53300', 'passing'],
  ['25006', 'passing'],
  ['08006', 'connection'],
  ['57P01', 'connection'],
  ['57P03', 'connection'],
  ['ECONNREFUSED', 'connection'],
  ['ECONNRESET', 'connection'],
  ['ETIMEDOUT', 'connection'],
  ['EPIPE', 'connection'],
  ['28P01', 'settings'],
  ['3D000', 'settings'],
  // Only the request that touches it fails.
  ['SQLITE_CORRUPT', undefined],
  ['SQLITE_NOTADB', undefined],
  ['SQLITE_IOERR_READ', undefined],
  ['58030', undefined],
  ['XX001', undefined],
  ['', undefined],
])('the code %s means: %s', (code, meaning) => {
  const error = faultOf(code)
  const meanings = Object.entries({
    unique: isUniqueViolation(error),
    'foreign key': isForeignKeyViolation(error),
    full: isDiskFull(error),
    passing: isTransientError(error),
    connection: isConnectionError(error),
    settings: isConfigurationError(error),
  }).flatMap(([name, isFound]) => (isFound ? [name] : []))
  expect(meanings).toEqual(meaning === undefined ? [] : [meaning])
})

test.each([
  ['SQLITE_IOERR_FSYNC', true, true],
  ['SQLITE_IOERR_READ', true, true],
  ['SQLITE_IOERR_WRITE', false, true],
  ['SQLITE_IOERR_FSYNC', false, true],
  ['SQLITE_IOERR_READ', false, false],
  ['SQLITE_CORRUPT', true, false],
  ['SQLITE_FULL', true, false],
])('%s (in a commit: %s) stops all writing: %s', (code, isCommit, isFatal) => {
  expect(isWriteFault(faultOf(code), { isCommit })).toBe(isFatal)
})

test.each([
  ['ECONNREFUSED', 'it refuses connections'],
  ['28P01', 'it refuses this user name and password'],
  ['3D000', 'it has no database of this name'],
  ['ETIMEDOUT', 'it does not answer in time'],
])('%s is described in words, with the text of the server', (code, words) => {
  expect(describePostgresError(faultOf(code))).toBe(`${words}: a text that nobody compares`)
})
