// On the dashboard after signing in: a link to the page that was asked for before (product.md §O3).
import { ArrowRight } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { returnPathIn } from '../accounts/return-path.ts'
import { texts } from '../locales/texts.ts'
import { useHistoryState } from '../ui/use-history-state.ts'

export function ContinueStrip() {
  const { pathname } = useLocation()
  const state = useHistoryState()
  const from = pathname === '/dashboard' ? returnPathIn(state) : undefined
  if (!from) return null
  return (
    <section className="strip strip--calm" aria-label={texts.continueStrip.label}>
      <div className="container strip__inner">
        <span>{texts.continueStrip.text}</span>
        <Link className="link" to={from}>
          {texts.continueStrip.link}
          <ArrowRight className="icon icon--small flip-in-rtl" aria-hidden="true" />
        </Link>
      </div>
    </section>
  )
}
