// /author/{userId}: for a signed-in person, or for a visitor where everybody may read it.
import { useViewer } from '../accounts/viewer.tsx'
import { AuthorPage } from '../feed/author-page.tsx'
import { VISITOR } from '../feed/use-page-data.ts'
import { Checking } from './guard.tsx'

export function AuthorScreen() {
  const { userData, isChecking, failure } = useViewer()
  if (!userData && (isChecking || failure)) return <Checking />
  return <AuthorPage viewerId={userData?.$id ?? VISITOR} />
}
