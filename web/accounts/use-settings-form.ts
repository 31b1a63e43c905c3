// What the forms of the settings share: the call answers the account as it is now, the page shows it, and says that it is saved.
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { failureOf } from '../api/outcomes.ts'
import type { FormFailure } from './form-failure.ts'
import { textOf, useForm } from './use-form.ts'
import { useViewer } from './viewer.tsx'

/** Reads a field of the form, as typed. */
type Read = (name: string) => string
type Save = (read: Read) => Promise<{ account: Account } | { failure: FormFailure }>

/** @param save makes the call, or answers a failure of its own; the form is emptied once it is done */
export function useSettingsForm(save: Save, { doneText }: { doneText: string }) {
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
      // The session is gone: the guard leads to the sign-in form, which says so.
      if (isSessionGone(error)) await refresh()
      throw error
    }
  })
  return { isBusy, failure, handleSubmit, doneText: isDone ? doneText : undefined }
}

/** A wrong password is a 401 too, so the type decides. */
export function isSessionGone(error: unknown): boolean {
  return failureOf(error).type === 'general_unauthorized_scope'
}
