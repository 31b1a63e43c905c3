// What is around the router, in the browser and on the server.
import { type ReactNode, StrictMode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { ViewerProvider } from './accounts/viewer.tsx'
import { ApiProvider } from './api/api-context.tsx'
import type { Api } from './api/client.ts'
import { SiteName } from './ui/page-title.tsx'

type AppRootProps = {
  api: Api
  /** Who is signed in, as the server found with the page. */
  account: Account | undefined
  children: ReactNode
}

export function AppRoot({ api, account, children }: AppRootProps) {
  return (
    <StrictMode>
      <ApiProvider api={api}>
        <ViewerProvider api={api} account={account}>
          <SiteName value={api.settings.siteName}>{children}</SiteName>
        </ViewerProvider>
      </ApiProvider>
    </StrictMode>
  )
}
