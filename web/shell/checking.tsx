// What a guard shows while it does not know who is looking, and when it could not find out.
import { RotateCw } from 'lucide-react'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
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
      <PageTitle screen="Something went wrong" site={settings.siteName} />
      <MessageScreen
        art="off"
        title="Something went wrong"
        isAlert
        actions={
          <Button kind="primary" onClick={() => void refresh()}>
            <RotateCw className="i" aria-hidden="true" />
            Try again
          </Button>
        }
      >
        <p>Your account did not load. Your connection may have dropped, or the server is having a moment.</p>
      </MessageScreen>
    </>
  )
}
