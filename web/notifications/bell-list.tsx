// The panel of the bell: the newest notifications, with links to all of them and to the settings.
import { Settings } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { NotificationItem, NotificationList, ReadAllButton } from './notification-list.tsx'
import { useNotifications } from './use-notifications.ts'

const SHOWN_MAX = 10

export function BellList() {
  const notifications = useNotifications()
  const { page } = notifications
  return (
    <>
      <div className="apart notes__head">
        <h2 tabIndex={-1}>{texts.bell.title}</h2>
        <ReadAllButton notifications={notifications} kind="ghost" />
      </div>
      <div className="notes__lines">
        <NotificationList notifications={notifications}>
          <ul className="lines">
            {page?.list.slice(0, SHOWN_MAX).map((notification) => (
              <li key={notification.$id}>
                <NotificationItem notification={notification} onOpen={notifications.markRead} />
              </li>
            ))}
          </ul>
        </NotificationList>
      </div>
      <div className="apart notes__foot">
        <ButtonLink kind="ghost" to="/notifications">
          {texts.bell.seeAll}
        </ButtonLink>
        <ButtonLink kind="ghost" to="/settings/notifications" Icon={Settings}>
          {texts.bell.settings}
        </ButtonLink>
      </div>
    </>
  )
}
