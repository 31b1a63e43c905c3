// Invitations on both databases: one for each address, used once, even by concurrent calls.

import { expect, test } from 'vitest'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeLog } from '../process/log.ts'
import { invite, listInvitations, redeemInvitation, sweepInvitations } from './invitations.ts'

describeEachDatabase('invitations', (open) => {
  test('a new one replaces the older one for its address, expired ones are deleted, and only one use succeeds', async () => {
    await using opened = await open()
    const _log = makeLog('silent')
    let nowMs = Date.parse('2026-03-01T12:00:00.000Z')
    const context = makeTestContext(opened.db, { now: () => new Date(nowMs) })
    await invite(context, { role: 'key' }, { email: 'old@example.test' })
    nowMs += 4 * 86_400_000
    await invite(context, { role: 'key' }, { email: 'carla@example.test', name: 'Ines' })
    const { url } = await invite(context, { role: 'key' }, { email: 'CARLA@example.test' })
    nowMs += 4 * 86_400_000
    await invite(context, { role: 'key' }, { email: 'dora@example.test' })
    const { invitations } = await listInvitations(context)
    expect(invitations.map(({ email, name }) => [email, name])).toEqual([
      ['carla@example.test', ''],
      ['dora@example.test', ''],
    ])
    expect(await opened.db.selectFrom('invitation').select('email').execute()).toHaveLength(2)

    const { searchParams } = new URL(url)
    const userId = searchParams.get('userId')
    const secret = searchParams.get('secret')
    const proof = { userId: userId ?? '', secret: secret ?? '' }
    const uses = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        inTransaction(opened.db, context.background, (tx) =>
          redeemInvitation(tx, proof, context.now()),
        ),
      ),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const use of uses)
      if (use.status === 'rejected')
        expect(use.reason).toMatchObject({ type: 'user_invalid_token' })
    nowMs += 7 * 86_400_000
    await sweepInvitations(context)
    expect(await opened.db.selectFrom('invitation').select('email').execute()).toEqual([])
  })
})
