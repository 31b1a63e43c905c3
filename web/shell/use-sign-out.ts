// Sign out as the shell offers it: the call, then a word about it (ruling O26).
import { useViewer } from '../accounts/viewer.tsx'
import { failureOf } from '../api/outcomes.ts'
import { useToasts } from '../ui/toasts.tsx'

export function useSignOut(): () => void {
  const { signOut } = useViewer()
  const { show } = useToasts()
  function handleSignOut() {
    signOut().then(
      () => show({ kind: 'ok', text: 'You are signed out on all devices.' }),
      (error: unknown) => {
        const { code, message } = failureOf(error)
        const text = code === 0 ? 'You are still signed in: the server did not answer.' : message
        show({ kind: 'error', text, action: { label: 'Try again', onPress: handleSignOut } })
      },
    )
  }
  return handleSignOut
}
