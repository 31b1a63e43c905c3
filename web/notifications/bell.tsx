// The bell in the header: events update its number, and its list is loaded when it is pressed.
import { Bell as BellIcon } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import type { NotificationCount } from '#contract/notifications.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { useLive } from '../api/use-live.ts'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button.tsx'
import { loadWhenOnline } from '../ui/load-code.ts'
import { Menu } from '../ui/menu.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { useIsOnline } from '../ui/use-online.ts'
import { bellCount, useBellCount } from './bell-count.ts'
import { countNotifications } from './notifications-api.ts'
import './notifications-sheets.css'

const BellList = lazy(async () => {
  // Offline the request would fail, and the browser would log that in the console.
  if (!navigator.onLine)
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
  const { BellList: default_ } = await loadWhenOnline(() => import('./bell-list.tsx'))
  return { default: default_ }
})

/** @param props.startsOpen whether its placeholder was pressed before the bell was loaded */
export function Bell({ startsOpen }: { startsOpen: boolean }) {
  const api = useApi()
  const { userData } = useViewer()
  const newCount = useBellCount()
  const isOnline = useIsOnline()
  const count = useEffectEvent(async () => {
    const result = await countNotifications(api)
    if (result.ok) bellCount.set(result.value.new)
  })
  useEffect(() => {
    void count()
    return () => bellCount.set(0)
  }, [])
  const live = {
    handleEvent: ({ payload }: { payload: unknown }) =>
      bellCount.set((payload as NotificationCount).new),
    handleMissedEvents: () => void count(),
  }
  useLive('notifications', live, userData?.$id)
  return (
    <Menu
      label={texts.bell.title}
      buttonLabel={texts.bell.button(newCount)}
      buttonClass={buttonClass('ghost', 'btn--icon bell')}
      className="bell-anchor"
      panelClass="notes"
      startsOpen={startsOpen}
      button={
        <>
          <BellIcon className="icon" aria-hidden="true" />
          {newCount > 0 && (
            <span className="bell__number" aria-hidden="true">
              {texts.bell.number(newCount)}
            </span>
          )}
        </>
      }
    >
      <Suspense
        fallback={<LoadingText>{isOnline ? texts.bell.loading : texts.network.gone}</LoadingText>}
      >
        <BellList />
      </Suspense>
    </Menu>
  )
}
