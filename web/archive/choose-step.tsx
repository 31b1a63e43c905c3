// The first step of an import: where the posts come from, the file, the address of the old site.
import { CircleCheck, FileUp } from 'lucide-react'
import { type SyntheticEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ImportRun } from '#contract/archive.ts'
import { IMPORT_MAX_BYTES, OWN_IMPORT_MAX_BYTES } from '#contract/archive-limits.ts'
import { LocalDate } from '../dates/dates.tsx'
import { UploadBar } from '../files/upload-bar.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { FieldError, InputField } from '../ui/field.tsx'
import { largeSizeText } from '../ui/large-size.ts'
import { fileChangeHandler, useFileDrop } from '../ui/use-file-choice.ts'
import type { ArchiveScope } from './archive-api.ts'
import { completeAddress } from './complete-address.ts'
import { NewImportButton } from './import-buttons.tsx'
import { sentBytesOf } from './upload-export.ts'
import type { Upload } from './use-file-upload.ts'
import type { Imports } from './use-imports.ts'

const words = texts.importing

/** A project of the hosted API is read on the server only: it is no file. */
const KINDS = ['wordpress', 'ghost', 'medium', 'substack', 'markdown', 'archive'] as const
type FileKind = (typeof KINDS)[number]

export function ChooseStep({ imports }: { imports: Imports }) {
  const { run, upload } = imports
  if (upload) return <UploadPanel upload={upload} />
  return (
    <>
      {run?.state === 'uploading' && <UnfinishedUpload imports={imports} run={run} />}
      <FileForm imports={imports} />
      <EarlierImports imports={imports} />
    </>
  )
}

function UploadPanel({ upload: { file, sentBytes, isLost, cancel } }: { upload: Upload }) {
  return (
    <div className="box stack panel">
      <p>
        <b>
          <bdi>{file.name}</bdi>
        </b>
      </p>
      <UploadBar
        label={words.sending(file.name)}
        progress={{ sentBytes, totalBytes: file.size, cancel }}
      />
      <p role="status" className="hint archive-status">
        {isLost && words.connectionLost}
      </p>
    </div>
  )
}

function UnfinishedUpload({ imports, run }: { imports: Imports; run: ImportRun }) {
  const sent = words.partOf(largeSizeText(sentBytesOf(run)), largeSizeText(run.sizeBytes))
  return (
    <Alert kind="warn">
      <div className="archive-alert">
        <span>{words.unfinished(<bdi>{run.fileName}</bdi>, sent)}</span>
        <NewImportButton imports={imports}>{words.discard}</NewImportButton>
      </div>
    </Alert>
  )
}

function FileForm({ imports }: { imports: Imports }) {
  const { scope, run } = imports
  const [kind, setKind] = useState<FileKind>('wordpress')
  const [file, setFile] = useState<File>()
  const [fileProblem, setFileProblem] = useState<string>()
  const [address, setAddress] = useState(run?.oldAddress ?? '')
  const [addressProblem, setAddressProblem] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const addressField = useRef<HTMLInputElement>(null)

  function handleFile(chosen: File | undefined) {
    if (!chosen) return
    const problem = findProblem(scope, chosen)
    flushSync(() => {
      setFile(problem ? undefined : chosen)
      setFileProblem(problem)
    })
    if (!problem) button.current?.focus()
  }
  function handleSubmit(event: SyntheticEvent) {
    event.preventDefault()
    if (!file) return
    const oldAddress = completeAddress(address)
    setAddressProblem(oldAddress === undefined ? words.notAnAddress : undefined)
    if (oldAddress === undefined) return addressField.current?.focus()
    void imports.begin({ file, oldAddress, kind })
  }
  return (
    <form
      className="box stack panel archive-panel"
      noValidate
      aria-label={words.title}
      onSubmit={handleSubmit}
    >
      <KindChoice kind={kind} onChoose={setKind} />
      <FileField kind={kind} file={file} problem={fileProblem} onChoose={handleFile} />
      <InputField
        label={
          <>
            {words.address} <span className="field__kind">{words.optional}</span>
          </>
        }
        type="url"
        inputMode="url"
        autoComplete="off"
        ref={addressField}
        value={address}
        hint={words.addressHint}
        error={addressProblem}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <p className="hint">{words.promise}</p>
      {file && (
        <div className="row">
          <Button kind="primary" type="submit" ref={button}>
            {words.check}
          </Button>
        </div>
      )}
    </form>
  )
}

