// Settings: deleting the account. Says what is deleted, asks for the password, then for
// confirmation.
import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { deleteAccount } from './account-changes-api.ts'
import { type FormFailure, formFailureOf } from './form-failure.ts'
import { ReauthenticationLink } from './reauthentication-link.tsx'
import { SettingsSection } from './settings-section.tsx'
import { isWrongPassword, wrongPassword } from './use-settings-form.ts'
import { UsernameHint } from './username-hint.tsx'
import { useViewer } from './viewer.tsx'

/** @param onDeleted clears what this device keeps of the person; awaited before the page goes on */
export function DeleteAccountSection({
  account,
  onDeleted,
}: {
  account: Account
  onDeleted: () => Promise<void>
}) {
  const hasPassword = account.passwordUpdate !== ''
  const { isAsking, isBusy, failure, handleAsk, handleConfirm, handleCancel, form } = useDeletion(
    hasPassword,
    onDeleted,
  )
  return (
    <SettingsSection title={texts.deletion.title} text={texts.deletion.text}>
      {failure && !isAsking && <Alert kind="error">{failure.message}</Alert>}
      <form
        noValidate
        aria-label={texts.deletion.title}
        className="stack"
        ref={form}
        onSubmit={handleAsk}
      >
        <UsernameHint email={account.email} />
        {hasPassword ? (
          <Field label={texts.fields.password} error={failure?.fields.password}>
            {(ids) => <PasswordInput {...ids} name="password" autoComplete="current-password" />}
          </Field>
        ) : (
          <ReauthenticationLink email={account.email} text={texts.freshSignIn.forDeletion} />
        )}
        <div className="row">
          <Button kind="danger" type="submit">
            <Trash2 className="icon" aria-hidden="true" />
            {texts.deletion.button}
          </Button>
        </div>
      </form>
      {isAsking && (
        <ConfirmDialog
          title={texts.deletion.question}
          confirmLabel={texts.deletion.button}
          cancelLabel={texts.deletion.keep}
          isBusy={isBusy}
          error={failure?.message}
          onConfirm={() => void handleConfirm()}
          onCancel={handleCancel}
        >
          {texts.deletion.warning}
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}

function useDeletion(hasPassword: boolean, onDeleted: () => Promise<void>) {
  const api = useApi()
  const { setSignedOut } = useViewer()
  const { show } = useToasts()
  const form = useRef<HTMLFormElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<FormFailure | undefined>()

  function typedPassword(): string {
    const value = form.current ? new FormData(form.current).get('password') : ''
    return typeof value === 'string' ? value : ''
  }
  function handleAsk(event: { preventDefault: () => void }) {
    event.preventDefault()
    if (hasPassword && !typedPassword()) {
      setFailure({
        message: texts.deletion.noPassword,
        fields: { password: texts.deletion.noPassword },
      })
      return
    }
    setFailure(undefined)
    setAsking(true)
  }
  async function handleConfirm() {
    setBusy(true)
    setFailure(undefined)
    try {
      await deleteAccount(api, hasPassword ? typedPassword() : undefined)
      await onDeleted()
      show({ kind: 'ok', text: texts.deletion.done })
      setSignedOut()
    } catch (error) {
      // A wrong password is shown at its field, which is behind the dialog.
      if (hasPassword && isWrongPassword(error)) {
        setAsking(false)
        setFailure(wrongPassword('password'))
      } else setFailure(formFailureOf(error))
      setBusy(false)
    }
  }
  return {
    isAsking,
    isBusy,
    failure,
    handleAsk,
    handleConfirm,
    handleCancel: () => setAsking(false),
    form,
  }
}
