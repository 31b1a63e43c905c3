// Settings: the space that the user's files take, and the files themselves with what uses each.
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

const { ownFiles } = texts

/** @param props `initial` is what the server loaded with the page, if it did */
export function FilesSection({ initial }: { initial: OwnFiles | undefined }) {
  const files = useOwnFiles(initial)
  const { value: own } = files.list
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
      title: ownFiles.question,
      text: warningOf(file),
      confirmLabel: ownFiles.confirm,
      cancelLabel: ownFiles.keep,
      onConfirm: () => removeAndFocus(() => files.remove(file)),
    })
  const handleDeleteUnused = () =>
    ask({
      title: ownFiles.questionUnused(own?.unused ?? 0),
      text: ownFiles.warningUnused,
      confirmLabel: ownFiles.confirm,
      cancelLabel: ownFiles.keep,
      onConfirm: () => removeAndFocus(files.removeUnused),
    })
  return (
    <SettingsSection title={ownFiles.title} text={ownFiles.text}>
      <SettingsList list={files.list} loadingText={ownFiles.loading} ref={head}>
        {own && <SpaceMeter own={own} />}
        {own && own.total === 0 && <p className="hint">{ownFiles.none}</p>}
        {own && own.total > 0 && (
          <FileList
            files={files}
            own={own}
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
  return isInVersion ? ownFiles.warningVersion(name) : ownFiles.warning(name)
}

function SpaceMeter({ own: { usedBytes, maxBytes } }: { own: OwnFiles }) {
  const percent = Math.min(100, Math.round((usedBytes / maxBytes) * 100))
  const maxSpace = spaceText(maxBytes)
  return (
    <>
      <div className="space-used">
        <p>
          <b>{ownFiles.used(spaceText(usedBytes), maxSpace)}</b>
          <span>{ownFiles.percent(percent)}</span>
        </p>
        <meter className="visually-hidden" aria-label={ownFiles.meter} max={100} value={percent} />
        <div className="progress" aria-hidden="true">
          <i style={{ inlineSize: `${percent}%` }} />
        </div>
      </div>
      {percent >= SPACE_ALMOST_FULL_PERCENT && (
        <Alert kind="warn">{ownFiles.almostFull(maxSpace)}</Alert>
      )}
    </>
  )
}

type FileListProps = {
  files: ReturnType<typeof useOwnFiles>
  own: OwnFiles
  onDelete: (file: OwnFile) => void
  onDeleteUnused: () => void
}

function FileList({ files, own, onDelete, onDeleteUnused }: FileListProps) {
  const { isUnused, setUnused, loadMore } = files
  const { pendingRow } = files.list
  const remaining = (isUnused ? own.unused : own.total) - own.files.length
  return (
    <>
      <div className="row own-files__head">
        <h3>{ownFiles.count(own.total)}</h3>
        <Segmented
          isBare
          legend={ownFiles.filter}
          name="settings-files"
          options={[
            { value: 'all', name: ownFiles.all },
            { value: 'unused', name: ownFiles.unused(own.unused) },
          ]}
          now={isUnused ? 'unused' : 'all'}
          onChoose={(which) => setUnused(which === 'unused')}
        />
      </div>
      {own.files.length > 0 ? (
        <ul className="box box-list lines own-files" aria-label={ownFiles.title}>
          {own.files.map((file) => (
            <OwnFileItem
              key={`${file.bucketId}/${file.$id}`}
              file={file}
              isBusy={pendingRow === file.$id}
              onDelete={() => onDelete(file)}
            />
          ))}
        </ul>
      ) : (
        <p className="hint">{ownFiles.noneUnused}</p>
      )}
      <div className="row own-files__foot">
        {own.next && (
          <Button isBusy={pendingRow === 'page'} onClick={() => void loadMore()}>
            {ownFiles.more(Math.max(1, Math.min(OWN_FILES_PAGE, remaining)))}
          </Button>
        )}
        {own.unused > 0 && (
          <Button
            kind="ghost"
            className="own-files__delete"
            isBusy={pendingRow === 'unused'}
            onClick={onDeleteUnused}
          >
            {ownFiles.deleteUnused}
          </Button>
        )}
      </div>
    </>
  )
}

function useOwnFiles(initial: OwnFiles | undefined) {
  const api = useApi()
  const { show } = useToasts()
  const [isUnused, setUnused] = useState(false)
  const load = (cursor = '') => listOwnFiles(api, { isUnused, cursor })
  const list = useSettingsList({ initial, load, version: isUnused })
  const { value: own, setValue, pendingRow, attempt } = list

  async function loadMore(): Promise<void> {
    if (!own || pendingRow) return
    await attempt('page', async () => {
      const page = await load(own.next)
      setValue({ ...page, files: [...own.files, ...page.files] })
    })
  }
  async function remove(file: OwnFile): Promise<void> {
    await attempt(file.$id, async () => {
      const deleted = await deleteFile(api, file.bucketId, file.$id)
      if (!deleted.ok)
        throw new FormFailure(
          deleted.failure.code === 0 ? ownFiles.notDeleted : refusalText(deleted.failure),
        )
      setValue((current) => current && withoutFile(current, file))
      show({ kind: 'ok', text: ownFiles.deleted })
    })
  }
  async function removeUnused(): Promise<void> {
    await attempt('unused', async () => {
      const count = await deleteUnusedFiles(api)
      show({ kind: 'ok', text: ownFiles.deletedMany(count) })
      setValue(await load())
    })
  }
  return { list, isUnused, setUnused, loadMore, remove, removeUnused }
}

function withoutFile(own: OwnFiles, file: OwnFile): OwnFiles {
  const isUnusedFile = file.isComplete && file.uses.length === 0
  return {
    ...own,
    total: own.total - 1,
    unused: own.unused - Number(isUnusedFile),
    usedBytes: own.usedBytes - file.sizeOriginal,
    files: own.files.filter(({ $id, bucketId }) => $id !== file.$id || bucketId !== file.bucketId),
  }
}
