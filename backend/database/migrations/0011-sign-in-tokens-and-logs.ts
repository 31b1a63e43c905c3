// Sign-ins of a user, labels of users, and tokens that stand side by side: of short codes the
// guesses are counted. Every step can be repeated.
import { type Kysely, sql } from 'kysely'

type Tokens = {
  token: TokenBefore
  newToken: TokenBefore
}
type TokenBefore = {
  id: string
  userId: string
  kind: string
  secretHash: string
  createdAt: string
  expiresAt: string
}

const KEPT = ['id', 'userId', 'kind', 'secretHash', 'createdAt', 'expiresAt'] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('signInLog')
    .ifNotExists()
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('userAgent', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'signInLogByUser', 'signInLog', ['userId', 'createdAt', 'id'])
  await createIndex(db, 'signInLogByTime', 'signInLog', ['createdAt'])
  const columns = await readColumns(db)
  if (!columns.get('user')?.includes('labels'))
    await db.schema
      .alterTable('user')
      .addColumn('labels', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  if (!columns.get('oauthState')?.includes('isForToken'))
    await db.schema
      .alterTable('oauthState')
      .addColumn('isForToken', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  if (!columns.get('token')?.includes('alias')) await renewTokens(db, columns.has('token'))
  await createIndex(db, 'tokenByUser', 'token', ['userId', 'kind', 'createdAt'])
  await createIndex(db, 'tokenByAlias', 'token', ['alias'])
}

async function readColumns(db: Kysely<unknown>): Promise<Map<string, string[]>> {
  const tables = await db.introspection.getTables()
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]))
}

/**
 * SQLite cannot drop a constraint: the one token of a kind that a user could have.
 * @param isThere false when this was cut short between dropping the old table and the end
 */
async function renewTokens(db: Kysely<unknown>, isThere: boolean): Promise<void> {
  if (isThere) {
    await copyTokens(db)
    await db.schema.dropTable('token').execute()
  }
  await sql`alter table ${sql.table('newToken')} rename to ${sql.table('token')}`.execute(db)
}

async function copyTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('newToken').ifExists().execute()
  await db.schema
    .createTable('newToken')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('secretHash', 'text', (c) => c.notNull().unique())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .addColumn('alias', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('providerUid', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('guessesLeft', 'integer')
    .execute()
  const tokens = db as Kysely<Tokens>
  await tokens
    .insertInto('newToken')
    .columns([...KEPT])
    .expression(tokens.selectFrom('token').select([...KEPT]))
    .execute()
}

async function createIndex(
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: string[],
): Promise<void> {
  await db.schema.createIndex(name).ifNotExists().on(table).columns(columns).execute()
}
