// "Take everything with you": a person's own posts as a site, as Markdown and as data.
import {
  Archive,
  FileText,
  FolderDown,
  Globe,
  type LucideIcon,
  RefreshCw,
  UserRound,
} from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { ExportPart, ExportRun } from '#contract/archive.ts'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { downloadPath, exportPath } from './archive-api.ts'
import { ExportLink, ExportState } from './export-state.tsx'
import { type Exports, useExports } from './use-exports.ts'

const words = texts.exporting
const PARTS: readonly { part: ExportPart; Icon: LucideIcon }[] = [
  { part: 'site', Icon: Globe },
  { part: 'markdown', Icon: FileText },
  { part: 'data', Icon: Archive },
]

/** Exports of a person have one part each. */
const nameOf = ({ parts: [part = 'data'] }: ExportRun) => words.parts[part].name

type OwnExportsProps = { initial: ExportRun[] }

export function OwnExports({ initial }: OwnExportsProps) {
  const titleId = useId()
  const api = useApi()
  const exports = useExports('account', initial, nameOf)
  return (
    <section className="archive-section" aria-labelledby={titleId}>
      <div>
        <h2 id={titleId}>{words.title}</h2>
        <p className="archive-section__lead">{words.text}</p>
      </div>
      {exports.problem && <Alert kind="error">{exports.problem}</Alert>}
      <ul className="export-cards">
        {PARTS.map(({ part, Icon }) => (
          <OwnExport key={part} part={part} Icon={Icon} exports={exports} />
        ))}
        <ExportCard
          name={words.account.name}
          text={words.account.text}
          Icon={UserRound}
          action={
            <ExportLink path={downloadPath(api, '/account/export')} label={words.account.label} />
          }
        />
      </ul>
    </section>
  )
}

type OwnExportProps = { part: ExportPart; Icon: LucideIcon; exports: Exports }

function OwnExport({ part, Icon, exports }: OwnExportProps) {
  const api = useApi()
  const { name, text } = words.parts[part]
  const run = exports.runs.find(({ parts }) => parts[0] === part && parts.length === 1)
  const isBusy = run?.state === 'waiting' || run?.state === 'running'
  const isRequested = exports.requested?.[0] === part
  const isOff = exports.active !== undefined || exports.requested !== undefined || undefined
  return (
    <ExportCard
      name={name}
      text={text}
      Icon={Icon}
      action={
        run?.state === 'done' ? (
          <div className="export-card__actions">
            <ExportLink path={exportPath(api, 'account', run.$id)} label={words.downloadOf(name)} />
            <IconButton
              Icon={RefreshCw}
              label={words.createAgain(name)}
              isBusy={isRequested}
              aria-disabled={isOff}
              onClick={() => void exports.create([part])}
            />
          </div>
        ) : (
          <Button
            Icon={FolderDown}
            isBusy={isBusy || isRequested}
            busyLabel={words.creating}
            aria-label={words.createOf(name)}
            aria-disabled={isOff}
            onClick={() => void exports.create([part])}
          >
            {words.create}
          </Button>
        )
      }
    >
      {run && <ExportState run={run} name={name} />}
    </ExportCard>
  )
}

type ExportCardProps = {
  name: string
  text: string
  Icon: LucideIcon
  action: ReactNode
  children?: ReactNode
}

function ExportCard({ name, text, Icon, action, children }: ExportCardProps) {
  return (
    <li className="box export-card">
      <span className="avatar export-card__icon" aria-hidden="true">
        <Icon className="icon" />
      </span>
      <div>
        <h3>{name}</h3>
        <p>{text}</p>
        {children}
      </div>
      {action}
    </li>
  )
}
