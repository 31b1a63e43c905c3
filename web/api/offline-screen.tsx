// In place of what could not be loaded because there is no network. Whoever shows it loads again
// when the network is back.
import { Link } from 'react-router'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { useApi } from './api-context.tsx'

/** @param props `isPart`: the page has a title of its own above */
export function OfflineScreen({ isPart = false }: { isPart?: boolean }) {
  const { settings } = useApi()
  return (
    <>
      {!isPart && <PageTitle screen={texts.offline.title} site={settings.siteName} />}
      <MessageScreen
        art="off"
        title={texts.offline.title}
        titleLevel={isPart ? 2 : 1}
        status={<LoadingText isImmediate>{texts.offline.waiting}</LoadingText>}
        actions={
          <Link className={buttonClass('secondary')} to="/post">
            {texts.places.allPosts}
          </Link>
        }
      >
        <p>{texts.offline.text}</p>
      </MessageScreen>
    </>
  )
}
