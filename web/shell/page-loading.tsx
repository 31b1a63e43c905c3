// Shown while the code of a page is loading, inside the shell so that nothing moves.
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { PageTitle } from '../ui/page-title.tsx'

export function PageLoading() {
  const { settings } = useApi()
  return (
    <div className="message-screen message-screen--guard">
      <PageTitle screen={texts.waiting.screen} site={settings.siteName} />
      <h1 className="visually-hidden">{settings.siteName}</h1>
      <LoadingText>{texts.waiting.page}</LoadingText>
    </div>
  )
}
