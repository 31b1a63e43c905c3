// What a person chooses after the dry run, and what is chosen at first.
import type { ImportCheck, ImportChoices, ImportCounts, ImportPerson } from '#contract/archive.ts'
import type { ArchiveScope } from './archive-api.ts'

/** Who the authors become, by their keys in the export; empty while that is not chosen. */
export type People = ImportChoices['people']

export function defaultChoices(scope: ArchiveScope, check: ImportCheck): ImportChoices {
  const isWhole = scope === 'operator'
  const people = isWhole ? check.people : []
  return {
    status: 'active',
    pages: isWhole ? 'pages' : 'none',
    hasPictures: true,
    hasComments: true,
    hasSiteName: false,
    people: Object.fromEntries(people.map((person) => [person.key, defaultOwner(person)])),
  }
}

/** Somebody without an address could never claim a new account. */
function defaultOwner({ proposal, isAmbiguous, email }: ImportPerson): string {
  if (proposal) return proposal
  if (isAmbiguous) return ''
  return email ? 'new' : 'unknown'
}

/** People who still have to be chosen. */
export function countUnchosen(people: People): number {
  return Object.values(people).filter((owner) => owner === '').length
}

/** What an import with these choices brings; all of it while nothing is chosen. */
export function countsWith(
  { willImport }: ImportCheck,
  choices: ImportChoices | null,
): ImportCounts {
  if (!choices) return willImport
  const { posts, pages, pictures, comments } = willImport
  return {
    ...willImport,
    posts: posts + (choices.pages === 'posts' ? pages : 0),
    pages: choices.pages === 'pages' ? pages : 0,
    pictures: choices.hasPictures ? pictures : 0,
    comments: choices.hasComments ? comments : 0,
  }
}
