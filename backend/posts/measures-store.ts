// How much there is of posts, for the prices of lists (list-cost.ts).
import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/** How many posts there are, of all people or of these. */
export async function countAllPosts(db: Database, userIds?: string[]): Promise<number> {
  const posts = db.selectFrom('post').select((eb) => eb.fn.countAll<number>().as('total'))
  const { total } = await (userIds
    ? posts.where('userId', 'in', userIds)
    : posts
  ).executeTakeFirstOrThrow()
  return Number(total)
}

/**
 * How long bodies are, of all people or of these, without reading them. Stops at `postsMax` posts.
 */
export async function measureContent(
  db: Database,
  { postsMax, userIds }: { postsMax: number; userIds?: string[] },
): Promise<number> {
  const measured = await db
    .selectFrom((from) =>
      from
        .selectFrom('post')
        .select(sql<number>`octet_length(content)`.as('bytes'))
        .$if(userIds !== undefined, (posts) => posts.where('userId', 'in', userIds ?? []))
        .limit(postsMax)
        .as('sized'),
    )
    .select((eb) => eb.fn.sum<number>('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(measured.bytes ?? 0)
}

/** How long a title is on average. Stops at `postsMax` posts. */
export async function measureTitle(
  db: Database,
  { postsMax }: { postsMax: number },
): Promise<number> {
  const measured = await db
    .selectFrom((from) =>
      from
        .selectFrom('post')
        .select(sql<number>`octet_length(title)`.as('bytes'))
        .limit(postsMax)
        .as('sized'),
    )
    .select((eb) => eb.fn.avg<number>('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(measured.bytes ?? 0)
}

/** How long the attributes that are no role are, all together. Stops at `postsMax` posts. */
export async function measureOwn(
  db: Database,
  { postsMax }: { postsMax: number },
): Promise<number> {
  const measured = await db
    .selectFrom((from) =>
      from
        .selectFrom('postExtra')
        .select(sql<number>`octet_length(attributes)`.as('bytes'))
        .limit(postsMax)
        .as('sized'),
    )
    .select((eb) => eb.fn.sum<number>('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(measured.bytes ?? 0)
}
