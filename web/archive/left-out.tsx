// What an import leaves out, or brings changed, in words.
import { Download, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImportCheck, ImportChoices, ImportRun } from '#contract/archive.ts'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button.tsx'
import { type ArchiveScope, issuesPath } from './archive-api.ts'
import { countsWith } from './import-choices.ts'

const words = texts.leftOut
/** Kinds of things whose names say something to a reader. */
const NAMED = ['post', 'page', 'person', 'tag', 'part']

/** What may turn out to be missing only while it is imported. */
const LOSABLE = ['pictures', 'comments'] as const

type LeftOutProps = {
  scope: ArchiveScope
  run: ImportRun
  check: ImportCheck
  /** Whether the import has ended. */
  isDone?: boolean
  choices: ImportChoices | null
  /** Below the list. */
  children?: ReactNode
}

/** Nothing at all when nothing is left out. */
export function LeftOut({ scope, run, check, choices, isDone = false, children }: LeftOutProps) {
  const api = useApi()
  const { issues, issueCount } = check
  const pagesOut = choices?.pages === 'none' ? check.willImport.pages : 0
  const { imported } = run.progress
  const coming = countsWith(check, choices)
  const lost = isDone
    ? LOSABLE.filter((what) => imported[what] < coming[what]).map((what) => ({
        what,
        count: coming[what] - imported[what],
      }))
    : []
  if (issues.length + pagesOut + lost.length === 0) return null
  const path = issuesPath(api, scope, run.$id)
  return (
    <div className="box stack panel">
      <h3>{isDone ? words.after : words.before}</h3>
      <ul className="left-out">
        {pagesOut > 0 && (
          <LeftOutItem hint={scope === 'account' && !isDone ? words.pagesOutHint : words.pagesStay}>
            {words.pagesOut(pagesOut)}
          </LeftOutItem>
        )}
        {lost.map(({ what, count }) => (
          <LeftOutItem key={what} hint={words.lostHint[what]}>
            {words.lost[what](count)}
          </LeftOutItem>
        ))}
        {issues.map(({ what, reason, count, names }) => {
          const issue = { what, reason, count }
          const shown = NAMED.includes(what) ? [...new Set(names.filter(Boolean))] : []
          return (
            <LeftOutItem key={`${what} ${reason}`} hint={words.hint(issue)}>
              {words.named(
                words.text(issue),
                shown.map((name) => <span key={name}>{words.quoted(<bdi>{name}</bdi>)}</span>),
                count > shown.length,
              )}
            </LeftOutItem>
          )
        })}
      </ul>
      {issueCount + lost.length > 0 && (
        <div>
          {isDone ? (
            <a className={buttonClass('secondary')} href={path} download>
              <Download className="icon" aria-hidden="true" />
              {words.download}
            </a>
          ) : (
            <a className="link target" href={path} download>
              {words.whole(issueCount)}
            </a>
          )}
        </div>
      )}
      {children}
    </div>
  )
}

function LeftOutItem({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <li>
      <TriangleAlert className="icon" aria-hidden="true" />
      <p>
        {children}
        <small className="hint">{hint}</small>
      </p>
    </li>
  )
}
