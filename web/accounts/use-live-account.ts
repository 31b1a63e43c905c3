// Follows what other tabs and devices make of the account: name, avatar, theme, and the end of the
// session.
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { useLive } from '../api/use-live.ts'
import { askWhoIsAnswered } from './accounts-api.ts'

type Followed = {
  /** Whom the page is for; undefined for a visitor, who has nothing to follow. */
  userId: string | undefined
  noteAccount: (account: Account) => void
}

export function useLiveAccount({ userId, noteAccount }: Followed): void {
  const api = useApi()
  useLive(
    userId === undefined ? undefined : 'account',
    {
      handleEvent({ events, payload }) {
        if (events.includes(`users.${userId}.update`)) noteAccount(payload as Account)
      },
      // The server ends the connections of a session with it: the next one is nobody's. That a
      // proxy keeps the cookie away from connections alone is no end.
      handleConnected(user) {
        if (user) noteAccount(user)
        else void askWhoIsAnswered(api)
      },
    },
    userId,
  )
}
