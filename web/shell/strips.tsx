// The strips under the header: offline, online again, and after signing in a link to the page that
// was requested before (product.md §O3).
import { ArrowRight, Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { returnPathIn } from '../accounts/return-path.ts'
import { timeOfDay } from '../dates/dates.tsx'
import { lastDraftSave } from '../drafts/draft-store.ts'
import { texts } from '../locales/texts.ts'
import { Link } from '../ui/link.tsx'
import { useHistoryState } from '../ui/use-is-hydrated.ts'
import { useIsOnline } from '../ui/use-online.ts'

const BACK_SHOWN_MS = 3000

export function OfflineStrip() {
  const isOnline = useIsOnline()
  const savedAtMs = useSyncExternalStore(lastDraftSave.subscribe, lastDraftSave.get, () => 0)
  /** Saves before this time are not announced. */
  const [savedBeforeMs, setSavedBefore] = useState(0)
  const [isBack, setBack] = useState(false)
  const [wasOnline, setWasOnline] = useState(isOnline)
  if (wasOnline !== isOnline) {
    setWasOnline(isOnline)
    setBack(isOnline)
    setSavedBefore(savedAtMs)
  }
  useEffect(() => {
    if (!isBack) return
    const timer = setTimeout(() => setBack(false), BACK_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isBack])

  const isShown = !isOnline || isBack
  const Icon = isOnline ? Wifi : WifiOff
  return (
    <div role="status" className={isOnline ? (isBack ? 'strip strip--calm' : undefined) : 'strip'}>
      {isShown && (
        <div className="container strip__inner">
          <Icon className="icon" aria-hidden="true" />
          {isOnline ? (
            <span>
              {savedAtMs > savedBeforeMs
                ? texts.network.backAndSaved(timeOfDay(savedAtMs))
                : texts.network.back}
            </span>
          ) : (
            <span>
              <b>{texts.network.gone}</b> {texts.network.goneText}
            </span>
          )}
        </div>
      )}
    </div>
  )
}

export function ContinueStrip() {
  const { pathname } = useLocation()
  const state = useHistoryState()
  const from = pathname === '/dashboard' ? returnPathIn(state) : undefined
  if (!from) return null
  return (
    <section className="strip strip--calm" aria-label={texts.continueStrip.label}>
      <div className="container strip__inner">
        <span>{texts.continueStrip.text}</span>
        <Link className="target link" to={from}>
          {texts.continueStrip.link}
          <ArrowRight className="icon icon--small flip-in-rtl" aria-hidden="true" />
        </Link>
      </div>
    </section>
  )
}

/** Id of the element under the header for messages about changes to the open page. */
export const LIVE_STRIPS_ID = 'live-strips'
