// /admin/backups: when and where the server makes backups, a button to make one, and their list.
import { Archive, CircleAlert, DatabaseBackup, Download, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BackupEntry, BackupFolder, Backups } from '#contract/operator.ts'
import { type Failure, useApi } from '../api/client.ts'
import { type Read, useForm } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { Button, buttonClass, IconButton, Spinner } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { InputField, SelectField } from '../ui/field.tsx'
import { largeSizeText } from '../ui/large-size.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { Switch } from '../ui/switch.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { usePolling } from '../ui/use-polling.ts'
import {
  changeBackups,
  deleteBackup,
  failureText,
  readBackupFolder,
  readBackups,
  startBackup,
} from './admin-api.ts'
import { type AdminData, AdminPage, AdminSection, useAdminData } from './admin-frame.tsx'
import { type RowActions, useRowActions } from './list-parts.tsx'
import { CommandLine, DayTime, useDayTimeText } from './server-parts.tsx'
import { FixedHint, SaveRow } from './setting-parts.tsx'

const words = texts.adminBackups
const RECHECK_MS = 2000
/** The folder is checked this long after the last keystroke. */
const TYPING_PAUSE_MS = 400
const USUAL_TIMES = ['01:00', '02:00', '03:00', '04:00', '05:00']
const USUAL_COUNTS = ['3', '7', '14', '30', '90']

type PartProps = { page: AdminData<Backups>; backups: Backups }

export function AdminBackupsPage() {
  const page = useAdminData<Backups>(readBackups)
  const toasts = useToasts()
  const isRunning = page.value?.running !== undefined
  const wasRunning = useRef(isRunning)
  usePolling(() => void page.reload(), { isOn: isRunning, everyMs: RECHECK_MS })
  const showOutcome = useEffectEvent((newest: BackupEntry | undefined) => {
    const isComplete = newest?.state === 'complete'
    toasts.show({
      kind: isComplete ? 'ok' : 'error',
      text: isComplete ? words.succeeded : words.failed,
    })
  })
  useEffect(() => {
    if (wasRunning.current && !isRunning) showOutcome(page.value?.list[0])
    wasRunning.current = isRunning
  }, [isRunning, page.value])
  return (
    <AdminPage title={words.title} page={page} parent={texts.adminSettings.title}>
      {(backups) => (
        <div className="admin-sections admin-sections--narrow">
          <NightlySection page={page} backups={backups} />
          <BackUpNowSection page={page} backups={backups} />
          <ListSection page={page} backups={backups} />
          <AdminSection title={words.restore}>
            <div className="box stack panel">
              {backups.restore === '' ? (
                <p>{words.restoreNone}</p>
              ) : (
                <>
                  <p>{words.restoreText}</p>
                  <CommandLine command={backups.restore} />
                  <p className="hint">{words.restoreHint}</p>
                </>
              )}
            </div>
          </AdminSection>
        </div>
      )}
    </AdminPage>
  )
}

/** The usual values, and the current one. */
function choicesWith(usualValues: readonly string[], currentValue: string) {
  return [...new Set([...usualValues, currentValue])]
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((value): [string, string] => [value, value])
}

