// What a guard shows while it does not know who is looking, and when it could not find out.
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { NoAnswer } from './no-answer.tsx'
import { PageLoading } from './page-loading.tsx'

export function Checking() {
  const { failure, refresh } = useViewer()
  return failure ? (
    <NoAnswer text={texts.checking.failed} onRetry={() => void refresh()} />
  ) : (
    <PageLoading />
  )
}
