// The screen for a request without an answer, with a button that tries again.
import { RotateCw } from 'lucide-react'
import type { Ref } from 'react'
import { useApi } from '../api/api-context.tsx'
import { OfflineScreen } from '../api/offline-screen.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { useIsOnline } from '../ui/use-online.ts'

type NoAnswerProps = {
  text: string
  onRetry: () => void
  /** A new try is running. */
  isBusy?: boolean
  button?: Ref<HTMLButtonElement>
}

/** Without a network it says so instead; whoever shows it tries again when that is back. */
export function NoAnswer({ text, onRetry, isBusy = false, button }: NoAnswerProps) {
  const { settings } = useApi()
  const isOnline = useIsOnline()
  if (!isOnline) return <OfflineScreen />
  return (
    <>
      <PageTitle screen={texts.failures.title} site={settings.siteName} />
      <MessageScreen
        art="off"
        title={texts.failures.title}
        isAlert
        actions={
          <Button
            ref={button}
            kind="primary"
            isBusy={isBusy}
            busyLabel={texts.waiting.page}
            onClick={onRetry}
          >
            <RotateCw className="icon" aria-hidden="true" />
            {texts.actions.tryAgain}
          </Button>
        }
      >
        <p>{text}</p>
      </MessageScreen>
    </>
  )
}
