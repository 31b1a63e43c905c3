// The frame of the operators' pages: it hides them from everybody else, and has the side links, the
// head of a page, and the loading of its data.
import './admin-sheets.css'
import {
  Archive,
  DatabaseBackup,
  FileText,
  Flag,
  History,
  LayoutDashboard,
  Mails,
  Newspaper,
  Settings,
  UsersRound,
} from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { Outlet, useLocation, useOutletContext } from 'react-router'
import { NotFound } from '../accounts/not-found.tsx'
import { isOperator, useViewer } from '../accounts/viewer.tsx'
import { type Api, type Failure, type Result, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { Checking } from '../shell/guard.tsx'
import { SessionEnded } from '../shell/session-ended.tsx'
import { QUEUE_PATH } from '../shell/shortcuts.tsx'
import { LoadingText, PageTitle } from '../ui/screens.tsx'
import { type SideLink, SideLinks } from '../ui/side-links.tsx'
import { listCases } from './admin-api.ts'

/** To anybody but operators, these pages do not exist. */
export function AdminFrame() {
  const { isChecking, failure, userData, signedOutUser } = useViewer()
  const { pathname } = useLocation()
  if (!isOperator(userData)) {
    if (!userData && (isChecking || failure)) return <Checking />
    return isOperator(signedOutUser) ? <SessionEnded /> : <NotFound path={pathname} />
  }
  // Another viewer gets a fresh page.
  return <PageWithSideLinks key={userData?.$id} />
}

function PageWithSideLinks() {
  const api = useApi()
  const { mail } = api.settings
  const { pathname } = useLocation()
  const [waiting, setWaiting] = useState(0)
  useEffect(() => {
    if (pathname === QUEUE_PATH) return
    void listCases(api, new URLSearchParams({ limit: '1' })).then(
      (cases) => cases.ok && setWaiting(cases.value.waiting),
    )
  }, [api, pathname])
  const number = waiting > 0 && (
    <span className="sidenav__number">
      <span aria-hidden="true">{waiting}</span>
      <span className="visually-hidden">{texts.adminQueue.inMenu(waiting)}</span>
    </span>
  )
  const links = PAGES.filter(({ to }) => to !== MAILS_PATH || mail === 'kept')
  return (
    <div className="sided">
      <SideLinks
        label={texts.places.admin}
        links={links.map((link) => (link.to === QUEUE_PATH ? { ...link, number } : link))}
      />
      <div className="sided__page">
        <Outlet context={setWaiting} />
      </div>
    </div>
  )
}

/** @param waiting the number to be shown beside the link to the queue */
export function useShowWaitingCount(waiting: number | undefined): void {
  const setWaiting = useOutletContext<(waiting: number) => void>()
  useEffect(() => {
    if (waiting !== undefined) setWaiting(waiting)
  }, [setWaiting, waiting])
}

const MAILS_PATH = '/admin/mails'

const PAGES: readonly SideLink[] = [
  { to: '/admin', name: texts.adminOverview.title, Icon: LayoutDashboard },
  { to: '/admin/people', name: texts.adminPeople.title, Icon: UsersRound },
  { to: '/admin/posts', name: texts.adminPosts.title, Icon: Newspaper },
  { to: '/admin/pages', name: texts.adminPages.title, Icon: FileText },
  { to: QUEUE_PATH, name: texts.adminQueue.title, Icon: Flag },
  { to: '/admin/activity', name: texts.adminActivity.title, Icon: History },
  { to: '/admin/settings', name: texts.adminSettings.title, Icon: Settings, startsGroup: true },
  { to: '/admin/backups', name: texts.adminBackups.title, Icon: DatabaseBackup },
  { to: MAILS_PATH, name: texts.adminMails.link, Icon: Mails },
  { to: '/admin/import', name: texts.adminImport.title, Icon: Archive },
]

type AdminPageProps<Value> = {
  title: string
  lead?: ReactNode
  /** The title of the page above this one. */
  parent?: string
  /** The primary button of the page. */
  action?: ReactNode
  heading?: Ref<HTMLHeadingElement>
  page: AdminData<Value>
  children: (value: Value) => ReactNode
}

/** A page with its data or, until the data has loaded, with the state of loading. */
export function AdminPage<Value>(props: AdminPageProps<Value>) {
  const { title, lead, parent, action, heading, page, children } = props
  return (
    <>
      <PageTitle screen={`${title} · ${texts.places.admin}`} />
      <div className="row page-intro">
        <div>
          <p className="quiet">
            {parent ? `${texts.places.admin}, ${parent}` : texts.places.admin}
          </p>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead-line">{lead}</p>}
        </div>
        {action}
      </div>
      {page.failure && (
        <LoadFailure isInline text={reasonText(page.failure)} onRetry={() => void page.reload()} />
      )}
      {!page.failure && page.value === undefined && <LoadingText>{texts.loading.page}</LoadingText>}
      {page.value !== undefined && children(page.value)}
    </>
  )
}

export type AdminData<Value> = {
  /** While another query is loading, the value of the previous query. */
  value: Value | undefined
  failure: Failure | undefined
  change: (value: Value) => void
  /**
   * Loads the value again. The current value stays visible until the new one arrives, and also if
   * loading fails.
   */
  reload: () => Promise<Result<Value>>
}

/** The data of a page, loaded at each visit and for each query in the address. */
export function useAdminData<Value>(
  load: (api: Api, query: URLSearchParams) => Promise<Result<Value>>,
): AdminData<Value> {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const { search } = useLocation()
  const initial = useInitialData<Value>(userData?.$id)
  async function read(): Promise<Result<Value>> {
    const result = await load(api, new URLSearchParams(search))
    // The role may have been taken away, or the session may have ended.
    if (!result.ok && [401, 403, 404].includes(result.failure.code)) void refresh()
    return result
  }
  const { value, change } = useLoaded(search, read, initial)
  const lastValue = useRef<Value>(undefined)
  useEffect(() => {
    if (value?.ok) lastValue.current = value.value
  }, [value])
  return {
    value: value === undefined ? lastValue.current : value.ok ? value.value : undefined,
    failure: value?.ok === false ? value.failure : undefined,
    change: (newValue) => change({ ok: true, value: newValue }),
    async reload() {
      const result = await read()
      if (result.ok) change(result)
      return result
    },
  }
}

type AdminSectionProps = {
  title: string
  text?: ReactNode
  action?: ReactNode
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A part of a page with a heading of its own. */
export function AdminSection({ title, text, action, heading, children }: AdminSectionProps) {
  const id = useId()
  return (
    <section className="admin-section" aria-labelledby={id}>
      <div className="row admin-section__head">
        <div>
          <h2 id={id} ref={heading} tabIndex={heading ? -1 : undefined}>
            {title}
          </h2>
          {text && <p className="quiet">{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
