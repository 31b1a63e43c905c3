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
  const made = await makePostgresDatabase()
  const client = new pg.Client({ connectionString: made.url })
  client.on('error', () => {})
  await client.connect()
  const acquire = () => Promise.reject(new Error('no other one'))
  const context = { acquire, circuitBreaker, onStalePlan() {} }
  return {
    client,
    url: made.url,
    lend: () => new PostgresConnection(client as pg.PoolClient, context),
    async [Symbol.asyncDispose]() {
      destroyConnection(client)
      await made.drop()
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
])('%s leaves it as it is', async (_what, asked, code) => {
  await using made = await connect()
  const connection = made.lend()
  const error = await connection.run(asked).catch((caught: unknown) => caught)
  expect(error).not.toMatchObject({ status: 503 })
  expect((error as { code?: string }).code).toBe(code)
  expect(connection.isLost).toBe(false)
})

function circular() {
  const value: { value?: unknown } = {}
  value.value = value
  return value
}
