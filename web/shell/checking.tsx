// What a guard shows while it does not know who is looking, and when it could not find out.
import { RotateCw } from 'lucide-react'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { PageLoading } from './page-loading.tsx'

export function Checking() {
  const { settings } = useApi()
  const { failure, refresh } = useViewer()
  if (!failure) return <PageLoading />
  return (
    <>
      <PageTitle screen={texts.failures.title} site={settings.siteName} />
      <MessageScreen
        art="off"
        title={texts.failures.title}
        isAlert
        actions={
          <Button kind="primary" onClick={() => void refresh()}>
            <RotateCw className="i" aria-hidden="true" />
            {texts.actions.tryAgain}
          </Button>
        }
      >
        <p>{texts.checking.failed}</p>
      </MessageScreen>
    </>
  )
}
