// Follows what other tabs and devices make of the account: name, avatar, theme, and the end of the
// session.
import type { Account } from '#contract/accounts.ts'
import { useLive } from '../api/use-live.ts'

type Followed = {
  /** Whom the page is for; undefined for a visitor, who has nothing to follow. */
  userId: string | undefined
  noteAccount: (account: Account) => void
  noteSessionEnded: () => void
}

export function useLiveAccount({ userId, noteAccount, noteSessionEnded }: Followed): void {
  useLive(
    userId === undefined ? undefined : 'account',
    {
      handleEvent({ events, payload }) {
        if (events.includes(`users.${userId}.update`)) noteAccount(payload as Account)
      },
      // The server ends the connections of a session with it: the next one is nobody's.
      handleConnected(user) {
        if (user) noteAccount(user)
        else noteSessionEnded()
      },
    },
    userId,
  )
}
