// The strip that says that the network is down, and for a moment that it is back and what was
// saved since.
import { Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { lastSaved } from '../drafts/last-saved.ts'
import { texts } from '../locales/texts.ts'
import { timeOfDay } from '../posts/time-of-day.ts'
import { useIsOnline } from '../ui/use-online.ts'

const BACK_SHOWN_MS = 3000

export function OfflineStrip() {
  const isOnline = useIsOnline()
  const savedAtMs = useSyncExternalStore(lastSaved.subscribe, lastSaved.get, () => 0)
  /** What was saved before that moment is no news. */
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
