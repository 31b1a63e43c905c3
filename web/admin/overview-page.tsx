// /admin: figures for the past week, cases awaiting a decision, and the health of the blog.
import type { ReportCase } from '#contract/reports.ts'
import { useSiteIdentity } from '../api/site-identity.ts'
import { LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { QUEUE_PATH } from '../shell/shortcuts.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { usePolling } from '../ui/use-polling.ts'
import { type Overview, readOverview } from './admin-api.ts'
import { AdminPage, AdminSection, useAdminData } from './admin-frame.tsx'
import { HealthSection } from './health-section.tsx'

const words = texts.adminOverview
const queueWords = texts.adminQueue
const RECHECK_MS = 3000

export function AdminOverviewPage() {
  const page = useAdminData<Overview>(readOverview)
  const { siteName } = useSiteIdentity()
  const { checks } = page.value ?? {}
  // The first visit starts the checks.
  const isPending = Boolean(checks?.isRunning || checks?.at === '')
  usePolling(() => void page.reload(), { isOn: isPending, everyMs: RECHECK_MS })
  return (
    <AdminPage title={words.title} lead={words.lead(<bdi>{siteName}</bdi>)} page={page}>
      {(overview) => (
        <div className="admin-sections">
          <Tiles overview={overview} />
          {overview.cases.length > 0 && <WaitingCases cases={overview.cases} />}
          <HealthSection page={page} overview={overview} />
        </div>
      )}
    </AdminPage>
  )
}

function Tiles({ overview: { posts, people, comments, reports } }: { overview: Overview }) {
  return (
    <div className="tiles">
      <Link className="box tile" to="/admin/posts">
        <b>{words.number(posts.new)}</b>
        <span>{words.newPosts(posts.new)}</span>
        <small>{words.previousWeek(posts.before)}</small>
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
            ? queueWords.toApprove(comments.waiting)
            : words.previousWeek(comments.before)}
        </small>
      </Link>
      <Link className={tileClass(reports.waiting)} to={QUEUE_PATH}>
        <b>{words.number(reports.waiting)}</b>
        <span>{queueWords.reportsTile(reports.waiting)}</span>
        <small>
          {reports.waiting > 0
            ? queueWords.waitingSince(<LocalDate time={reports.since} />)
            : queueWords.noneWaiting}
        </small>
      </Link>
    </div>
  )
}

function tileClass(waiting: number): string {
  return waiting > 0 ? 'box tile tile--waits' : 'box tile'
}

/** The oldest cases that await a decision. */
function WaitingCases({ cases }: { cases: ReportCase[] }) {
  return (
    <AdminSection title={queueWords.waitingForYou}>
      <ul className="box box-list lines waiting">
        {cases.map(({ $id, kind, postTitle, author, reporters, since }, index) => (
          <li key={$id}>
            <div>
              <h3>
                <bdi>
                  {kind === 'approval'
                    ? queueWords.firstComment(author.name)
                    : (kind === 'post' ? queueWords.postHeading : queueWords.commentHeading)(
                        postTitle,
                      )}
                </bdi>
              </h3>
              <p className="hint row facts">
                {kind === 'approval' ? queueWords.needsApproval : queueWords.reportedBy(reporters)}
                <LocalDate time={since} hasTime />
              </p>
            </div>
            <ButtonLink kind={index === 0 ? 'primary' : 'secondary'} to={QUEUE_PATH}>
              {queueWords.review}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </AdminSection>
  )
}
