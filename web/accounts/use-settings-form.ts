// What the forms of the settings share: the call answers the changed account, the page shows it and
// says that it is saved.
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { type FormFailure, fieldFailure } from './form-failure.ts'
import { textOf, useForm } from './use-form.ts'
import { useViewer } from './viewer.tsx'

/** Reads a field of the form, as typed. */
type Read = (name: string) => string
type Save = (read: Read) => Promise<{ account: Account } | { failure: FormFailure }>

type SettingsFormOptions = {
  doneText: string
  /** The field of the current password, which shows the message for a wrong one. */
  passwordField?: 'password' | 'oldPassword'
}

export type SettingsFormState = ReturnType<typeof useSettingsForm>

/** @param save makes the call, or answers a failure of its own; on success the form is reset */
export function useSettingsForm(save: Save, { doneText, passwordField }: SettingsFormOptions) {
  const { setAccount, refresh } = useViewer()
  const [isDone, setDone] = useState(false)
  const { isBusy, failure, handleSubmit } = useForm(async (values, form) => {
    setDone(false)
    try {
      const answer = await save((name) => textOf(values, name))
      if ('failure' in answer) return answer.failure
      setAccount(answer.account)
      setDone(true)
      form.reset()
      return undefined
    } catch (error) {
      // The session has ended: the guard then leads to the sign-in form, which says so.
      if (isSessionGone(error)) await refresh()
      if (passwordField && isWrongPassword(error)) return wrongPassword(passwordField)
      throw error
    }
  })
  return { isBusy, failure, handleSubmit, doneText: isDone ? doneText : undefined }
}

export function isWrongPassword(error: unknown): boolean {
  return failureOf(error).type === 'user_invalid_credentials'
}

/** Only the password was asked for: the server's text, "e-mail or password", does not fit here. */
export function wrongPassword(field: 'password' | 'oldPassword'): FormFailure {
  return fieldFailure(field, texts.forms.wrongPassword)
}

/** A wrong password is a 401, too: the type tells them apart. */
export function isSessionGone(error: unknown): boolean {
  return failureOf(error).type === 'general_unauthorized_scope'
}
