// /admin: what is new, what waits, and the health of the blog.
import type { ReportCase } from '#contract/reports.ts'
import { useSiteIdentity } from '../api/site-identity.ts'
import { LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { QUEUE_PATH } from '../shell/shortcuts.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { useRechecks } from '../ui/use-polling.ts'
import { type Overview, readOverview } from './admin-api.ts'
import { AdminPage, AdminSection, useAdminData } from './admin-frame.tsx'
import { HealthSection } from './health-section.tsx'

const words = texts.adminOverview
const ofQueue = texts.adminQueue
const ASK_AGAIN_MS = 3000

export function AdminOverviewPage() {
  const page = useAdminData<Overview>(readOverview)
  const { siteName } = useSiteIdentity()
  const { checks } = page.value ?? {}
  // The first visit begins the checks.
  const isOn = Boolean(checks?.isRunning || checks?.at === '')
  useRechecks(() => void page.reload(), { isOn, everyMs: ASK_AGAIN_MS })
  return (
    <AdminPage title={words.title} lead={words.lead(<bdi>{siteName}</bdi>)} page={page}>
      {(overview) => (
        <div className="admin-sections">
          <Tiles overview={overview} />
          {overview.cases.length > 0 && <Waiting cases={overview.cases} />}
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
              <p className="hint row facts">
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
