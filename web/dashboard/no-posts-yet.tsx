// The dashboard of somebody who has written nothing yet.
import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { DeletedLink } from './deleted-link.tsx'

/** @param deletions counts what was deleted on this page */
export function NoPostsYet({ deletions }: { deletions: number }) {
  return (
    <div className="dashboard__posts">
      <MessageScreen
        art="lit"
        title={texts.ownPosts.empty}
        titleLevel={2}
        actions={
          <Link className={buttonClass('primary')} to="/add-post">
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
