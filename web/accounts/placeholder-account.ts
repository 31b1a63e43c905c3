// The account on a page for all members of an audience, until the app adds the viewer's
// (contract/pages.ts, VIEWER_SLOT).
import type { Account } from '#contract/accounts.ts'

/** An account with the id and nothing that a page shows. */
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
