// "Export the whole blog", for operators.
import { FolderDown } from 'lucide-react'
import { useId, useState } from 'react'
import type { ExportPart, ExportRun } from '#contract/archive.ts'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Options } from '../ui/options.tsx'
import { exportPath } from './archive-api.ts'
import { ExportLink, ExportState } from './export-state.tsx'
import { useExports } from './use-exports.ts'

const words = texts.blogExport

type Choice = 'all' | ExportPart
const PARTS: Record<Choice, ExportPart[]> = {
  all: ['site', 'markdown', 'data'],
  site: ['site'],
  markdown: ['markdown'],
  data: ['data'],
}
const CHOICES = Object.keys(PARTS) as Choice[]

function nameOf({ parts, hasPeople }: ExportRun): string {
  const [part = 'data'] = parts
  return words.names[parts.length > 1 ? 'all' : part] + (hasPeople ? words.withPeople : '')
}

export function BlogExport({ initial }: { initial: ExportRun[] }) {
  const titleId = useId()
  const exports = useExports('operator', initial, nameOf)
  const [what, setWhat] = useState<Choice>('all')
  const [hasPeople, setHasPeople] = useState(false)
  return (
    <section className="archive-section" aria-labelledby={titleId}>
      <div>
        <h2 id={titleId}>{words.title}</h2>
        <p className="archive-section__lead">{words.text}</p>
      </div>
      {exports.problem && <Alert kind="error">{exports.problem}</Alert>}
      <div className="box stack panel">
        <div>
          <Options
            legend={words.what}
            options={CHOICES.map((value) => ({ value, name: words.parts[value] }))}
            selected={what}
            onChoose={setWhat}
          />
          <label className="option">
            <input
              className="check"
              type="checkbox"
              checked={hasPeople}
              onChange={({ currentTarget }) => setHasPeople(currentTarget.checked)}
            />
            <span>
              {words.hasPeople}
              <small className="hint">{words.hasPeopleHint}</small>
            </span>
          </label>
        </div>
        <div className="row">
          <Button
            Icon={FolderDown}
            isBusy={exports.requested !== undefined}
            aria-disabled={exports.active ? true : undefined}
            onClick={() => void exports.create(PARTS[what], hasPeople)}
          >
            {words.create}
          </Button>
        </div>
        {exports.runs.length > 0 && (
          <ul className="lines archive-earlier">
            {exports.runs.map((run) => (
              <ExportRow key={run.$id} run={run} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function ExportRow({ run }: { run: ExportRun }) {
  const api = useApi()
  const name = nameOf(run)
  return (
    <li>
      <div>
        <h3>{name}</h3>
        <ExportState run={run} name={name} />
      </div>
      {run.state === 'done' && (
        <ExportLink
          path={exportPath(api, 'operator', run.$id)}
          label={texts.exporting.downloadOf(name)}
        />
      )}
    </li>
  )
}
