// How much there is of posts, for the prices of lists (list-cost.ts).
import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/** How many posts there are. */
export async function countAllPosts(db: Database): Promise<number> {
  const { total } = await db
    .selectFrom('post')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** How many of these people there are. Stops at `postsMax`. */
export async function countPostsOf(
  db: Database,
  { userIds, postsMax }: { userIds: string[]; postsMax: number },
): Promise<number> {
  const { total } = await db
    .selectFrom((from) =>
      from
        .selectFrom('post')
        .select('userId')
        .where('userId', 'in', userIds)
        .limit(postsMax)
        .as('found'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

type Measured = {
  postsMax: number
  table: 'post' | 'postExtra'
  column: 'title' | 'content' | 'attributes'
  userIds?: string[] | undefined
}

async function measureColumn(
  db: Database,
  { postsMax, table, column, userIds }: Measured,
): Promise<{ bytes: number; posts: number }> {
  const { bytes, posts } = await db
    .selectFrom((from) =>
      from
        .selectFrom(table)
        .select(sql<number>`octet_length(${sql.ref(column)})`.as('bytes'))
        .$if(userIds !== undefined, (rows) => rows.where(sql.ref('userId'), 'in', userIds ?? []))
        .limit(postsMax)
        .as('sized'),
    )
    .select((eb) => [
      eb.fn.sum<number>('bytes').as('bytes'),
      eb.fn.count<number>('bytes').as('posts'),
    ])
    .executeTakeFirstOrThrow()
  return { bytes: Number(bytes ?? 0), posts: Number(posts) }
}

/**
 * How long bodies are, of all people or of these, without reading them. Stops at `postsMax` posts.
 */
export async function measureContent(
  db: Database,
  { postsMax, userIds }: { postsMax: number; userIds?: string[] },
): Promise<number> {
  const of = { table: 'post', column: 'content' } as const
  return (await measureColumn(db, { postsMax, userIds, ...of })).bytes
}

/** How long a title is on average. Stops at `postsMax` posts. */
export async function measureTitle(
  db: Database,
  { postsMax }: { postsMax: number },
): Promise<number> {
  const { bytes, posts } = await measureColumn(db, { postsMax, table: 'post', column: 'title' })
  return posts > 0 ? bytes / posts : 0
}

/** How long the attributes that are no role are, all together. Stops at `postsMax` posts. */
export async function measureOwn(
  db: Database,
  { postsMax }: { postsMax: number },
): Promise<number> {
  const of = { table: 'postExtra', column: 'attributes' } as const
  return (await measureColumn(db, { postsMax, ...of })).bytes
}
