// The report of an import as plain text.

import { REASON_WORDS } from '../../backend/archive/import/reason-words.ts'
import type { ImportCheck, ImportCounts, ImportIssue, SourceKind } from '../../contract/archive.ts'
import { plain } from '../admin/terminal.ts'

const KINDS: Record<SourceKind, string> = {
  wordpress: 'WordPress',
  ghost: 'Ghost',
  medium: 'Medium',
  substack: 'Substack',
  markdown: 'Markdown',
  api: 'a project of the hosted API',
  archive: 'an archive of this program',
}

const THINGS: Record<keyof ImportCounts, string> = {
  posts: 'Posts',
  drafts: 'Drafts, private and scheduled posts',
  pages: 'Pages',
  pictures: 'Pictures',
  comments: 'Comments',
  people: 'People',
  tags: 'Tags',
  addresses: 'Old addresses',
}

const LABEL_CHARS = 38
const NUMBER_CHARS = 12
const NAME_MAX_CHARS = 70

export function writeCheck(check: ImportCheck): string[] {
  const { kind, program, siteName, siteUrl, oldest, newest } = check
  return [
    `${plain(program || KINDS[kind])}: ${plain(siteName || siteUrl)}`,
    ...(oldest ? [`Posts from ${oldest.slice(0, 10)} to ${newest.slice(0, 10)}`] : []),
    '',
    `${''.padEnd(LABEL_CHARS)}${'found'.padStart(NUMBER_CHARS)}${'to import'.padStart(NUMBER_CHARS)}`,
    ...(Object.keys(THINGS) as (keyof ImportCounts)[]).map((name) =>
      toRow(THINGS[name], [check.found[name], check.willImport[name]]),
    ),
    ...writePeople(check),
    ...writeIssues(check),
  ]
}

export function writeImported(imported: ImportCounts): string[] {
  const names = Object.keys(THINGS) as (keyof ImportCounts)[]
  return names.map((name) => toRow(THINGS[name], [imported[name]]))
}

function toRow(label: string, numbers: number[]): string {
  const cells = numbers.map((number) => number.toLocaleString('en').padStart(NUMBER_CHARS))
  return label.padEnd(LABEL_CHARS) + cells.join('')
}

function writePeople({ people }: ImportCheck): string[] {
  if (people.length === 0) return []
  const lines = people.map(({ key, name, email, posts, proposal }) => {
    const address = email === '' ? '' : ` <${plain(email)}>`
    const target = proposal === '' ? 'a new account' : `the account ${proposal}`
    return `  ${plain(key)}: ${plain(name)}${address}, ${posts} posts → ${target}`
  })
  return ['', 'Authors (--person KEY=EMAIL, KEY=new or KEY=unknown chooses):', ...lines]
}

function writeIssues({ issues, issueCount }: ImportCheck): string[] {
  if (issueCount === 0) return []
  const lines = issues.map(({ what, reason, count, names }) => {
    const shown = names.map((name) => plain(name).slice(0, NAME_MAX_CHARS)).join('; ')
    return `  ${count.toLocaleString('en')} × ${what}, ${REASON_WORDS[reason]}: ${shown}`
  })
  return ['', 'Left out, or changed:', ...lines]
}

export function writeIssue({ what, name, reason, post, detail }: ImportIssue): string {
  const of = post === '' ? '' : ` of ${plain(post)}`
  const more = detail === '' ? '' : ` (${plain(detail)})`
  return `${what} ${plain(name)}${of}: ${REASON_WORDS[reason]}${more}`
}
