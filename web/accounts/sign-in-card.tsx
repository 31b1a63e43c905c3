// The card of the sign-in and sign-up forms, with a link to the other one.
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { AccountCard } from './account-card.tsx'

type SignInCardProps = {
  title: string
  screen: string
  description?: string | undefined
  /**
   * The link to the other form; `answer` is underlined. undefined where there is no other form.
   */
  other: { to: string; question: string; answer: string } | undefined
  notice?: ReactNode
  /** Below the title. */
  reason?: ReactNode
  children: ReactNode
}

export function SignInCard({
  title,
  screen,
  description,
  other,
  notice,
  reason,
  children,
}: SignInCardProps) {
  const { state, search } = useLocation()
  return (
    <AccountCard title={title} screen={screen} description={description} notice={notice}>
      {reason}
      {other && (
        <Link
          className="account-card__other"
          to={{ pathname: other.to, search }}
          state={state}
          replace
        >
          {other.question} <b>{other.answer}</b>
        </Link>
      )}
      {children}
    </AccountCard>
  )
}
