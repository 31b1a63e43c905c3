// What is made of the texts of posts, in SQL (table `postText`). Knows no rule.
import { compiledOnce } from '../database/compiled.ts'
import type { Database, PostTextRow } from '../database/schema.ts'

export async function findTexts(db: Database, postId: string): Promise<PostTextRow | undefined> {
  return (await selectTexts(db, { postId })).rows[0]
}

const selectTexts = compiledOnce((db, { postId }: { postId: string }) =>
  db.selectFrom('postText').selectAll().where('postId', '=', postId),
)

/** @throws the database's own foreign key fault when the post is gone */
export async function keepTexts(db: Database, row: PostTextRow): Promise<void> {
  await keepOne(db, row)
}

const keepOne = compiledOnce((db, row: PostTextRow) =>
  db
    .insertInto('postText')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('postId').doUpdateSet(({ ref }) => ({
        rules: ref('excluded.rules'),
        digest: ref('excluded.digest'),
        words: ref('excluded.words'),
        shownDigest: ref('excluded.shownDigest'),
        texts: ref('excluded.texts'),
        cleaned: ref('excluded.cleaned'),
        code: ref('excluded.code'),
      })),
    ),
)

/** The newest posts before this one, and the rules that their texts were made by. */
export async function listRules(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<{ seq: number; rules: string | null }[]> {
  const rows = await db
    .selectFrom('post')
    .leftJoin('postText', 'postText.postId', 'post.id')
    .select(['post.seq', 'postText.rules'])
    .where('post.seq', '<', before)
    .orderBy('post.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ seq, rules }) => ({ seq: Number(seq), rules }))
}

export async function findBody(
  db: Database,
  seq: number,
): Promise<{ id: string; userId: string; content: string } | undefined> {
  return await db
    .selectFrom('post')
    .select(['id', 'userId', 'content'])
    .where('seq', '=', seq)
    .executeTakeFirst()
}
