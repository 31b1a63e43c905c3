// What a guard shows while it is not known who the viewer is, and when that could not be found out.
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { useWhenOnline } from '../ui/use-online.ts'
import { NoAnswer } from './no-answer.tsx'
import { PageLoading } from './page-loading.tsx'

export function Checking() {
  const { failure, refresh } = useViewer()
  useWhenOnline(() => {
    if (failure) void refresh()
  })
  return failure ? (
    <NoAnswer text={texts.checking.failed} onRetry={() => void refresh()} />
  ) : (
    <PageLoading />
  )
}