function NightlySection({ page, backups }: PartProps) {
  const api = useApi()
  const toasts = useToasts()
  const { isFixed, isKeepFixed, isAutomatic } = backups
  const [isOn, setOn] = useState(backups.isOn)
  const [time, setTime] = useState(backups.time)
  const [keep, setKeep] = useState(String(backups.keep))
  const [error, setError] = useState<ReactNode>()
  const field = useRef<HTMLInputElement>(null)
  const { folderState, checkFolder } = useFolderState(backups)
  const { isBusy, handleSubmit } = useForm(async (read: Read) => {
    const folder = read('folder').trim()
    const changed = await changeBackups(api, {
      isOn,
      time,
      folder,
      ...(isKeepFixed ? {} : { keep: Number(keep) }),
    })
    if (changed.ok) {
      setError(undefined)
      page.change(changed.value)
      return toasts.show({ kind: 'ok', text: words.saved })
    }
    const problem = folderProblem(changed.failure)
    if (!problem) return toasts.show({ kind: 'error', text: reasonText(changed.failure) })
    const state = await readBackupFolder(api, folder)
    setError((state.ok && state.value.problem && words.problems[state.value.problem]) || problem)
    field.current?.focus()
  })
  const hint = isFixed ? <FixedHint /> : undefined
  return (
    <AdminSection title={words.nightly}>
      <form
        className="box stack panel"
        noValidate
        aria-label={words.nightly}
        onSubmit={handleSubmit}
      >
        <Switch
          label={words.isOn}
          hint={words.isOnHint}
          isOn={isOn}
          isDisabled={isFixed}
          onChange={setOn}
        />
        {isAutomatic && !backups.isOn && <p className="hint">{words.tooLarge}</p>}
        <div className="field-pair">
          {isFixed ? (
            <InputField label={words.time} value={time} readOnly hint={hint} />
          ) : (
            <SelectField
              label={words.time}
              choices={choicesWith(USUAL_TIMES, backups.time)}
              value={time}
              onChange={setTime}
            />
          )}
          {isKeepFixed ? (
            <InputField label={words.keep} value={keep} readOnly hint={<FixedHint />} />
          ) : (
            <SelectField
              label={words.keep}
              choices={choicesWith(USUAL_COUNTS, String(backups.keep))}
              value={keep}
              onChange={setKeep}
            />
          )}
        </div>
        <InputField
          label={words.folder}
          name="folder"
          className="mono"
          ref={field}
          defaultValue={backups.folder}
          readOnly={isFixed}
          autoComplete="off"
          spellCheck={false}
          hint={
            <>
              {hint}
              <FolderHint state={folderState} />
            </>
          }
          error={error}
          onChange={({ currentTarget }) => {
            setError(undefined)
            checkFolder(currentTarget.value.trim())
          }}
        />
        {!isFixed && <SaveRow isBusy={isBusy} />}
      </form>
    </AdminSection>
  )
}

/** @returns undefined if the failure has another cause */
function folderProblem({ type, message }: Failure): string | undefined {
  if (type === 'backup_folder_unusable') return words.problems.noAccess
  return message.includes('`folder`') ? words.problems.notAbsolute : undefined
}

/** Asks the server about the folder in the field while the operator types. */
function useFolderState({ folder, place: savedState }: Backups) {
  const api = useApi()
  const [typed, setTyped] = useState<string>()
  const [folderState, setFolderState] = useState(savedState)
  const read = useEffectEvent(async (path: string) => {
    const answer = await readBackupFolder(api, path)
    if (answer.ok) setFolderState(answer.value)
  })
  useEffect(() => setFolderState(savedState), [savedState])
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => void read(typed), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { folderState, checkFolder: (path: string) => setTyped(path === folder ? folder : path) }
}

function FolderHint({ state: { problem, isSameDisk, freeBytes } }: { state: BackupFolder }) {
  const free = largeSizeText(freeBytes)
  return (
    <span role="status">
      {problem !== '' ? (
        <span className="field-warning">{words.problems[problem]}</span>
      ) : isSameDisk ? (
        <>
          {words.folderHint} <span className="field-warning">{words.sameDisk(free)}</span>
        </>
      ) : (
        `${words.folderHint} ${words.otherDisk(free)}`
      )}
    </span>
  )
}

