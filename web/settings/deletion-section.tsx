// Settings: the deletion of the account.
import { Trash2 } from 'lucide-react'
import { type SyntheticEvent, useRef, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { deleteAccount } from '../accounts/accounts-api.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { deleteCommentDrafts } from '../drafts/comment-drafts.ts'
import { draftStore } from '../drafts/draft-store.ts'
import { deleteLocalImages } from '../files/local-image-store.ts'
import {
  type FormFailure,
  fieldFailure,
  formFailureOf,
  isWrongPassword,
} from '../forms/form-failure.ts'
import { UsernameHint } from '../forms/form-parts.tsx'
import { readerOf } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { PasswordField } from '../ui/field.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { SettingsSection, SignInAgain, wrongPassword } from './settings-form.tsx'

/** Says what is deleted, and asks for the password, then for a confirmation. */
export function DeleteAccountSection({ account }: { account: Account }) {
  const api = useApi()
  const { setSignedOut } = useViewer()
  const { show } = useToasts()
  const form = useRef<HTMLFormElement>(null)
  const { ask, dialog } = useConfirm()
  const [failure, setFailure] = useState<FormFailure>()
  const hasPassword = account.passwordUpdate !== ''
  const words = texts.deletion
  const readPassword = () =>
    hasPassword && form.current ? readerOf(form.current)('password') : undefined

  async function handleConfirm() {
    try {
      await deleteAccount(api, readPassword())
    } catch (error) {
      const isWrong = hasPassword && isWrongPassword(error)
      const reason = isWrong ? wrongPassword('password') : formFailureOf(error)
      setFailure(reason)
      // If the password is wrong, the dialog closes, and the field behind it says so.
      return isWrong ? undefined : reason.message
    }
    await forgetDevice(account.$id)
    show({ kind: 'ok', text: words.done })
    setSignedOut()
    return undefined
  }

  function handleAsk(event: SyntheticEvent) {
    event.preventDefault()
    const isMissing = hasPassword && !readPassword()
    setFailure(isMissing ? fieldFailure('password', words.noPassword) : undefined)
    if (isMissing) return
    ask({
      title: words.question,
      text: words.warning,
      confirmLabel: words.button,
      cancelLabel: words.keep,
      onConfirm: handleConfirm,
    })
  }
  return (
    <SettingsSection title={words.title} text={words.text}>
      {failure && !dialog && <Alert kind="error">{failure.message}</Alert>}
      <form noValidate aria-label={words.title} className="stack" ref={form} onSubmit={handleAsk}>
        <UsernameHint email={account.email} />
        {hasPassword ? (
          <PasswordField
            label={texts.fields.password}
            error={failure?.fields.password}
            name="password"
            autoComplete="current-password"
          />
        ) : (
          <SignInAgain text={texts.recentSignIn.forDeletion} />
        )}
        <div className="row">
          <Button kind="danger" type="submit" Icon={Trash2}>
            {words.button}
          </Button>
        </div>
      </form>
      {dialog}
    </SettingsSection>
  )
}

/** Deletes the drafts and images of the user on this device, before another page is shown. */
async function forgetDevice(userId: string): Promise<void> {
  await draftStore.deleteAll(userId)
  deleteCommentDrafts(userId)
  await deleteLocalImages({ userId })
}
