// What a person does with imports: starts, pauses, continues and undoes them. While the server
// works on one, the browser polls its state.
import type { ImportChoices, ImportRun, ImportState } from '#contract/archive.ts'
import { useApi } from '../api/client.ts'
import { afterDialogs } from '../ui/use-modal.ts'
import { changeImport, checkImport, discardImport, readImport, startImport } from './archive-api.ts'
import { usePollingWhile } from './poll-while.ts'
import { useFileUpload } from './use-file-upload.ts'
import { focusHeading, type ImportsOptions, useImportRuns } from './use-import-runs.ts'

const WORKING: readonly ImportState[] = ['checking', 'waiting', 'running', 'undoing']

export type Imports = ReturnType<typeof useImports>

export function useImports(options: ImportsOptions) {
  const { scope, section } = options
  const api = useApi()
  const stored = useImportRuns(options)
  const { runs, run, problem, pending, reading, attempt } = stored
  const { upload, chosenKind, begin } = useFileUpload(scope, stored)
  const id = run?.$id ?? ''
  const isWorking = run !== undefined && WORKING.includes(run.state)
  usePollingWhile(isWorking ? id : undefined, async (wasLost) => {
    const latest = await readImport(api, scope, id)
    if (latest.ok) stored.show(latest.value, wasLost)
    else if (latest.failure.code >= 400 && latest.failure.code < 500)
      await stored.fail(latest.failure)
    return latest.ok
  })

  /** Leaves the shown import. What has imported nothing yet is discarded. */
  async function showNew() {
    const hasImported = run === undefined || run.startedAt !== ''
    if (hasImported) return stored.showNew()
    await attempt(
      'another',
      () => discardImport(api, scope, id),
      () => {
        stored.remove(id)
        stored.showNew()
      },
    )
  }

  return {
    scope,
    run,
    runs,
    upload,
    chosenKind,
    problem,
    pending,
    reading,
    begin,
    showNew,
    show(earlier: ImportRun) {
      stored.show(earlier)
      focusHeading(section)
    },
    check: (oldAddress: string) =>
      attempt('check', () => checkImport(api, scope, id, oldAddress), stored.show),
    start: (choices: ImportChoices) =>
      attempt('start', () => startImport(api, scope, id, choices), stored.show),
    act: (action: 'pause' | 'resume') =>
      attempt(
        action,
        () => changeImport(api, scope, id, action),
        (changed) => stored.show(changed, action === 'resume'),
      ),
    /** For a confirmation. If it fails, the page says so. */
    async undo() {
      await attempt('undo', () => changeImport(api, scope, id, 'undo'), stored.show)
      afterDialogs(() => focusHeading(section))
      return undefined
    },
  }
}
