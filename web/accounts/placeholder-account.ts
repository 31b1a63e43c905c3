// Stands in for the viewer's account on a page that the server rendered for a whole audience, until
// the app adds the real account (contract/pages.ts, VIEWER_SLOT).
import type { Account } from '#contract/accounts.ts'

/** An account with the real id, but without anything that a page shows. */
export function placeholderAccount({
  $id,
  emailVerification,
}: Pick<Account, '$id' | 'emailVerification'>): Account {
  return {
    $id,
    emailVerification,
    $createdAt: '',
    $updatedAt: '',
    registration: '',
    accessedAt: '',
    passwordUpdate: '',
    name: '',
    email: '',
    phone: '',
    phoneVerification: false,
    status: true,
    labels: [],
    prefs: {},
  }
}
