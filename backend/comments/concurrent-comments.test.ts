// Many people comment, delete, hide and are blocked at once, on both databases: nothing is lost, no
// position is used twice, and the counts agree with the rows.
import { expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf } from '#test/support/posts.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST } from '../http/viewer.ts'
import { removeCommentsOf } from './own-comments.ts'

const alice = viewerOf('alice')
const NAMES = Array.from({ length: 50 }, (_, at) => `person-${at}`)
const PEOPLE = NAMES.map((name) => viewerOf(name))

describeEachDatabase('comments at once', (open) => {
  test('fifty people comment and reply at once, and lose nothing', async () => {
    await using opened = await open()
    const { write, page, counts, db } = await makeTestComments(opened.db, NAMES)
    const created = await Promise.all(
      PEOPLE.flatMap((person) => [write(person, 'one'), write(person, 'two')]),
    )
    expect(created.map(({ place }) => place).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    )
    const parentId = created[0]?.$id ?? ''
    await Promise.all(PEOPLE.map((person) => write(person, 'a reply', { parentId })))
    const rows = await db.selectFrom('comment').select(['userId', 'place', 'parentId']).execute()
    expect(new Set(rows.map((row) => `${row.parentId} ${row.place}`)).size).toBe(150)
    for (const name of NAMES) expect(rows.filter(({ userId }) => userId === name)).toHaveLength(3)
    expect(await page(GUEST)).toMatchObject({ total: 150, pages: 2 })
    const { stored, counted } = await counts()
    expect(stored).toEqual(counted)
  })

  test('counts stay exact while people write, delete, are hidden or blocked, and leave', {
    tags: ['more'],
  }, async () => {
    await using opened = await open()
    const { write, update, remove, hideAll, block, counts, db, posts } = await makeTestComments(
      opened.db,
      NAMES,
    )
    await posts.write(alice, 'q')
    const first = await Promise.all(PEOPLE.map((person) => write(person, 'first')))
    const ids = first.map(({ $id }) => $id)
    const at = (index: number) => PEOPLE[index % 50] ?? alice
    const works = ids.flatMap((id, index): Promise<unknown>[] => [
      write(at(index + 1), `reply ${index}`, { parentId: id }),
      write(at(index), `elsewhere ${index}`, { postId: 'q' }),
      index % 3 === 0
        ? remove(at(index), id)
        : index % 3 === 1
          ? update(alice, id, { status: 'hidden' })
          : Promise.resolve(),
      index % 7 === 0 ? block(NAMES[index] ?? '', true) : Promise.resolve(),
      index % 11 === 0
        ? hideAll(alice, 'p', { userId: NAMES[index] ?? '', isHidden: true })
        : Promise.resolve(),
      index % 13 === 0
        ? inTransaction(db, posts.background, (tx) => removeCommentsOf(tx, NAMES[index] ?? ''))
        : Promise.resolve(),
    ])
    const faults = (await Promise.allSettled(works)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason] : [],
    )
    // The last type is for a comment to which a decision about its writer is not yet applied.
    const expectedTypes = [
      'document_not_found',
      'user_blocked',
      'user_unauthorized',
      'general_service_disabled',
    ]
    expect(faults.filter(({ type }) => !expectedTypes.includes(type))).toEqual([])
    const during = await counts()
    expect(during.stored).toEqual(during.counted)
    for (const name of NAMES) await block(name, false)
    const after = await counts()
    expect(after.stored).toEqual(after.counted)
    expect(after.stored.discussions[0]?.[0]).toBeGreaterThan(10)
  })
})
