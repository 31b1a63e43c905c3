// Settings: importing one's posts from elsewhere, and taking them along.
import { roleOf } from '#contract/permissions.ts'
import { useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import { type Archives, readArchives } from '../archive/archive-api.ts'
import { ImportSection } from '../archive/import-section.tsx'
import { OwnExports } from '../archive/own-exports.tsx'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { LoadingText } from '../ui/screens.tsx'
import { useAccount } from './settings-frame.tsx'

export function ArchiveSettings() {
  const { $id, labels } = useAccount()
  const api = useApi()
  const initial = useInitialData<Archives>($id)
  const { value: archives, retry } = useLoaded($id, () => readArchives(api, 'account'), initial)
  if (!archives) return <LoadingText>{texts.loading.page}</LoadingText>
  if (!archives.ok)
    return <LoadFailure isInline text={reasonText(archives.failure)} onRetry={retry} />
  const { imports, exports } = archives.value
  return (
    <div className="archive-sections">
      {roleOf(labels) !== 'reader' && <ImportSection scope="account" initial={imports} />}
      <OwnExports initial={exports} />
    </div>
  )
}
