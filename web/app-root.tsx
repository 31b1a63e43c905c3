// What is around the router, in the browser and on the server.
import { type ReactNode, StrictMode } from 'react'
import { ViewerProvider } from './accounts/viewer.tsx'
import { ApiProvider } from './api/api-context.tsx'
import type { Api } from './api/client.ts'

export function AppRoot({ api, children }: { api: Api; children: ReactNode }) {
  return (
    <StrictMode>
      <ApiProvider api={api}>
        <ViewerProvider api={api}>{children}</ViewerProvider>
      </ApiProvider>
    </StrictMode>
  )
}