type KindChoiceProps = { kind: FileKind; onChoose: (kind: FileKind) => void }

function KindChoice({ kind, onChoose }: KindChoiceProps) {
  const group = useId()
  return (
    <fieldset className="export-kinds">
      <legend>{words.from}</legend>
      <div>
        {KINDS.map((each) => (
          <label key={each} className="hoverable export-kind">
            <input
              className="option__mark"
              type="radio"
              name={group}
              value={each}
              checked={each === kind}
              onChange={() => onChoose(each)}
            />
            <span>
              <b>{words.kinds[each].name}</b>
              <small className="hint">{words.kinds[each].hint}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type FileFieldProps = {
  kind: FileKind
  file: File | undefined
  problem: string | undefined
  onChoose: (file: File | undefined) => void
}

/** The drop zone is the label of a file input, so that keys and screen readers reach it. */
function FileField({ kind, file, problem, onChoose }: FileFieldProps) {
  const id = useId()
  const { isOver, dropHandlers } = useFileDrop(onChoose)
  const howToGet = words.howToGet[kind]
  const classes = ['hoverable drop-zone', isOver && 'is-drag-over', problem && 'is-invalid']
  return (
    <div className="stack field">
      <label className={classes.filter(Boolean).join(' ')} {...dropHandlers}>
        {file ? (
          <CircleCheck className="icon" aria-hidden="true" />
        ) : (
          <FileUp className="icon" aria-hidden="true" />
        )}
        {isOver ? (
          <b>{words.dropNow}</b>
        ) : file ? (
          <>
            <b className="archive-name">
              <bdi>{file.name}</bdi>
            </b>
            <span>{words.chosen(largeSizeText(file.size))}</span>
          </>
        ) : (
          <>
            <b className="fine-pointer-only">{words.drop}</b>
            <span className="fine-pointer-only">{words.orChoose(howToGet)}</span>
            <b className="coarse-pointer-only">{words.choose}</b>
            <span className="coarse-pointer-only">{howToGet}</span>
          </>
        )}
        <input
          type="file"
          aria-label={words.fileLabel}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          onChange={fileChangeHandler(onChoose)}
        />
      </label>
      {problem && (
        <FieldError id={`${id}-error`} role="alert">
          {problem}
        </FieldError>
      )}
    </div>
  )
}

function findProblem(scope: ArchiveScope, { size }: File): string | undefined {
  const maxBytes = scope === 'operator' ? IMPORT_MAX_BYTES : OWN_IMPORT_MAX_BYTES
  if (size === 0) return words.empty
  return size > maxBytes ? words.tooLarge(largeSizeText(maxBytes)) : undefined
}

function EarlierImports({ imports }: { imports: Imports }) {
  const earlier = imports.runs.filter(({ undoUntil }) => undoUntil !== '')
  if (earlier.length === 0) return null
  return (
    <div className="box stack panel">
      <h3>{words.earlier}</h3>
      <ul className="lines archive-earlier">
        {earlier.map((run) => (
          <li key={run.$id}>
            <p>
              <bdi>{run.fileName}</bdi>
              <small className="hint">
                <LocalDate time={run.$createdAt} />,{' '}
                {words.undoable(<LocalDate time={run.undoUntil} />)}
              </small>
            </p>
            <Button
              kind="ghost"
              aria-label={words.showOf(run.fileName)}
              onClick={() => imports.show(run)}
            >
              {words.show}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
