// Asks whether a linked way into the account goes, and says what ends with it.
import { useState } from 'react'
import { texts } from '../locales/texts.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { formFailureOf } from './form-failure.ts'
import type { SignInWay } from './sign-in-ways.ts'

type RemoveWayDialogProps = {
  way: SignInWay
  hasPassword: boolean
  /** Rejects when it fails: the dialog says why. */
  onRemove: () => Promise<void>
  onCancel: () => void
}

export function RemoveWayDialog({ way, hasPassword, onRemove, onCancel }: RemoveWayDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [failureText, setFailureText] = useState<string | undefined>()
  const { removal } = texts

  async function handleConfirm() {
    setBusy(true)
    setFailureText(undefined)
    try {
      await onRemove()
    } catch (error) {
      setFailureText(formFailureOf(error).message)
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      isWide
      title={removal.question}
      confirmLabel={removal.button}
      cancelLabel={texts.actions.cancel}
      isBusy={isBusy}
      error={failureText}
      onConfirm={() => void handleConfirm()}
      onCancel={onCancel}
    >
      <p>
        {removal.noLonger(<bdi>{way.identity.providerEmail || removal.thisAccount}</bdi>)}{' '}
        {hasPassword && `${removal.passwordStays} `}
        {removal.sessionsEnd(way.otherSessions)}
      </p>
    </ConfirmDialog>
  )
}
