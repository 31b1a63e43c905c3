// Settings: the space that the user's files take, and a list of the files with their uses.
import { useRef, useState } from 'react'
import type { OwnFile, OwnFiles } from '#contract/files.ts'
import { useApi } from '../api/client.ts'
import { refusalText } from '../api/error-text.ts'
import { deleteFile, deleteUnusedFiles, listOwnFiles, OWN_FILES_PAGE } from '../files/files-api.ts'
import { FormFailure } from '../forms/form-failure.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { spaceText } from '../ui/format-bytes.ts'
import { Segmented } from '../ui/segmented.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { afterDialogs } from '../ui/use-modal.ts'
import { OwnFileItem } from './own-file-item.tsx'
import { SettingsList, SettingsSection, useSettingsList } from './settings-form.tsx'

/** From this percentage on, the settings say that the space is almost full. */
const SPACE_ALMOST_FULL_PERCENT = 90

const { ownFiles: fileTexts } = texts

/** @param props `initial`: the files, if the server sent them with the page */
export function FilesSection({ initial }: { initial: OwnFiles | undefined }) {
  const files = useOwnFiles(initial)
  const { value: ownFiles } = files.list
  const { ask, dialog } = useConfirm()
  const head = useRef<HTMLDivElement>(null)

  async function removeAndFocus(remove: () => Promise<void>) {
    await remove()
    // The button is removed with its file: the focus stays in the list.
    afterDialogs(() => head.current?.focus())
    return undefined
  }
  const handleDelete = (file: OwnFile) =>
    ask({
      title: fileTexts.question,
      text: warningOf(file),
      confirmLabel: fileTexts.confirm,
      cancelLabel: fileTexts.keep,
      onConfirm: () => removeAndFocus(() => files.remove(file)),
    })
  const handleDeleteUnused = () =>
    ask({
      title: fileTexts.questionUnused(ownFiles?.unused ?? 0),
      text: fileTexts.warningUnused,
      confirmLabel: fileTexts.confirm,
      cancelLabel: fileTexts.keep,
      onConfirm: () => removeAndFocus(files.removeUnused),
    })
  return (
    <SettingsSection title={fileTexts.title} text={fileTexts.text}>
      <SettingsList list={files.list} loadingText={fileTexts.loading} ref={head}>
        {ownFiles && <SpaceMeter ownFiles={ownFiles} />}
        {ownFiles && ownFiles.total === 0 && <p className="hint">{fileTexts.none}</p>}
        {ownFiles && ownFiles.total > 0 && (
          <FileList
            files={files}
            ownFiles={ownFiles}
            onDelete={handleDelete}
            onDeleteUnused={handleDeleteUnused}
          />
        )}
      </SettingsList>
      {dialog}
    </SettingsSection>
  )
}

function warningOf({ name, uses }: OwnFile): string {
  const isInVersion = uses.some(({ place }) => place === 'version')
  return isInVersion ? fileTexts.warningVersion(name) : fileTexts.warning(name)
}

function SpaceMeter({ ownFiles: { usedBytes, maxBytes } }: { ownFiles: OwnFiles }) {
  const percent = Math.min(100, Math.round((usedBytes / maxBytes) * 100))
  const maxSpace = spaceText(maxBytes)
  return (
    <>
      <div className="space-used">
        <p>
          <b>{fileTexts.used(spaceText(usedBytes), maxSpace)}</b>
          <span>{fileTexts.percent(percent)}</span>
        </p>
        <meter className="visually-hidden" aria-label={fileTexts.meter} max={100} value={percent} />
        <div className="progress" aria-hidden="true">
          <i style={{ inlineSize: `${percent}%` }} />
        </div>
      </div>
      {percent >= SPACE_ALMOST_FULL_PERCENT && (
        <Alert kind="warn">{fileTexts.almostFull(maxSpace)}</Alert>
      )}
    </>
  )
}

type FileListProps = {
  files: ReturnType<typeof useOwnFiles>
  ownFiles: OwnFiles
  onDelete: (file: OwnFile) => void
  onDeleteUnused: () => void
}

