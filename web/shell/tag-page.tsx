// /tag/{tag}, for visitors and for signed-in people alike: each sees the posts that they may read.
import { useParams, useSearchParams } from 'react-router'
import { tagKey } from '#contract/plain-text.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { TagPostsPage } from '../feed/tag-posts-page.tsx'
import { VISITOR } from '../feed/use-page-data.ts'
import { Checking } from './guard.tsx'

export function TagPage() {
  const { tag = '' } = useParams()
  const [search] = useSearchParams()
  const { userData, isChecking, failure } = useViewer()
  if (!userData && (isChecking || failure)) return <Checking />
  const after = search.get('after') || undefined
  return <TagPostsPage tag={tagKey(tag)} after={after} viewerId={userData?.$id ?? VISITOR} />
}
