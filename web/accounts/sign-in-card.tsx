// The card around the sign-in and sign-up forms: the lamp beside it on wide screens, the title, the way to the other form.
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import lamp from './lamp.svg'

type SignInCardProps = {
  title: string
  screen: string
  /** The sentence that leads to the other form; its last words carry the underline. */
  other: { to: string; question: string; answer: string }
  children: ReactNode
}

export function SignInCard({ title, screen, other, children }: SignInCardProps) {
  const api = useApi()
  const { state, search } = useLocation()
  return (
    <div className="auth">
      <PageTitle screen={screen} site={api.settings.siteName} />
      <div className="auth__art">
        <img src={lamp} alt="" width={704} height={1200} loading="lazy" />
      </div>
      <div className="auth__form">
        <h1>{title}</h1>
        <Link className="auth__alt" to={{ pathname: other.to, search }} state={state}>
          {other.question} <b>{other.answer}</b>
        </Link>
        {children}
      </div>
    </div>
  )
}