function BackUpNowSection({ page, backups: { running } }: PartProps) {
  const api = useApi()
  const toasts = useToasts()
  const [isStarting, setStarting] = useState(false)
  async function handleStart() {
    setStarting(true)
    const started = await startBackup(api)
    await page.reload()
    setStarting(false)
    if (!started.ok) toasts.show({ kind: 'error', text: failureText(started.failure) })
  }
  return (
    <AdminSection
      title={words.now}
      text={words.nowHint}
      action={
        <Button
          Icon={DatabaseBackup}
          aria-disabled={isStarting || running !== undefined || undefined}
          onClick={() => void handleStart()}
        >
          {words.backUpNow}
        </Button>
      }
    >
      {running && <BackupProgress {...running} />}
    </AdminSection>
  )
}

function BackupProgress({ doneBytes, totalBytes }: NonNullable<Backups['running']>) {
  const percent = totalBytes === 0 ? 0 : Math.min(100, Math.round((100 * doneBytes) / totalBytes))
  return (
    <div className="backing-up" role="status">
      <p className="row">
        <Spinner />
        {totalBytes === 0
          ? words.backingUp
          : words.progress(
              largeSizeText(Math.min(doneBytes, totalBytes)),
              largeSizeText(totalBytes),
            )}
      </p>
      <ProgressBar label={words.backingUp} percent={percent} />
      <p className="quiet">{words.continues}</p>
    </div>
  )
}

function ListSection({ page, backups: { list, keep } }: PartProps) {
  const rows = useRowActions<BackupEntry>(page, (entry, other) => entry.state === other.state)
  return (
    <AdminSection title={words.list} text={words.listHint(keep)} heading={rows.heading}>
      {list.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <>
          <ul className="box box-list lines admin-rows" ref={rows.list}>
            {list.map((entry) => (
              <BackupRow key={entry.$id} entry={entry} rows={rows} />
            ))}
          </ul>
          <p className="hint">{words.downloadHint}</p>
        </>
      )}
    </AdminSection>
  )
}

type BackupRowProps = { entry: BackupEntry; rows: RowActions<BackupEntry> }

function BackupRow({ entry, rows }: BackupRowProps) {
  const api = useApi()
  const { ask, dialog } = useConfirm()
  const { $id, state, at, sizeBytes, byName, reason } = entry
  const time = useDayTimeText(at)
  const isComplete = state === 'complete'
  const Icon = isComplete ? Archive : CircleAlert
  const { client, settings } = api
  const address = new URL(`${client.config.endpoint}/operator/backups/${$id}/download`)
  address.searchParams.set('project', settings.projectId)

  const handleDelete = () =>
    ask({
      title: words.deleting.title(time),
      text: words.deleting.text,
      confirmLabel: words.deleting.confirm,
      onConfirm: () =>
        rows.act(entry, () => deleteBackup(api, $id), { doneText: words.deleting.done }),
    })
  return (
    <li data-row={$id} className={isComplete ? undefined : 'admin-rows__one'}>
      <span className={`avatar admin-rows__icon${isComplete ? '' : ' admin-rows__icon--failed'}`}>
        <Icon className="icon" aria-hidden="true" />
      </span>
      <div>
        <h3>
          <DayTime time={at} form="heading" />
        </h3>
        <p className="hint row facts">
          <span className={isComplete ? 'chip chip--on' : 'chip chip--warn'}>
            {isComplete ? words.complete : words.failedChip}
          </span>
          {sizeBytes > 0 && <span>{largeSizeText(sizeBytes)}</span>}
          {!isComplete && <span>{words.nothingWritten}</span>}
          {reason !== '' && <span>{words.reasons[reason]}</span>}
          {byName && <span>{words.by(<bdi>{byName}</bdi>)}</span>}
        </p>
      </div>
      <div className="row-actions">
        {isComplete && (
          <a
            className={buttonClass('ghost')}
            href={address.pathname + address.search}
            download
            aria-label={words.downloadOf(time)}
          >
            <Download className="icon" aria-hidden="true" />
            {words.download}
          </a>
        )}
        <IconButton
          Icon={Trash2}
          label={words.deleteOf(time)}
          aria-haspopup="dialog"
          onClick={handleDelete}
        />
      </div>
      {dialog}
    </li>
  )
}
