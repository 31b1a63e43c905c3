// /search, for visitors and for signed-in people alike: each finds the posts that they may read.
import { useSearchParams } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { VISITOR } from '../feed/use-page-data.ts'
import { askedOf } from '../search/found-posts.ts'
import { SearchPageBody } from '../search/search-page-body.tsx'
import { Checking } from './guard.tsx'

export function SearchPage() {
  const [search] = useSearchParams()
  const { userData, isChecking, failure } = useViewer()
  if (!userData && (isChecking || failure)) return <Checking />
  return <SearchPageBody asked={askedOf(search)} viewerId={userData?.$id ?? VISITOR} />
}
