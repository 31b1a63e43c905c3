// /post where everybody may read the list: the feed of a signed-in person, the list of a visitor.
import { useViewer } from '../accounts/viewer.tsx'
import { FeedPage } from '../feed/feed-page.tsx'
import { OpenFeedPage } from '../feed/open-feed-page.tsx'
import { Checking } from './guard.tsx'

export function AllPostsPage() {
  const { status, isChecking, failure } = useViewer()
  if (status) return <FeedPage />
  return isChecking || failure ? <Checking /> : <OpenFeedPage />
}
