// A page that all members of an audience get shows none of them until the app adds who is reading
// (contract/pages.ts, VIEWER_SLOT).
import type { Account } from '#contract/accounts.ts'

/** What such a page says of its reader: who they are in keys, and nothing that is shown. */
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
