// /admin: what is new, the room that is left, the last backup, and what the server's checks found.
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Health, OperatorOverview } from '#contract/operator.ts'
import { LocalDate } from '../accounts/dates.tsx'
import { type Result, useApi } from '../api/client.ts'
import { useSiteWords } from '../api/site-words.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { sizeText } from '../ui/format-bytes.ts'
import { LoadingText } from '../ui/screens.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useRechecks } from '../ui/use-polling.ts'
import { checkNow, failureText, readOverview, startBackup } from './admin-api.ts'
import { type AdminData, AdminPage, AdminSection, useAdminData } from './admin-frame.tsx'

const words = texts.adminOverview
const ASK_AGAIN_MS = 3000
const GIB = 1024 ** 3

type PartProps = { page: AdminData<OperatorOverview>; overview: OperatorOverview }

export function AdminOverviewPage() {
  const page = useAdminData<OperatorOverview>(readOverview)
  const { siteName } = useSiteWords()
  const { backup, checks } = page.value ?? {}
  // The first visit begins the checks.
  const isOn = Boolean(backup?.isRunning || checks?.isRunning || checks?.at === '')
  useRechecks(() => void page.reload(), { isOn, everyMs: ASK_AGAIN_MS })
  return (
    <AdminPage title={words.title} lead={words.lead(<bdi>{siteName}</bdi>)} page={page}>
      {(overview) => (
        <div className="admin-sections">
          <Tiles overview={overview} />
          <div className="side-by-side">
            <Storage overview={overview} />
            <Backup page={page} overview={overview} />
          </div>
          <Checks page={page} overview={overview} />
        </div>
      )}
    </AdminPage>
  )
}

function Tiles({ overview: { posts, people, comments } }: Pick<PartProps, 'overview'>) {
  return (
    <div className="tiles">
      <Link className="box tile" to="/admin/posts">
        <b>{words.number(posts.new)}</b>
        <span>{words.newPosts(posts.new)}</span>
        <small>{words.before(posts.before)}</small>
      </Link>
      <Link className="box tile" to="/admin/people">
        <b>{words.number(people.new)}</b>
        <span>{words.newPeople(people.new)}</span>
        <small>{words.inAll(people.total)}</small>
      </Link>
      <div className="box tile">
        <b>{words.number(comments.new)}</b>
        <span>{words.comments(comments.new)}</span>
        <small>{words.before(comments.before)}</small>
      </div>
    </div>
  )
}

function Storage({ overview: { storage } }: Pick<PartProps, 'overview'>) {
  const { databaseBytes, files, filesBytes, freeBytes, totalBytes } = storage
  const used = databaseBytes + filesBytes
  const percent = Math.ceil((100 * used) / (used + freeBytes))
  return (
    <AdminSection title={words.storage}>
      <div className="box stack panel">
        {totalBytes > 0 && (
          <div>
            <p>{words.used(sizeOf(used), sizeOf(freeBytes))}</p>
            {/* biome-ignore lint/a11y/useSemanticElements: browsers draw it in their own colours */}
            <div
              className="progress"
              role="meter"
              aria-label={words.storage}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={percent}
            >
              <i style={{ inlineSize: `${percent}%` }} />
            </div>
          </div>
        )}
        <Pair name={words.files} note={words.fileCount(files)} value={sizeOf(filesBytes)} />
        <Pair name={words.database} value={sizeOf(databaseBytes)} />
      </div>
    </AdminSection>
  )
}

function sizeOf(bytes: number): string {
  return bytes < GIB ? sizeText(bytes) : words.gigabytes((bytes / GIB).toFixed(1))
}

type PairProps = { name: ReactNode; note?: ReactNode; value: ReactNode }

function Pair({ name, note, value }: PairProps) {
  return (
    <div className="apart pair">
      <p>
        {name}
        {note && <small>{note}</small>}
      </p>
      <div>{value}</div>
    </div>
  )
}

/** Makes a call of the page's own, and says why it was not done. */
function useWork(work: () => Promise<Result<unknown>>) {
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    const done = await work()
    setBusy(false)
    if (!done.ok) toasts.show({ kind: 'error', text: failureText(done.failure) })
  }
  return { isBusy, start: () => void start() }
}

function Backup({ page, overview: { backup } }: PartProps) {
  const api = useApi()
  const { isBusy, start } = useWork(async () => {
    const started = await startBackup(api)
    await page.reload()
    return started
  })
  const { isOn, isRunning, at, sizeBytes, count, keep, doneFiles, problem } = backup
  return (
    <AdminSection title={words.backup}>
      <div className="box stack panel">
        {!isOn && <Found level="warning" text={words.backupOff} />}
        {isOn && (
          <Pair
            name={at ? <LocalDate time={at} hasTime /> : words.noBackup}
            note={at && words.complete(sizeOf(sizeBytes), count, keep)}
            value={
              <Button isBusy={isBusy || isRunning} busyLabel={words.backingUp} onClick={start}>
                {words.backUpNow}
              </Button>
            }
          />
        )}
        {isRunning && <LoadingText isImmediate>{words.progress(doneFiles)}</LoadingText>}
        {problem && <Found level="fault" text={problem} />}
      </div>
    </AdminSection>
  )
}

function Checks({ page, overview }: PartProps) {
  const api = useApi()
  const { at, found } = overview.checks
  const { isBusy, start } = useWork(async () => {
    const checked = await checkNow(api)
    if (checked.ok) page.change({ ...overview, checks: checked.value })
    return checked
  })
  const problems = found.filter(({ level }) => level !== 'ok')
  return (
    <AdminSection
      title={words.health}
      action={
        <Button kind="ghost" isBusy={isBusy} busyLabel={words.checking} onClick={start}>
          {words.checkNow}
        </Button>
      }
    >
      <div className="box panel">
        {at === '' && <LoadingText isImmediate>{words.checking}</LoadingText>}
        {at !== '' && problems.length === 0 && <Found level="ok" text={words.fine} />}
        {at !== '' && (
          <>
            <ul>
              {[...problems, ...found.filter(({ level }) => level === 'ok')].map((one) => (
                <li key={`${one.about} ${one.text}`}>
                  <Found level={one.level} text={`${one.about}: ${one.text}`} />
                </li>
              ))}
            </ul>
            <p className="hint">
              {words.checked} <LocalDate time={at} hasTime />
            </p>
          </>
        )}
      </div>
    </AdminSection>
  )
}

const ICONS = { ok: CircleCheck, warning: TriangleAlert, fault: CircleAlert }

function Found({ level, text }: Pick<Health, 'level' | 'text'>) {
  const Icon = ICONS[level]
  return (
    <p className={`finding finding--${level}`}>
      <Icon className="icon" aria-label={words.levels[level]} />
      <span>{text}</span>
    </p>
  )
}
