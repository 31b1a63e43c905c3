// Sends the sign-in and sign-up forms.
import { useLocation, useNavigate } from 'react-router'
import { type Read, useForm } from '../forms/use-form.ts'
import { returnStateOf } from './return-path.ts'

/**
 * Sends the form, then navigates to /dispatch with the requested page. This replaces the form in
 * the history, so that "Back" returns to the page before it.
 */
export function useAccountForm(send: (read: Read) => Promise<unknown>) {
  const location = useLocation()
  const navigate = useNavigate()
  return useForm(async (read) => {
    await send(read)
    await navigate('/dispatch', { replace: true, state: returnStateOf(location) })
  })
}
