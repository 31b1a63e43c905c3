// What the sign-in and sign-up forms share: on success they lead to /dispatch, with the page that
// was asked for. They leave no entry in the history: one press goes back to the page before.
import { useLocation, useNavigate } from 'react-router'
import { returnStateOf } from './return-path.ts'
import { type Send, useForm } from './use-form.ts'

/** @param send makes the calls; a failure it throws or returns is shown above the form */
export function useAccountForm(send: Send) {
  const location = useLocation()
  const navigate = useNavigate()
  return useForm(async (values, form) => {
    const failure = await send(values, form)
    if (!failure) await navigate('/dispatch', { replace: true, state: returnStateOf(location) })
    return failure
  })
}
