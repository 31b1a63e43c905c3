// What is around the router, in the browser and on the server.
import { type ReactNode, StrictMode, useMemo, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { ViewerProvider } from './accounts/viewer.tsx'
import { type Api, ApiContext } from './api/client.ts'
import { SiteWordsContext, type Words } from './api/site-words.ts'
import { SiteName } from './ui/screens.tsx'

type AppRootProps = {
  api: Api
  /** Who is signed in, as the server found with the page. */
  account: Account | undefined
  /** The page as the server wrote it is for all members, not for `account` alone. */
  isShared: boolean
  children: ReactNode
}

export function AppRoot({ api, account, isShared, children }: AppRootProps) {
  const [words, setWords] = useState<Words>(api.settings)
  const siteWords = useMemo(() => {
    function change({ siteName, about, logo }: Words): void {
      Object.assign(api.settings, { siteName, about, logo })
      setWords({ siteName, about, logo })
    }
    return { ...words, change }
  }, [api, words])
  return (
    <StrictMode>
      <ApiContext value={api}>
        <SiteWordsContext value={siteWords}>
          <ViewerProvider api={api} account={account} isShared={isShared}>
            <SiteName value={words.siteName}>{children}</SiteName>
          </ViewerProvider>
        </SiteWordsContext>
      </ApiContext>
    </StrictMode>
  )
}
