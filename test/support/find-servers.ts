// Finds the servers and databases of this test run (servers.ts), once per worker.
import { inject } from 'vitest'

const answers = new Map<string, Promise<string>>()

/** The address of PostgreSQL, without a database name. */
export const findPostgres = (): Promise<string> => findServer('/postgres')

/** The file of a SQLite database that is migrated and empty: migrating costs more than a test. */
export const findMigratedSqlite = (): Promise<string> => findServer('/sqlite')

/** The address of the S3 server, which may still be starting. */
export const findS3 = (): Promise<string> => findServer('/s3')

function findServer(path: string): Promise<string> {
  const answer = answers.get(path) ?? fetchServerAddress(path)
  answers.set(path, answer)
  return answer
}

async function fetchServerAddress(path: string): Promise<string> {
  const answer = await fetch(`${inject('serversUrl')}${path}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`There is no ${path.slice(1)} for tests: ${text}`)
  return text
}
