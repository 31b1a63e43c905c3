// Which faults of the two databases mean what.
import { expect, test } from 'vitest'
import { isFatalFault, isForeignKeyFault, isFullFault, isUniqueFault } from './faults.ts'

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
  ['SQLITE_IOERR_WRITE', 'fatal'],
  ['SQLITE_IOERR_FSYNC', 'fatal'],
  ['SQLITE_CORRUPT', 'fatal'],
  ['58030', 'fatal'],
  ['SQLITE_BUSY', undefined],
  ['', undefined],
])('the code %s means: %s', (code, meaning) => {
  const error = Object.assign(new Error('a text that nobody compares'), { code })
  const found = Object.entries({
    unique: isUniqueFault(error),
    'foreign key': isForeignKeyFault(error),
    full: isFullFault(error),
    fatal: isFatalFault(error),
  }).flatMap(([name, isFound]) => (isFound ? [name] : []))
  expect(found).toEqual(meaning === undefined ? [] : [meaning])
})
