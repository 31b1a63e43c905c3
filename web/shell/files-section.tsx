// Settings: the space that the viewer's files take, and the files themselves with what uses each.
import { useId, useRef, useState } from 'react'
import type { OwnFile, OwnFiles } from '#contract/files.ts'
import { OWN_FILES_PAGE } from '#web/files/own-files-api.ts'
import { SettingsSection } from '../accounts/settings-section.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { spaceText } from '../ui/size-text.ts'
import { OwnFileItem } from './own-file-item.tsx'
import { useOwnFiles } from './use-own-files.ts'

/** From here on the settings say that the space is almost full. */
const SPACE_ALMOST_FULL_PERCENT = 90

const { ownFiles } = texts
/** The file, or all unused ones, about which the viewer is asked. */
type Asked = OwnFile | 'unused' | undefined

/** @param props `first` is what the server loaded with the page, if it did */
export function FilesSection({ first }: { first: OwnFiles | undefined }) {
  const files = useOwnFiles(first)
  const { own, failureText, waiting, load } = files
  const [asked, setAsked] = useState<Asked>()
  const head = useRef<HTMLDivElement>(null)

  async function handleConfirm() {
    if (asked === 'unused') await files.removeUnused()
    else if (asked) await files.remove(asked)
    setAsked(undefined)
    // The button is removed with its file: the focus stays in the list.
    head.current?.focus()
  }
  return (
    <SettingsSection title={ownFiles.title} text={ownFiles.text}>
      <div ref={head} tabIndex={-1} className="stack">
        {failureText && <Alert kind="error">{failureText}</Alert>}
        {!own && !failureText && <LoadingText>{ownFiles.loading}</LoadingText>}
        {!own && failureText && (
          <div className="row">
            <Button onClick={() => void load()}>{texts.actions.tryAgain}</Button>
          </div>
        )}
        {own && <SpaceMeter own={own} />}
        {own && own.total === 0 && <p className="hint">{ownFiles.none}</p>}
        {own && own.total > 0 && <FileList files={files} own={own} onAsk={setAsked} />}
      </div>
      {asked && (
        <ConfirmDialog
          title={asked === 'unused' ? ownFiles.questionUnused(own?.unused ?? 0) : ownFiles.question}
          confirmLabel={ownFiles.confirm}
          cancelLabel={ownFiles.keep}
          isBusy={waiting !== undefined}
          onConfirm={() => void handleConfirm()}
          onCancel={() => setAsked(undefined)}
        >
          {asked === 'unused' ? ownFiles.warningUnused : warningOf(asked)}
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}

function warningOf({ name, uses }: OwnFile): string {
  const isInVersion = uses.some(({ place }) => place === 'version')
  return isInVersion ? ownFiles.warningVersion(name) : ownFiles.warning(name)
}

function SpaceMeter({ own: { usedBytes, maxBytes } }: { own: OwnFiles }) {
  const percent = Math.min(100, Math.round((usedBytes / maxBytes) * 100))
  const most = spaceText(maxBytes)
  return (
    <>
      <div className="space-used">
        <p>
          <b>{ownFiles.used(spaceText(usedBytes), most)}</b>
          <span>{ownFiles.percent(percent)}</span>
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in colours of their own */}
        <div
          className="progress"
          role="meter"
          aria-label={ownFiles.meter}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <i style={{ inlineSize: `${percent}%` }} />
        </div>
      </div>
      {percent >= SPACE_ALMOST_FULL_PERCENT && (
        <Alert kind="warn">{ownFiles.almostFull(most)}</Alert>
      )}
    </>
  )
}

type FileListProps = {
  files: ReturnType<typeof useOwnFiles>
  own: OwnFiles
  onAsk: (asked: Asked) => void
}

function FileList({
  files: { isUnused, setUnused, waiting, loadMore },
  own,
  onAsk,
}: FileListProps) {
  const left = (isUnused ? own.unused : own.total) - own.files.length
  return (
    <>
      <div className="own-files__head">
        <h3>{ownFiles.count(own.total)}</h3>
        <Filter isUnused={isUnused} unused={own.unused} onChoose={setUnused} />
      </div>
      {own.files.length > 0 ? (
        // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without bullets
        <ul className="own-files" role="list" aria-label={ownFiles.title}>
          {own.files.map((file) => (
            <OwnFileItem
              key={`${file.bucketId}/${file.$id}`}
              file={file}
              isBusy={waiting === file.$id}
              onDelete={() => onAsk(file)}
            />
          ))}
        </ul>
      ) : (
        <p className="hint">{ownFiles.noneUnused}</p>
      )}
      <div className="own-files__foot">
        {own.next && (
          <Button isBusy={waiting === 'page'} onClick={() => void loadMore()}>
            {ownFiles.more(Math.max(1, Math.min(OWN_FILES_PAGE, left)))}
          </Button>
        )}
        {own.unused > 0 && (
          <Button
            kind="ghost"
            className="own-files__delete"
            isBusy={waiting === 'unused'}
            onClick={() => onAsk('unused')}
          >
            {ownFiles.deleteUnused}
          </Button>
        )}
      </div>
    </>
  )
}

function Filter({
  isUnused,
  unused,
  onChoose,
}: {
  isUnused: boolean
  unused: number
  onChoose: (isUnused: boolean) => void
}) {
  const name = useId()
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{ownFiles.which}</legend>
      {[false, true].map((value) => (
        <label key={String(value)}>
          <input
            type="radio"
            name={name}
            checked={value === isUnused}
            onChange={() => onChoose(value)}
          />
          {value ? ownFiles.unused(unused) : ownFiles.all}
        </label>
      ))}
    </fieldset>
  )
}
