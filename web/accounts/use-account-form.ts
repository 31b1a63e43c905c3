// What the sign-in and sign-up forms share: one submit at a time, the failure kept until the next, on success to /dispatch.
import { type SyntheticEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type FormFailure, formFailureOf } from './form-failure.ts'
import { returnStateOf } from './return-path.ts'

/** @param send makes the calls; what it throws is shown above the form */
export function useAccountForm(send: (values: FormData) => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<FormFailure | undefined>()
  const location = useLocation()
  const navigate = useNavigate()

  async function submit(form: HTMLFormElement) {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await send(new FormData(form))
      await navigate('/dispatch', { state: returnStateOf(location) })
    } catch (error) {
      setFailure(formFailureOf(error))
    } finally {
      setBusy(false)
    }
  }
  function handleSubmit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    void submit(event.currentTarget)
  }
  return { isBusy, failure, handleSubmit }
}

/** The text of a field as typed; a file cannot be there. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
