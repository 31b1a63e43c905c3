// Asking for the mail that verifies one's own address.
import { useApi } from '../api/api-context.tsx'
import { failureOf } from '../api/result.ts'
import { requestVerification } from './mail-links-api.ts'
import { type MailRequest, useMailRequest } from './use-mail-request.ts'
import { useViewer } from './viewer.tsx'

export function useVerificationMail(): MailRequest {
  const api = useApi()
  const { refresh } = useViewer()
  return useMailRequest(async () => {
    try {
      await requestVerification(api)
    } catch (error) {
      // Already confirmed, on another device: what is on the screen is old.
      if (failureOf(error).code === 409) await refresh()
      throw error
    }
  })
}
