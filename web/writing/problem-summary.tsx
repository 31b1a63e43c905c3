// The box above the form that names the fields with problems, with links to them.

import { Fragment, type MouseEvent } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { type PostProblems, summaryOf } from './post-values.ts'

const FIELDS = ['title', 'slug', 'content', 'tags', 'image'] as const
const { between } = texts.problems

type ProblemSummaryProps = {
  problems: PostProblems
  /** Focuses the editor: it is in a frame, where a link can not put the focus. */
  onContent: () => void
}

export function ProblemSummary({ problems, onContent }: ProblemSummaryProps) {
  const names = FIELDS.filter((name) => problems[name] !== undefined)
  function handleClick(event: MouseEvent, name: (typeof FIELDS)[number]) {
    event.preventDefault()
    if (name === 'content') onContent()
    else document.getElementById(name)?.focus()
  }
  return (
    <Alert kind="error" takesFocus>
      {summaryOf(problems)}:{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && (index === names.length - 1 ? between.and : between.comma)}
          <a className="link" href={`#${name}`} onClick={(event) => handleClick(event, name)}>
            {texts.problems.names[name]}
          </a>
        </Fragment>
      ))}
      .
    </Alert>
  )
}
