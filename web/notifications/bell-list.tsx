// What the bell opens: the newest lines, and the ways on.
import { Settings } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Note, NotificationList, ReadAllButton } from './notification-list.tsx'
import { useNotifications } from './use-notifications.ts'

const LINES = 10

export function BellList() {
  const of = useNotifications()
  const { page } = of
  return (
    <>
      <div className="apart notes__head">
        <h2 tabIndex={-1}>{texts.bell.title}</h2>
        <ReadAllButton of={of} kind="ghost" />
      </div>
      <div className="notes__lines">
        <NotificationList of={of}>
          <ul className="lines">
            {page?.list.slice(0, LINES).map((note) => (
              <li key={note.$id}>
                <Note note={note} onOpen={of.markRead} />
              </li>
            ))}
          </ul>
        </NotificationList>
      </div>
      <div className="apart notes__foot">
        <ButtonLink kind="ghost" to="/notifications">
          {texts.bell.seeAll}
        </ButtonLink>
        <ButtonLink kind="ghost" to="/settings#notifications" Icon={Settings}>
          {texts.bell.settings}
        </ButtonLink>
      </div>
    </>
  )
}
