// What is around the router, in the browser and on the server.
import { type ReactNode, StrictMode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { ViewerProvider } from './accounts/viewer.tsx'
import { type Api, ApiContext } from './api/client.ts'
import { SiteName } from './ui/screens.tsx'

type AppRootProps = {
  api: Api
  /** Who is signed in, as the server found with the page. */
  account: Account | undefined
  children: ReactNode
}

export function AppRoot({ api, account, children }: AppRootProps) {
  return (
    <StrictMode>
      <ApiContext value={api}>
        <ViewerProvider api={api} account={account}>
          <SiteName value={api.settings.siteName}>{children}</SiteName>
        </ViewerProvider>
      </ApiContext>
    </StrictMode>
  )
}
