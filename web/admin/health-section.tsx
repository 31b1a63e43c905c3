// The health of the blog on the overview: a sentence for each subject, with a link or a button. If
// the server cannot safely fix something by itself, a dialog offers a command to copy.
import { CircleAlert, CircleCheck, RotateCcw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { HealthItem, OperatorOverview } from '#contract/operator.ts'
import { type Result, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { InfoDialog } from '../ui/info-dialog.tsx'
import { largeSizeText } from '../ui/large-size.ts'
import { Link } from '../ui/link.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { checkNow, failureText, type Overview } from './admin-api.ts'
import { type AdminData, AdminSection } from './admin-frame.tsx'
import { CommandLine, DayTime } from './server-parts.tsx'

const words = texts.adminHealth
const ICONS = { ok: CircleCheck, warning: TriangleAlert, fault: CircleAlert }

type HealthSectionProps = { page: AdminData<Overview>; overview: Overview }

export function HealthSection({ page, overview }: HealthSectionProps) {
  const api = useApi()
  const { health, checks, storage } = overview
  const [areAllShown, setAllShown] = useState(false)
  const { isBusy, start } = useCheckCall(async () => {
    const checked = await checkNow(api)
    if (checked.ok) await page.reload()
    return checked
  })
  const faults = health.filter(({ level }) => level === 'fault').length
  const warnings = health.filter(({ level }) => level === 'warning').length
  const isFine = faults + warnings === 0
  return (
    <AdminSection
      title={words.title}
      text={
        <>
          {words.summary(faults, warnings)}{' '}
          {checks.at !== '' && words.checked(<DayTime time={checks.at} form="sentence" />)}
        </>
      }
      action={
        <Button
          kind="ghost"
          Icon={RotateCcw}
          isBusy={isBusy}
          busyLabel={words.checking}
          onClick={start}
        >
          {words.checkNow}
        </Button>
      }
    >
      {checks.at === '' && <LoadingText isImmediate>{words.checking}</LoadingText>}
      <ul className={faults > 0 ? 'box health health--waits' : 'box health'}>
        {isFine && !areAllShown && (
          <HealthRow level="ok" sentence={words.fine}>
            <button type="button" className="link" onClick={() => setAllShown(true)}>
              {words.seeChecked}
            </button>
          </HealthRow>
        )}
        {(!isFine || areAllShown) &&
          health.map((item) => (
            <HealthItemRow
              key={`${item.code} ${item.facts.name ?? ''}`}
              item={item}
              storage={storage}
            />
          ))}
      </ul>
    </AdminSection>
  )
}

/** Makes a call; if it fails, a toast says why. */
function useCheckCall(call: () => Promise<Result<unknown>>) {
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    const result = await call()
    setBusy(false)
    if (!result.ok) toasts.show({ kind: 'error', text: failureText(result.failure) })
  }
  return { isBusy, start: () => void start() }
}

type HealthRowProps = {
  level: HealthItem['level']
  sentence: ReactNode
  about?: ReactNode
  children: ReactNode
}

function HealthRow({ level, sentence, about, children }: HealthRowProps) {
  const Icon = ICONS[level]
  return (
    <li>
      <Icon className={`icon health__icon--${level}`} aria-hidden="true" />
      <div>
        <h3>
          <span className="visually-hidden">{words.levels[level]}: </span>
          {sentence}
        </h3>
        {about && <p>{about}</p>}
      </div>
      {children}
    </li>
  )
}

type HealthItemRowProps = { item: HealthItem; storage: OperatorOverview['storage'] }

function HealthItemRow({ item: { level, code, facts }, storage }: HealthItemRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { sentence, about, action, to, todo } = words.checks[code]
  const parts = {
    facts,
    at: facts.at ? <DayTime time={String(facts.at)} form="sentence" /> : undefined,
    size: (name: string) => largeSizeText(Number(facts[name] ?? 0)),
  }
  const command = facts.command === undefined ? undefined : String(facts.command)
  return (
    <HealthRow level={level} sentence={sentence(parts)} about={about?.(parts)}>
      {to ? (
        <Link className="link" to={to}>
          {action}
        </Link>
      ) : (
        <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {action}
        </button>
      )}
      {isOpen && (
        <InfoDialog title={action} onClose={() => setOpen(false)}>
          <div className="stack">
            {todo ? <p>{todo(command !== undefined)}</p> : <DiskUsage storage={storage} />}
            {command && <CommandLine command={command} />}
          </div>
        </InfoDialog>
      )}
    </HealthRow>
  )
}

/** Shows how much of the disk each part of the blog uses. */
function DiskUsage({ storage }: Pick<HealthItemRowProps, 'storage'>) {
  const { databaseBytes, filesBytes, files, backupsBytes, freeBytes } = storage
  const { database, pictures, backups, backupsNote, free } = words.space
  return (
    <dl className="space">
      <dt>{database}</dt>
      <dd>{largeSizeText(databaseBytes)}</dd>
      <dt>{pictures(files)}</dt>
      <dd>{largeSizeText(filesBytes)}</dd>
      <dt>
        {backups}
        <small className="hint">{backupsNote}</small>
      </dt>
      <dd>{largeSizeText(backupsBytes)}</dd>
      <dt>{free}</dt>
      <dd>{largeSizeText(freeBytes)}</dd>
    </dl>
  )
}
