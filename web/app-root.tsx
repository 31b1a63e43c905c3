// The providers around the router, in the browser and on the server.
import { type ReactNode, StrictMode, useMemo, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { ViewerProvider } from './accounts/viewer.tsx'
import { type Api, ApiContext } from './api/client.ts'
import { type SiteIdentity, SiteIdentityContext } from './api/site-identity.ts'
import { SiteName } from './ui/screens.tsx'

type AppRootProps = {
  api: Api
  /** The signed-in user for whom the server rendered the page. */
  account: Account | undefined
  /** The server rendered the page for all members, not for `account` alone. */
  isShared: boolean
  children: ReactNode
}

export function AppRoot({ api, account, isShared, children }: AppRootProps) {
  const [identity, setIdentity] = useState<SiteIdentity>(api.settings)
  const siteIdentity = useMemo(() => {
    function change(changes: Partial<SiteIdentity>): void {
      const { siteName, about, logo, links = [] } = { ...identity, ...changes }
      const newIdentity = { siteName, about, logo, links }
      Object.assign(api.settings, newIdentity)
      setIdentity(newIdentity)
    }
    return { ...identity, change }
  }, [api, identity])
  return (
    <StrictMode>
      <ApiContext value={api}>
        <SiteIdentityContext value={siteIdentity}>
          <ViewerProvider api={api} account={account} isShared={isShared}>
            <SiteName value={identity.siteName}>{children}</SiteName>
          </ViewerProvider>
        </SiteIdentityContext>
      </ApiContext>
    </StrictMode>
  )
}
