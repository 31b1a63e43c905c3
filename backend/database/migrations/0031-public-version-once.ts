// On PostgreSQL the public version is raised once in a transaction, however many rows it changes:
// the functions of migration 0025 as they are now.
import { FUNCTIONS_OF_POSTGRES } from './0025-public-version.ts'

export const statements = (isPostgres: boolean) => (isPostgres ? FUNCTIONS_OF_POSTGRES : [])
