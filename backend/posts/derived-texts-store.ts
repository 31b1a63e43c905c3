// What is made of bodies, in SQL (table `postText`). Knows no rule.
import { compiledOnce } from '../database/compiled.ts'
import type { Database, PostTextRow } from '../database/schema.ts'

type Made =
  | Pick<PostTextRow, 'cleanDigest' | 'cleaned'>
  | Pick<PostTextRow, 'textsDigest' | 'texts'>
  | Pick<PostTextRow, 'codeDigest' | 'code'>

/** What is kept of the cleaning of a body. */
export async function findCleaned(
  db: Database,
  postId: string,
): Promise<Pick<PostTextRow, 'cleanDigest' | 'cleaned'> | undefined> {
  return (await selectCleaned(db, { postId })).rows[0]
}

const selectCleaned = compiledOnce((db, { postId }: { postId: string }) =>
  db.selectFrom('postText').select(['cleanDigest', 'cleaned']).where('postId', '=', postId),
)

export async function findTexts(
  db: Database,
  postId: string,
): Promise<Pick<PostTextRow, 'textsDigest' | 'texts'> | undefined> {
  return (await selectTexts(db, { postId })).rows[0]
}

const selectTexts = compiledOnce((db, { postId }: { postId: string }) =>
  db.selectFrom('postText').select(['textsDigest', 'texts']).where('postId', '=', postId),
)

export async function findCode(
  db: Database,
  postId: string,
): Promise<Pick<PostTextRow, 'codeDigest' | 'code'> | undefined> {
  return (await selectCode(db, { postId })).rows[0]
}

const selectCode = compiledOnce((db, { postId }: { postId: string }) =>
  db.selectFrom('postText').select(['codeDigest', 'code']).where('postId', '=', postId),
)

/** @throws the database's own foreign key fault when the post is gone */
export async function keep(db: Database, postId: string, made: Made): Promise<void> {
  await keepOne(db, { postId, ...made })
}

const keepOne = compiledOnce((db, { postId, ...made }: Made & { postId: string }) =>
  db
    .insertInto('postText')
    .values({ postId, ...made })
    .onConflict((conflict) => conflict.column('postId').doUpdateSet(made)),
)
