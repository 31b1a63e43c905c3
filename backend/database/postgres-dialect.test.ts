// Errors that mean a lost connection to PostgreSQL are recognised by their origin, the server or
// the driver, not by their texts.
// @module-tag more
import pg from 'pg'
import { expect, test } from 'vitest'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { DatabaseUnavailable } from './database-errors.ts'
import { destroyConnection, PostgresConnection } from './postgres-dialect.ts'

const statement = { text: 'select 1' }
const away = (error: unknown) => new DatabaseUnavailable(error)
const pass = async () => {}
const circuitBreaker = { trip: away, suspect: away, requireAvailable: pass, end() {} }

async function connect() {
  const postgres = await makePostgresDatabase()
  const client = new pg.Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  const acquire = () => Promise.reject(new Error('no other one'))
  const context = { acquire, circuitBreaker, onStalePlan() {} }
  return {
    client,
    url: postgres.url,
    lend: () => new PostgresConnection(client as pg.PoolClient, context),
    async [Symbol.asyncDispose]() {
      destroyConnection(client)
      await postgres.drop()
    },
  }
}

test('a connection that broke before its first use is lost, whatever the error of the driver', async () => {
  await using broken = await connect()
  const { promise, resolve } = Promise.withResolvers<void>()
  broken.client.once('end', resolve)
  destroyConnection(broken.client)
  await promise
  const connection = broken.lend()
  await expect(connection.run(statement)).rejects.toMatchObject({ status: 503 })
  expect(connection.isLost).toBe(true)
})

test.each([
  ['what the server says of a statement', { text: 'select 1 / 0' }, '22012'],
  ['a value that cannot be sent', { text: 'select $1', values: [10n, circular()] }, undefined],
])('%s does not break the connection', async (_what, query, code) => {
  await using database = await connect()
  const connection = database.lend()
  const error = await connection.run(query).catch((caught: unknown) => caught)
  expect(error).not.toMatchObject({ status: 503 })
  expect((error as { code?: string }).code).toBe(code)
  expect(connection.isLost).toBe(false)
})

function circular() {
  const value: { value?: unknown } = {}
  value.value = value
  return value
}
