// The card around the forms for people who are not signed in: the lamp beside it on wide screens,
// the title, the form.
import type { ReactNode } from 'react'
import { useApi } from '../api/api-context.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import lamp from './lamp.svg'

type AccountCardProps = {
  title: string
  /** For the browser's tab. */
  screen: string
  description?: string | undefined
  /** Above the title. */
  notice?: ReactNode
  children: ReactNode
}

export function AccountCard({ title, screen, description, notice, children }: AccountCardProps) {
  const api = useApi()
  return (
    <div className="account-card">
      <PageTitle screen={screen} site={api.settings.siteName} description={description} />
      <div className="account-card__image">
        <img src={lamp} alt="" width={704} height={1200} loading="lazy" />
      </div>
      <div className="account-card__body">
        {notice}
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  )
}
