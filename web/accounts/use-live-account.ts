// Follows what other tabs and devices make of the account: name, avatar, theme, and the end of the
// session.
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { useLive } from '../api/use-live.ts'
import { askWhoIsAnswered } from './accounts-api.ts'
import { useViewer } from './viewer.tsx'

/** @param isOn there is nothing to follow for a visitor, and a form is left alone */
export function useLiveAccount({ isOn }: { isOn: boolean }): void {
  const api = useApi()
  const { userData, noteAccount } = useViewer()
  const userId = userData?.$id
  useLive(
    isOn && userId !== undefined ? 'account' : undefined,
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
