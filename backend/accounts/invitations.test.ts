// Invitations on both databases: one for an address, used once, however many try at once.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { plainSite } from '#test/support/site.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeMailer } from '../mail/mailer.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { invite, listInvitations, redeemInvitation, sweepInvitations } from './invitations.ts'

describeEachDatabase('invitations', (open) => {
  test('the newest replaces the older of its address, the expired go, and one use is all', async () => {
    await using opened = await open()
    const log = makeLog('silent')
    let nowMs = Date.parse('2026-03-01T12:00:00.000Z')
    const needs = {
      db: opened.db,
      background: makeBackground(log),
      log,
      mailer: makeMailer({ mail: { kind: 'off' }, dataDir: '', log }),
      site: plainSite(),
      publicUrl: 'http://localhost:3000',
      now: () => new Date(nowMs),
    }
    await invite(needs, { role: 'key' }, { email: 'old@example.test' })
    nowMs += 4 * 86_400_000
    await invite(needs, { role: 'key' }, { email: 'carla@example.test', name: 'Ines' })
    const { url } = await invite(needs, { role: 'key' }, { email: 'CARLA@example.test' })
    nowMs += 4 * 86_400_000
    await invite(needs, { role: 'key' }, { email: 'dora@example.test' })
    const { invitations } = await listInvitations(needs)
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
        inTransaction(opened.db, needs.background, (tx) =>
          redeemInvitation(tx, proof, needs.now()),
        ),
      ),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const use of uses)
      if (use.status === 'rejected')
        expect(use.reason).toMatchObject({ type: 'user_invalid_token' })
    nowMs += 7 * 86_400_000
    await sweepInvitations(needs)
    expect(await opened.db.selectFrom('invitation').select('email').execute()).toEqual([])
  })
})
