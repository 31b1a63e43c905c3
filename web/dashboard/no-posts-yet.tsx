// The dashboard of somebody who has written nothing yet.
import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { DeletedLink } from './deleted-link.tsx'

type NoPostsYetProps = {
  /** Counts what was deleted on this page. */
  deletions: number
  /** Another button of the page is the bright one. */
  isQuiet: boolean
}

export function NoPostsYet({ deletions, isQuiet }: NoPostsYetProps) {
  return (
    <div className="dashboard__posts">
      <MessageScreen
        art="lit"
        title={texts.ownPosts.empty}
        titleLevel={2}
        actions={
          <Link className={buttonClass(isQuiet ? 'secondary' : 'primary')} to="/add-post">
            <Pencil className="icon" aria-hidden="true" />
            {texts.ownPosts.writeFirst}
          </Link>
        }
      >
        <p>{texts.ownPosts.emptyHint}</p>
      </MessageScreen>
      <DeletedLink changes={deletions} isOnlyWithPosts />
    </div>
  )
}