function FileList({ files, ownFiles, onDelete, onDeleteUnused }: FileListProps) {
  const { showsOnlyUnused, setShowsOnlyUnused, loadMore } = files
  const { pendingAction } = files.list
  const remaining = (showsOnlyUnused ? ownFiles.unused : ownFiles.total) - ownFiles.files.length
  return (
    <>
      <div className="row own-files__head">
        <h3>{fileTexts.count(ownFiles.total)}</h3>
        <Segmented
          isBare
          legend={fileTexts.filter}
          name="settings-files"
          options={[
            { value: 'all', name: fileTexts.all },
            { value: 'unused', name: fileTexts.unused(ownFiles.unused) },
          ]}
          selected={showsOnlyUnused ? 'unused' : 'all'}
          onChoose={(which) => setShowsOnlyUnused(which === 'unused')}
        />
      </div>
      {ownFiles.files.length > 0 ? (
        <ul className="box box-list lines own-files" aria-label={fileTexts.title}>
          {ownFiles.files.map((file) => (
            <OwnFileItem
              key={`${file.bucketId}/${file.$id}`}
              file={file}
              isBusy={pendingAction === file.$id}
              onDelete={() => onDelete(file)}
            />
          ))}
        </ul>
      ) : (
        <p className="hint">{fileTexts.noneUnused}</p>
      )}
      <div className="row own-files__foot">
        {ownFiles.next && (
          <Button isBusy={pendingAction === 'page'} onClick={() => void loadMore()}>
            {fileTexts.more(Math.max(1, Math.min(OWN_FILES_PAGE, remaining)))}
          </Button>
        )}
        {ownFiles.unused > 0 && (
          <Button
            kind="ghost"
            className="own-files__delete"
            isBusy={pendingAction === 'unused'}
            onClick={onDeleteUnused}
          >
            {fileTexts.deleteUnused}
          </Button>
        )}
      </div>
    </>
  )
}

function useOwnFiles(initial: OwnFiles | undefined) {
  const api = useApi()
  const { show } = useToasts()
  const [showsOnlyUnused, setShowsOnlyUnused] = useState(false)
  const load = (cursor = '') => listOwnFiles(api, { isUnused: showsOnlyUnused, cursor })
  const list = useSettingsList({ initial, load, reloadKey: showsOnlyUnused })
  const { value: ownFiles, setValue, pendingAction, attempt } = list

  async function loadMore(): Promise<void> {
    if (!ownFiles || pendingAction) return
    await attempt('page', async () => {
      const page = await load(ownFiles.next)
      setValue({ ...page, files: [...ownFiles.files, ...page.files] })
    })
  }
  async function remove(file: OwnFile): Promise<void> {
    await attempt(file.$id, async () => {
      const deleted = await deleteFile(api, file.bucketId, file.$id)
      if (!deleted.ok)
        throw new FormFailure(
          deleted.failure.code === 0 ? fileTexts.notDeleted : refusalText(deleted.failure),
        )
      setValue((current) => current && withoutFile(current, file))
      show({ kind: 'ok', text: fileTexts.deleted })
    })
  }
  async function removeUnused(): Promise<void> {
    await attempt('unused', async () => {
      const count = await deleteUnusedFiles(api)
      show({ kind: 'ok', text: fileTexts.deletedMany(count) })
      setValue(await load())
    })
  }
  return { list, showsOnlyUnused, setShowsOnlyUnused, loadMore, remove, removeUnused }
}

function withoutFile(ownFiles: OwnFiles, file: OwnFile): OwnFiles {
  const isUnusedFile = file.isComplete && file.uses.length === 0
  return {
    ...ownFiles,
    total: ownFiles.total - 1,
    unused: ownFiles.unused - Number(isUnusedFile),
    usedBytes: ownFiles.usedBytes - file.sizeOriginal,
    files: ownFiles.files.filter(
      ({ $id, bucketId }) => $id !== file.$id || bucketId !== file.bucketId,
    ),
  }
}
