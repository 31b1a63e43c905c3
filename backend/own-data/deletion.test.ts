// An account is deleted only if the checked password is still the current one; on both databases.

import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf } from '#test/support/posts.ts'
import { makePasswords } from '../accounts/passwords.ts'
import { insertUser, makeUserRow } from '../accounts/users.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import type { OwnDataContext } from './context.ts'
import { deleteOwnAccount } from './deletion.ts'

const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }
const log = makeLog('silent')

describeEachDatabase('own data', (open) => {
  test.each([{ changed: 'another hash' }, { changed: null }])(
    'a user whose password became $changed while it was checked is not deleted',
    async ({ changed }) => {
      await using opened = await open()
      const { db } = opened
      const alice = { id: 'alice', email: 'alice@example.test', name: '', passwordHash: 'hash' }
      await insertUser(db, makeUserRow(alice, new Date()))
      let verify = async () => {
        await db.updateTable('user').set({ passwordHash: changed }).execute()
        return true
      }
      const remove = () =>
        deleteOwnAccount(
          {
            db,
            log,
            background: makeBackground(log),
            now: () => new Date(),
            passwords: { ...makePasswords(), verify: () => verify() },
            lockPostsOf: async () => {},
            deleteMuchContentOf: async () => true,
            deleteAllContentOf: async () => {},
          } as unknown as OwnDataContext,
          viewerOf('alice'),
          'correct horse',
          CALLER,
        )
      await expect(remove()).rejects.toMatchObject({ type: 'user_invalid_credentials' })
      await db.updateTable('user').set({ passwordHash: 'hash' }).execute()
      verify = async () => true
      await remove()
      expect(await db.selectFrom('user').select('id').execute()).toEqual([])
    },
  )
})
