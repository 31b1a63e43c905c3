// /admin: what is new, the room that is left, the last backup, and what the server's checks found.
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Health } from '#contract/operator.ts'
import type { ReportCase } from '#contract/reports.ts'
import { LocalDate } from '../accounts/dates.tsx'
import { type Result, useApi } from '../api/client.ts'
import { useSiteWords } from '../api/site-words.ts'
import { texts } from '../locales/texts.ts'
import { QUEUE_PATH } from '../shell/shortcuts.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { sizeText } from '../ui/format-bytes.ts'
import { LoadingText } from '../ui/screens.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useRechecks } from '../ui/use-polling.ts'
import { checkNow, failureText, type Overview, readOverview, startBackup } from './admin-api.ts'
import { type AdminData, AdminPage, AdminSection, useAdminData } from './admin-frame.tsx'

const words = texts.adminOverview
const ofQueue = texts.adminQueue
const ASK_AGAIN_MS = 3000
const GIB = 1024 ** 3

type PartProps = { page: AdminData<Overview>; overview: Overview }

export function AdminOverviewPage() {
  const page = useAdminData<Overview>(readOverview)
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
          {overview.cases.length > 0 && <Waiting cases={overview.cases} />}
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

function Tiles({ overview: { posts, people, comments, reports } }: Pick<PartProps, 'overview'>) {
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
      <Link className={tileClass(comments.waiting)} to={QUEUE_PATH}>
        <b>{words.number(comments.new)}</b>
        <span>{words.comments(comments.new)}</span>
        <small>
          {comments.waiting > 0
            ? ofQueue.toApprove(comments.waiting)
            : words.before(comments.before)}
        </small>
      </Link>
      <Link className={tileClass(reports.waiting)} to={QUEUE_PATH}>
        <b>{words.number(reports.waiting)}</b>
        <span>{ofQueue.reportsTile(reports.waiting)}</span>
        <small>
          {reports.waiting > 0
            ? ofQueue.waitingSince(<LocalDate time={reports.since} />)
            : ofQueue.noneWaiting}
        </small>
      </Link>
    </div>
  )
}

function tileClass(waiting: number): string {
  return waiting > 0 ? 'box tile tile--waits' : 'box tile'
}

/** The oldest cases. */
function Waiting({ cases }: { cases: ReportCase[] }) {
  return (
    <AdminSection title={ofQueue.waitingForYou}>
      <ul className="box box-list lines waiting">
        {cases.map(({ $id, kind, postTitle, author, reporters, since }, at) => (
          <li key={$id}>
            <div>
              <h3>
                <bdi>
                  {kind === 'approval'
                    ? ofQueue.firstComment(author.name)
                    : (kind === 'post' ? ofQueue.aPost : ofQueue.aComment)(postTitle)}
                </bdi>
              </h3>
              <p className="row facts">
                {kind === 'approval' ? ofQueue.needsApproval : ofQueue.reportedBy(reporters)}
                <LocalDate time={since} hasTime />
              </p>
            </div>
            <ButtonLink kind={at === 0 ? 'primary' : 'secondary'} to={QUEUE_PATH}>
              {ofQueue.review}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </AdminSection>
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
    if (checked.ok) await page.reload()
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
                  <Found level={one.level} text={`${one.about}: ${one.text}`}>
                    {one.level !== 'ok' && one.about === 'mail' && (
                      <Link className="link" to="/admin/settings">
                        {texts.adminSettings.title}
                      </Link>
                    )}
                  </Found>
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

type FoundProps = Pick<Health, 'level' | 'text'> & { children?: ReactNode }

function Found({ level, text, children }: FoundProps) {
  const Icon = ICONS[level]
  return (
    <p className={`finding finding--${level}`}>
      <Icon className="icon" aria-label={words.levels[level]} />
      <span>
        {text} {children}
      </span>
    </p>
  )
}
