// The card for the forms of users who are not signed in: the title, the link to the other form, the
// form and, on wide screens, the lamp beside them.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { Link } from '../ui/link.tsx'
import { PageTitle } from '../ui/screens.tsx'
import lamp from './lamp.svg'

type AccountCardProps = {
  title: string
  /** The title of the browser's tab. */
  screen: string
  description?: string | undefined
  /** Above the title. */
  notice?: ReactNode
  /** Below the title. */
  reason?: ReactNode
  /** The link to the other form; `answer` is underlined. */
  other?: { to: string; question: string; answer: string } | undefined
  children: ReactNode
}

export function AccountCard(props: AccountCardProps) {
  const { title, screen, description, notice, reason, other, children } = props
  const { settings } = useApi()
  const { state, search } = useLocation()
  return (
    <div className="box account-card">
      <PageTitle screen={screen} description={description} />
      <div className="account-card__image">
        <img src={lamp} alt="" width={704} height={1200} loading="lazy" />
      </div>
      <div className="stack account-card__body">
        {notice}
        <h1>{title}</h1>
        {reason}
        {other && (
          <Link
            className="target account-card__other"
            to={{ pathname: other.to, search }}
            state={state}
            replace
          >
            {other.question} <b>{other.answer}</b>
          </Link>
        )}
        {settings.setup && (
          <p className="hint">
            {texts.setup.notYet(
              <Link className="link" to="/setup" reloadDocument>
                {texts.setup.screen}
              </Link>,
            )}
          </p>
        )}
        {children}
      </div>
    </div>
  )
}

type CardNoticeProps = { Icon: LucideIcon; role?: 'status'; children: ReactNode }

/** A notice above the form that explains why the form is shown. */
export function CardNotice({ Icon, role, children }: CardNoticeProps) {
  return (
    <div className="account-card__notice" role={role}>
      <Icon className="icon" aria-hidden="true" />
      <p>{children}</p>
    </div>
  )
}
