// Sign out as the shell offers it: the call, then a toast about it (product.md §O26).
import { useViewer } from '../accounts/viewer.tsx'
import { refusalText } from '../api/refusal-text.ts'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { useToasts } from '../ui/toasts.tsx'

export function useSignOut(): () => void {
  const { signOut } = useViewer()
  const { show } = useToasts()
  function handleSignOut() {
    signOut().then(
      () => show({ kind: 'ok', text: texts.signedOutEverywhere }),
      (error: unknown) => {
        const failure = failureOf(error)
        const text = failure.code === 0 ? texts.failures.stillSignedIn : refusalText(failure)
        show({
          kind: 'error',
          text,
          action: { label: texts.actions.tryAgain, onPress: handleSignOut },
        })
      },
    )
  }
  return handleSignOut
}
