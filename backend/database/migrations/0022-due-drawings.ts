// Uploads whose previews are to be drawn before anybody asks for them: a row goes when they are
// drawn, so that what a crash left undone is found without looking at all files (decision 0053).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('dueDrawing')
    .ifNotExists()
    .addColumn('storedName', 'text', (c) => c.primaryKey())
    .addColumn('bucketId', 'text', (c) => c.notNull())
    .addColumn('fileId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('dueAt', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .execute()
  const index = db.schema.createIndex('dueDrawingByTime').ifNotExists()
  await index.on('dueDrawing').columns(['dueAt']).execute()
}
